namespace Emu.Compiler.IR;

/// <summary>
/// The blocks that every way to a block passes (Cooper, Harvey and Kennedy 2001,
/// <i>A simple, fast dominance algorithm</i>).
/// </summary>
public sealed class Dominators
{
    private readonly List<Block?> _blocks;
    private Dictionary<Block, int>? _order;
    private readonly int[] _immediate;

    // A walk over the tree of immediate dominators enters and leaves a block while it is inside those that dominate it.
    private readonly int[] _entered;
    private readonly int[] _left;

    /// <summary>Computes them for the blocks that can be reached.</summary>
    public Dominators(Function function) : this(function.Blocks())
    {
    }

    /// <summary>Computes them for the blocks that can be reached, in the order of their function.</summary>
    internal Dominators(IReadOnlyList<Block> blocks) : this([.. blocks], block => block.Predecessors)
    {
    }

    private Dominators(List<Block?> blocks, Func<Block, IReadOnlyList<Block?>> predecessors)
    {
        _blocks = blocks;
        for (var i = 0; i < blocks.Count; i++)
        {
            if (blocks[i] is { } block) block.Place = i;
        }
        _immediate = new int[blocks.Count];
        Array.Fill(_immediate, -1);
        _immediate[0] = 0;
        var before = new int[blocks.Count][];
        for (var i = 1; i < blocks.Count; i++) before[i] = PlacesOf(predecessors(blocks[i]!));
        for (var changed = true; changed;)
        {
            changed = false;
            for (var i = 1; i < blocks.Count; i++)
            {
                var now = MeetOf(before[i]);
                changed |= _immediate[i] != now;
                _immediate[i] = now;
            }
        }
        (_entered, _left) = (new int[blocks.Count], new int[blocks.Count]);
        Walk();
    }

    private int[] PlacesOf(IReadOnlyList<Block?> blocks)
    {
        var places = new int[blocks.Count];
        for (var i = 0; i < places.Length; i++)
            places[i] = blocks[i] is { } block ? PlaceOf(block) : 0;
        return places;
    }

    /// <summary>
    /// The number of a block in the order; -1 if it is not in it. A block knows the place that it had in the order of
    /// which it was last asked, and the order says whether that is its own (sparse sets; Briggs and Torczon 1993).
    /// </summary>
    private int PlaceOf(Block block)
    {
        var place = block.Place;
        if ((uint)place < (uint)_blocks.Count && _blocks[place] == block) return place;
        _order ??= _blocks.Index().Where(entry => entry.Item is not null)
            .ToDictionary(entry => entry.Item!, entry => entry.Index);
        if (!_order.TryGetValue(block, out place)) return -1;
        block.Place = place;
        return place;
    }

    /// <summary>The last block that dominates all of some, as far as they are known; -1 if none is.</summary>
    private int MeetOf(int[] places)
    {
        var met = -1;
        foreach (var at in places)
        {
            if (at >= 0 && _immediate[at] >= 0) met = met < 0 ? at : Meet(met, at);
        }
        return met;
    }

    /// <summary>The blocks that every way from a block to the end passes; for a function without loops.</summary>
    public static Dominators Backwards(Function function)
    {
        ArgumentNullException.ThrowIfNull(function);
        return Backwards(function.Blocks());
    }

    /// <summary>The same of some blocks without loops, which end where they are left.</summary>
    /// <param name="region">The blocks, in the order of their function.</param>
    internal static Dominators Backwards(IReadOnlyList<Block> region)
    {
        var inside = new HashSet<Block>(region);
        // All ends lead to one, which is no block.
        return new Dominators(
            [null, .. region.Reverse()],
            block => block.Terminator!.Successors.Where(inside.Contains).ToList() is { Count: > 0 } next
                ? next
                : [null!]);
    }

    /// <summary>The last of the blocks that every way to a block passes before it; null for the first.</summary>
    public Block? Immediate(Block block) => PlaceOf(block) is > 0 and var place ? _blocks[_immediate[place]] : null;

    /// <summary>
    /// True if every way to <paramref name="block"/> passes <paramref name="dominator"/>; a block dominates itself.
    /// </summary>
    public bool Dominates(Block dominator, Block block) =>
        PlaceOf(dominator) is >= 0 and var above && PlaceOf(block) is >= 0 and var at
        && new Span(_entered[above], _left[above]).Contains(new Span(_entered[at], _left[at]));

    /// <summary>The blocks that a block dominates.</summary>
    internal Span Under(Block block)
    {
        var place = PlaceOf(block);
        return new Span(_entered[place], _left[place]);
    }

    /// <summary>Blocks that one dominates: the part of a walk over the tree in which it is entered and left.</summary>
    internal readonly record struct Span(int Entered, int Left)
    {
        /// <summary>True if a block dominates another.</summary>
        public bool Contains(Span other) => Entered <= other.Entered && other.Left <= Left;
    }

    /// <summary>Notes when the walk enters and leaves each block.</summary>
    private void Walk()
    {
        // The first child of each block, and the next of each child.
        var (first, next) = (new int[_blocks.Count], new int[_blocks.Count]);
        for (var i = 1; i < _blocks.Count; i++)
            if (_immediate[i] is >= 0 and var above) (next[i], first[above]) = (first[above], i);
        var stack = new Stack<(int Block, bool IsLeft)>([(0, false)]);
        for (var time = 0; stack.TryPop(out var step); time++)
        {
            if (step.IsLeft)
            {
                _left[step.Block] = time;
                continue;
            }
            _entered[step.Block] = time;
            stack.Push((step.Block, true));
            for (var child = first[step.Block]; child > 0; child = next[child]) stack.Push((child, false));
        }
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
