using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The accesses to a <see cref="CounterBank"/> by the circuit itself, beside those from outside: one at a time, each
/// when everything that was on its way has had its turn.
/// </summary>
/// <param name="isDone">1 in the last cycle of an access.</param>
/// <param name="count">The count that was asked for, from the cycle behind <paramref name="isDone"/> on.</param>
internal sealed class CounterPort(Wire isDone, Wire count)
{
    private readonly List<(Value IsAsked, Func<int> Index)> _all = [];
    private readonly List<Value> _writes = [], _clears = [];

    /// <summary>1 in the last cycle of an access.</summary>
    public Wire IsDone { get; } = isDone;

    /// <summary>The count that was asked for, from the cycle behind <see cref="IsDone"/> on.</summary>
    public Wire Count { get; } = count;

    /// <summary>
    /// The accesses: when one is asked for, and the index of its counter, known when the bank is built.
    /// </summary>
    public IReadOnlyList<(Value IsAsked, Func<int> Index)> All => _all;

    /// <summary>Those of them that write.</summary>
    public IReadOnlyList<Value> Writes => _writes;

    /// <summary>Those of them that set a counter to 0.</summary>
    public IReadOnlyList<Value> Clears => _clears;

    /// <summary>The value that a counter is set to; null where none is.</summary>
    public Value? Given { get; private set; }

    /// <summary>Asks for a counter.</summary>
    /// <param name="isAsked">1 from the first cycle on until <see cref="IsDone"/>.</param>
    /// <param name="index">Its index.</param>
    /// <returns><see cref="Count"/>.</returns>
    public Value Read(Value isAsked, Func<int> index)
    {
        _all.Add((isAsked, index));
        return Count;
    }

    /// <summary>Sets a counter.</summary>
    /// <param name="isAsked">1 from the first cycle on until <see cref="IsDone"/>.</param>
    /// <param name="index">Its index.</param>
    /// <param name="count">What it is set to; stays the same until the cycle behind <see cref="IsDone"/>.</param>
    public void Write(Value isAsked, Func<int> index, Value count)
    {
        _all.Add((isAsked, index));
        _writes.Add(isAsked);
        Given = count;
    }

    /// <summary>Sets a counter to 0.</summary>
    /// <param name="isAsked">1 from the first cycle on until <see cref="IsDone"/>.</param>
    /// <param name="index">Its index.</param>
    public void Clear(Value isAsked, Func<int> index)
    {
        _all.Add((isAsked, index));
        _clears.Add(isAsked);
    }
}
