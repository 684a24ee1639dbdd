namespace Emu.Clocked;

/// <summary>A thread of a program beside the first: it runs when it is told to, up to its next pause.</summary>
internal sealed class ProgramThread : IDisposable
{
    private readonly SemaphoreSlim _goes = new(0);
    private readonly SemaphoreSlim _waits = new(0);
    private readonly Thread _thread;
    private bool _isEnding;

    /// <summary>Makes one; it stands at its beginning.</summary>
    /// <param name="body">Runs the program's code.</param>
    public ProgramThread(Action<ProgramThread> body)
    {
        _thread = new Thread(() =>
        {
            _goes.Wait();
            if (!_isEnding) body(this);
            HasEnded = true;
            _waits.Release();
        })
        {
            IsBackground = true,
        };
        _thread.Start();
    }

    /// <summary>True once its code has ended.</summary>
    public bool HasEnded { get; private set; }

    /// <summary>The exception that ended it, or the run; null for none.</summary>
    public Exception? Fault { get; set; }

    /// <summary>Lets it run to its next pause, or to its end.</summary>
    public void Step()
    {
        if (HasEnded) return;
        _goes.Release();
        _waits.Wait();
    }

    /// <summary>Waits for the next step; called by its own code.</summary>
    public void Pause()
    {
        _waits.Release();
        _goes.Wait();
        if (_isEnding) throw new EndOfRunException();
    }

    /// <summary>Ends it where it pauses.</summary>
    public void Dispose()
    {
        _isEnding = true;
        if (!HasEnded)
        {
            _goes.Release();
            _thread.Join();
        }
        _goes.Dispose();
        _waits.Dispose();
    }
}
