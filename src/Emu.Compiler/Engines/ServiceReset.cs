using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Engines;

/// <summary>
/// The walk through the memories of a service after a reset of the pin, and when one by register begins.
/// </summary>
internal sealed class ServiceReset
{
    private readonly Netlist _n;

    /// <summary>Makes it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="bits">The bits of the number of its cycles.</param>
    public ServiceReset(Netlist n, int bits)
    {
        _n = n;
        Clears = n.AddFlop("clear", 1, 1, "memories are set to what the constructor left");
        Index = n.AddFlop("clear_index", bits, 0);
        Index.Next = n.Select(Clears, n.Add(Index, new Constant(bits, 1)), FoldingBuilder.Zero(bits));
        Cleared = n.And(Clears, n.Equal(Index, new Constant(bits, Arithmetic.Mask(bits))));
    }

    /// <summary>1 while memories are cleared.</summary>
    public Flop Clears { get; }

    /// <summary>The word that is cleared.</summary>
    public Flop Index { get; }

    /// <summary>1 in the cycle that ends a reset.</summary>
    public Value Cleared { get; }

    /// <summary>Says when it begins, besides after a reset of the pin.</summary>
    public void BeginOn(Value begins) => Clears.Next = _n.Or(_n.And(Clears, _n.Not(Cleared)), begins);
}
