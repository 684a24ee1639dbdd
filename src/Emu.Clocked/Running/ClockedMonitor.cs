using System.Runtime.CompilerServices;

namespace Emu.Clocked;

/// <summary>
/// Locks between threads of a program: it stands for <see cref="Monitor"/> on .NET, in a woven program, and in a
/// circuit. A lock is taken in the cycle that asks for it, or some cycles later.
/// </summary>
public static class ClockedMonitor
{
    /// <summary>The most threads that wait for pulses: a bit for each.</summary>
    internal const int MostThreads = 31;

    private static readonly ConditionalWeakTable<object, LockState> s_states = [];

    /// <summary>Waits until the lock is taken.</summary>
    public static void Enter(object obj) => Of(obj).Enter();

    /// <summary>Waits until the lock is taken.</summary>
    public static void Enter(object obj, ref bool lockTaken)
    {
        Of(obj).Enter();
        lockTaken = !Coroutine.IsUnwinding;
    }

    /// <summary>Takes the lock if that is possible in this cycle.</summary>
    public static bool TryEnter(object obj) => Of(obj).TryEnter();

    /// <summary>Takes the lock if that is possible in this cycle.</summary>
    public static void TryEnter(object obj, ref bool lockTaken) => lockTaken = Of(obj).TryEnter();

    /// <summary>Gives the lock back: others see that behind the edge.</summary>
    public static void Exit(object obj) => Of(obj).Exit();

    /// <summary>Gives the lock back until a pulse, then takes it again.</summary>
    /// <returns>True.</returns>
    public static bool Wait(object obj)
    {
        Of(obj).Wait();
        return true;
    }

    /// <summary>Lets one thread that waits go on: the one that was started first.</summary>
    public static void Pulse(object obj) => Of(obj).Pulse();

    /// <summary>Lets all threads that wait go on, one after the other.</summary>
    public static void PulseAll(object obj) => Of(obj).PulseAll();

    /// <summary>The lock of an object.</summary>
    internal static LockState Of(object obj) => s_states.GetOrCreateValue(obj);

    /// <summary>The thread fails unless it has the lock that it uses.</summary>
    internal static void Require(bool isHeld)
    {
        if (!isHeld) throw new SynchronizationLockException();
    }
}
