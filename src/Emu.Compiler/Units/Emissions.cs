using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The copies of a frame that leave one after the other, and the frame itself behind them: each is read anew from the
/// frame FIFO. One that has no ports takes no time, but the frame itself where nothing leaves.
/// </summary>
internal sealed class Emissions
{
    private readonly Netlist _n;
    private readonly List<Flop> _isSent = [];

    /// <summary>Makes them.</summary>
    /// <param name="n">The netlist in which they are made.</param>
    /// <param name="leaves">Says of each whether it leaves by any port; that of the frame itself is the last.</param>
    public Emissions(Netlist n, IReadOnlyList<Value> leaves)
    {
        _n = n;
        Value isNone = FoldingBuilder.Bit(true), isLater = FoldingBuilder.Bit(false);
        var (now, wait) = (new List<Value>(), new List<Value>());
        for (var i = 0; i < leaves.Count - 1; i++)
        {
            _isSent.Add(n.AddFlop($"copy_{i}_sent", 1, 0, "this copy of the frame has left"));
            wait.Add(n.AddWire($"copy_{i}_waits", n.And(leaves[i], n.Not(_isSent[i]))));
            now.Add(n.And(wait[i], isNone));
            isNone = n.And(isNone, n.Not(wait[i]));
        }
        IsNow = [.. now, isNone];
        var isMore = leaves.Count == 1 ? FoldingBuilder.Bit(false) : leaves[^1];
        for (var i = now.Count - 1; i >= 0; i--)
        {
            isLater = n.Or(isLater, n.And(now[i], isMore));
            isMore = n.Or(isMore, wait[i]);
        }
        IsLast = leaves.Count == 1 ? FoldingBuilder.Bit(true) : n.AddWire("last_emission", n.Not(isLater));
    }

    /// <summary>Says of each whether it is the one that leaves now; the frame itself is the last.</summary>
    public IReadOnlyList<Value> IsNow { get; }

    /// <summary>True if nothing of the frame leaves behind the one that leaves now.</summary>
    public Value IsLast { get; }

    /// <summary>The value that belongs to the one that leaves now.</summary>
    /// <param name="values">A value for each.</param>
    public Value Of(IReadOnlyList<Value> values) => values.Skip(1).All(value => ReferenceEquals(value, values[0]))
        ? values[0]
        : _n.SelectOneHot(values[0].Width, IsNow.Zip(values));

    /// <summary>Goes on to the next.</summary>
    /// <param name="ends">1 when the one that leaves now has left.</param>
    public void GoOn(Value ends)
    {
        foreach (var (i, sent) in _isSent.Index())
            (sent.Next, sent.Enable) = (_n.And(_n.Or(sent, IsNow[i]), _n.Not(IsLast)), ends);
    }
}
