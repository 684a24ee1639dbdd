namespace Emu.Clocked;

/// <summary>A thread of a program beside the first: it runs when it is told to, up to its next pause.</summary>
internal abstract class ProgramThread : IDisposable
{
    /// <summary>True once its code has ended.</summary>
    public bool HasEnded { get; protected set; }

    /// <summary>The exception that ended it, or the run; null for none.</summary>
    public Exception? Fault { get; set; }

    /// <summary>Lets it run to its next pause, or to its end.</summary>
    public abstract void Step();

    /// <summary>Ends it where it pauses.</summary>
    public abstract void Dispose();
}
