namespace Emu.Clocked;

/// <summary>
/// A thread of a program that runs on the thread of the run: where it pauses, each of its calls saves its variables and
/// returns, and to go on it is called again and restores them (continuations by stack inspection). A switch costs calls
/// instead of a turn of the operating system's scheduler.
/// </summary>
public sealed class Coroutine
{
    [ThreadStatic]
    private static Coroutine? s_running;

    [ThreadStatic]
    private static bool s_isUnwinding;

    private readonly Stack<SavedFrame> _frames = [];
    private readonly Action _body;

    /// <summary>Makes one; it stands at its beginning.</summary>
    internal Coroutine(Action body) => _body = body;

    /// <summary>True while calls save their variables and return.</summary>
    public static bool IsUnwinding => s_isUnwinding;

    /// <summary>True while one runs, and not the thread that the program began with.</summary>
    internal static bool IsRunning => s_running is not null;

    /// <summary>The variables of a call that goes on; null where it begins.</summary>
    public static SavedFrame? Resumed() => s_running is { _frames.Count: > 0 } running ? running._frames.Pop() : null;

    /// <summary>Saves the variables of a call.</summary>
    public static void Save(SavedFrame frame) => s_running!._frames.Push(frame);

    /// <summary>Begins to unwind.</summary>
    internal static void Pause() => s_isUnwinding = true;

    /// <summary>Runs it to its next pause.</summary>
    /// <returns>False where it has ended.</returns>
    internal bool Step()
    {
        s_running = this;
        try
        {
            _body();
            return s_isUnwinding;
        }
        finally
        {
            (s_running, s_isUnwinding) = (null, false);
        }
    }
}
