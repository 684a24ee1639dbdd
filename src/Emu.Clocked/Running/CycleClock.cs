using KiwiSystem;

namespace Emu.Clocked;

/// <summary>The clock of the program that runs on this thread; pauses are told to it.</summary>
public abstract class CycleClock
{
    [ThreadStatic]
    private static CycleClock? s_current;

    [ThreadStatic]
    private static int s_thread;

    [ThreadStatic]
    private static int s_number;

    private readonly List<IClockedObject> _written = [];

    /// <summary>
    /// The clock of the program that runs on this thread; null outside a run, where a pause does nothing.
    /// </summary>
    public static CycleClock? Current
    {
        get => s_current;
        protected set => s_current = value;
    }

    /// <summary>
    /// The number of the program's thread that runs on this thread, from 1 on; 0 outside a run and in the elaboration,
    /// where a write is seen at once.
    /// </summary>
    public static int Thread
    {
        get => s_thread;
        protected set => s_thread = value;
    }

    /// <summary>The number of the program's thread that runs here, from 1 on, in the elaboration too.</summary>
    public static int Number { get => s_number; protected set => s_number = value; }

    /// <summary>The memory that the program has taken addresses of.</summary>
    internal LentMemory Lent { get; } = new();

    /// <summary>The time for programs: 10 for each pause that has ended.</summary>
    public abstract ulong Time { get; }

    /// <summary>The edges so far, the first pause of a program not counted: it ends the elaboration.</summary>
    public long Cycle { get; protected set; }

    /// <summary>Waits for the next edge.</summary>
    public abstract void Pause();

    /// <summary>Chooses how the code of the thread that runs is taken; gives how it was.</summary>
    public abstract Kiwi.PauseControl SetPauses(Kiwi.PauseControl mode);

    /// <summary>Notes that code is soft: its pauses are known once it has been compiled.</summary>
    /// <exception cref="ClockedException">It has not been.</exception>
    public abstract void RequireSchedule();

    /// <summary>Starts a thread of the program.</summary>
    public abstract void Start(Action body);

    /// <summary>Prints text of the program in this cycle.</summary>
    public abstract void Print(string text);

    /// <summary>Notes that an object was written in this cycle: its writes are seen behind the edge.</summary>
    public void Note(IClockedObject written) => _written.Add(written);

    /// <summary>Reports that two threads write one variable in one cycle.</summary>
    /// <param name="variable">The variable's name.</param>
    public static ClockedException TwoWriters(string variable) => new(
        ClockedException.TwoWriters,
        $"two threads write {variable} in cycle {Current?.Cycle}; let one own it, and ask by a handshake");

    /// <summary>Makes the writes of this cycle seen.</summary>
    protected void Commit()
    {
        foreach (var written in _written) written.Commit();
        _written.Clear();
    }
}
