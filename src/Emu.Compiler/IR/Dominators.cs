namespace Emu.Compiler;

/// <summary>Which blocks every way to a block passes (Cooper, Harvey and Kennedy 2001, <i>A simple, fast dominance algorithm</i>).</summary>
public sealed class Dominators
{
    private readonly Dictionary<Block, int> _order = [];
    private readonly int[] _immediate;

    /// <summary>Computes them for the blocks that can be reached.</summary>
    public Dominators(Function function)
    {
        ArgumentNullException.ThrowIfNull(function);
        var blocks = function.Blocks();
        for (var i = 0; i < blocks.Count; i++) _order[blocks[i]] = i;
        _immediate = new int[blocks.Count];
        Array.Fill(_immediate, -1);
        _immediate[0] = 0;
        for (var changed = true; changed;)
        {
            changed = false;
            for (var i = 1; i < blocks.Count; i++)
            {
                var known = blocks[i].Predecessors.Where(p => _order.TryGetValue(p, out var at) && _immediate[at] >= 0).Select(p => _order[p]);
                var now = known.Aggregate(-1, (a, b) => a < 0 ? b : Meet(a, b));
                changed |= _immediate[i] != now;
                _immediate[i] = now;
            }
        }
    }

    /// <summary>Whether every way to <paramref name="block"/> passes <paramref name="dominator"/>; a block dominates itself.</summary>
    public bool Dominates(Block dominator, Block block)
    {
        if (!_order.TryGetValue(dominator, out var wanted) || !_order.TryGetValue(block, out var at)) return false;
        while (at > wanted) at = _immediate[at];
        return at == wanted;
    }

    private int Meet(int a, int b)
    {
        while (a != b)
        {
            if (a > b) a = _immediate[a];
            else b = _immediate[b];
        }
        return a;
    }
}
