using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The reads of a <see cref="CounterBank"/> by the circuit itself.</summary>
/// <param name="isThere">1 when the count that is asked for is there in the next cycle.</param>
/// <param name="count">The count, in the cycle behind <paramref name="isThere"/>.</param>
internal sealed class CounterReads(Wire isThere, Wire count)
{
    private readonly List<(Value IsAsked, Func<int> Index)> _asked = [];

    /// <summary>1 when the count that is asked for is there in the next cycle.</summary>
    public Wire IsThere { get; } = isThere;

    /// <summary>The count, in the cycle behind <see cref="IsThere"/>.</summary>
    public Wire Count { get; } = count;

    /// <summary>The questions: when one is asked, and the index of its counter, known when the bank is built.</summary>
    public IReadOnlyList<(Value IsAsked, Func<int> Index)> Asked => _asked;

    /// <summary>Asks for a counter.</summary>
    /// <param name="isAsked">1 from the first cycle on until the count is there; one is asked for at a time.</param>
    /// <param name="index">Its index.</param>
    public void Ask(Value isAsked, Func<int> index) => _asked.Add((isAsked, index));
}
