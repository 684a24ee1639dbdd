namespace Emu.Clocked;

/// <summary>
/// Decides which of several threads that ask in one cycle gets something: the one that was started first. In a circuit
/// it is a fixed-priority arbiter.
/// </summary>
public sealed class Arbiter : IClockedObject
{
    private int _winner;

    /// <summary>
    /// Asks for it in this cycle; true unless a thread that was started before has got it. In the elaboration, in which
    /// threads run one behind the other, always true.
    /// </summary>
    public bool TryTake()
    {
        if (CycleClock.Current is not { } clock || CycleClock.Thread == 0) return true;
        if (_winner != 0) return _winner == CycleClock.Number;
        _winner = CycleClock.Number;
        clock.Note(this);
        return true;
    }

    /// <inheritdoc/>
    public void Commit() => _winner = 0;
}
