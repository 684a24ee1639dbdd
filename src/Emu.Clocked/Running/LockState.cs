using KiwiSystem;

namespace Emu.Clocked;

/// <summary>
/// The lock of an object: a register for its owner, and an arbiter for threads that ask for it in one cycle. The same
/// code runs on .NET and is compiled.
/// </summary>
internal sealed class LockState
{
    private readonly Cell<int> _owner = new("owner");
    private readonly Cell<int> _depth = new("depth");
    private readonly Cell<uint> _waiting = new("waiting");
    private readonly Arbiter _arbiter = new();

    /// <summary>Takes it, if it is free at the beginning of the cycle and no thread before this one takes it.</summary>
    public bool TryEnter()
    {
        var me = CycleClock.Number;
        if (_owner.Value == me)
        {
            _depth.Value++;
            return true;
        }
        if (_owner.Value != 0 || !_arbiter.TryTake()) return false;
        _owner.Value = me;
        _depth.Value = 1;
        return true;
    }

    /// <summary>Waits, cycle by cycle, until it is taken.</summary>
    public void Enter()
    {
        while (!TryEnter())
        {
            Kiwi.Pause();
            // A coroutine makes the call again.
            if (Coroutine.IsUnwinding) return;
        }
    }

    /// <summary>Gives it back: others see that behind the edge.</summary>
    public void Exit()
    {
        ClockedMonitor.Require(_owner.Value == CycleClock.Number);
        _depth.Value--;
        if (_depth.Value == 0) _owner.Value = 0;
    }

    /// <summary>Gives it back, waits for a pulse, and takes it again.</summary>
    public void Wait()
    {
        ClockedMonitor.Require(_owner.Value == CycleClock.Number);
        var depth = _depth.Value;
        _waiting.Value |= 1u << CycleClock.Number;
        _depth.Value = 0;
        _owner.Value = 0;
        do Kiwi.Pause();
        while ((_waiting.Value >> CycleClock.Number & 1) != 0);
        Enter();
        _depth.Value = depth;
    }

    /// <summary>Lets one thread that waits go on when the lock is free: the one that was started first.</summary>
    public void Pulse()
    {
        ClockedMonitor.Require(_owner.Value == CycleClock.Number);
        _waiting.Value &= _waiting.Value - 1;
    }

    /// <summary>Lets all threads that wait go on, one after the other.</summary>
    public void PulseAll()
    {
        ClockedMonitor.Require(_owner.Value == CycleClock.Number);
        _waiting.Value = 0;
    }
}
