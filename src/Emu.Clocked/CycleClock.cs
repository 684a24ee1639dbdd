namespace Emu.Clocked;

/// <summary>The clock of the program that runs on this thread; pauses are told to it.</summary>
public abstract class CycleClock
{
    [ThreadStatic]
    private static CycleClock? s_current;

    /// <summary>
    /// The clock of the program that runs on this thread; null outside a run, where a pause does nothing.
    /// </summary>
    public static CycleClock? Current
    {
        get => s_current;
        protected set => s_current = value;
    }

    /// <summary>The edges so far, the first pause of a program not counted: it ends the elaboration.</summary>
    public long Cycle { get; protected set; }

    /// <summary>Waits for the next edge.</summary>
    public abstract void Pause();
}
