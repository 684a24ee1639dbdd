namespace Emu.Clocked;

/// <summary>A thread of a program that has one of the operating system.</summary>
internal sealed class SystemThread : ProgramThread
{
    private readonly SemaphoreSlim _goes = new(0);
    private readonly SemaphoreSlim _waits = new(0);
    private readonly Thread _thread;
    private bool _isEnding;

    /// <summary>Makes one; it stands at its beginning.</summary>
    /// <param name="body">Runs the program's code.</param>
    public SystemThread(Action<SystemThread> body)
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

    /// <inheritdoc/>
    public override void Step()
    {
        if (HasEnded) return;
        _goes.Release();
        _waits.Wait();
    }

    /// <summary>Waits for the next step; called by its own code.</summary>
    public void Pause()
    {
        // A finally block may pause, too.
        if (_isEnding) throw new EndOfRunException();
        _waits.Release();
        _goes.Wait();
        if (_isEnding) throw new EndOfRunException();
    }

    /// <inheritdoc/>
    public override void Dispose()
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
