using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>Says which of several units is next, each in turn.</summary>
internal sealed class RoundRobin
{
    private readonly Netlist _n;
    private readonly List<Value> _is;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made, at its section.</param>
    /// <param name="name">The name of its flops.</param>
    /// <param name="count">The number of units.</param>
    /// <param name="moves">1 when the next one follows.</param>
    public RoundRobin(Netlist n, string name, int count, Value moves)
    {
        _n = n;
        if (count == 1)
        {
            _is = [FoldingBuilder.Bit(true)];
            return;
        }
        var ring = Enumerable.Range(0, count).Select(i => n.AddFlop($"{name}_{i}", 1, i == 0 ? 1u : 0u)).ToList();
        for (var i = 0; i < count; i++) (ring[i].Next, ring[i].Enable) = (ring[(i + count - 1) % count], moves);
        _is = [.. ring];
    }

    /// <summary>True if the unit of a number is next.</summary>
    public Value Is(int number) => _is[number];

    /// <summary>The value of the unit that is next, of those of all.</summary>
    public Value Choose(IReadOnlyList<Value> values) => values.Count == 1
        ? values[0]
        : _n.SelectOneHot(values[0].Width, values.Select((value, number) => (_is[number], value)));
}
