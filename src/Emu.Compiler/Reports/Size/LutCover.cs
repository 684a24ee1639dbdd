using Emu.Compiler.IR;

namespace Emu.Compiler.Reports.Size;

/// <summary>
/// Covers gates by LUTs of six inputs, as synthesis does: for each gate a few sets of bits that it is a function of
/// (cuts), of those the one that costs least with what is before it, a part for each that uses it (area flow). Then the
/// choice is gone over, now that it is known which bits LUTs share (exact area).
/// </summary>
/// <remarks>
/// Mishchenko, Chatterjee, Brayton: Improvements to Technology Mapping for LUT-Based FPGAs, 2006, §3.
/// </remarks>
internal sealed class LutCover
{
    private const int Inputs = 6;

    /// <summary>Cuts that are kept of a gate.</summary>
    private const int Kept = 6;

    /// <summary>The number of times that the cover is refined.</summary>
    private const int Rounds = 2;

    /// <summary>The cost that synthesis assigns to a LUT, by its inputs.</summary>
    private static readonly float[] s_cost = [0, 2, 2, 3, 5, 5, 5];

    private readonly GateNetwork _network;
    private readonly int[][][] _cuts;
    private readonly float[] _flow;
    private readonly int[] _uses;

    /// <summary>
    /// For each node the cut that is taken, and the number of LUTs and roots that use it:
    /// 0 where it is no output of a LUT.
    /// </summary>
    private readonly int[] _choice, _users;

    /// <summary>Covers what some bits need.</summary>
    /// <param name="network">The gates.</param>
    /// <param name="roots">Bits that have to be there.</param>
    /// <param name="before">
    /// The bits that have to be there for a leaf to be: what a carry chain, a multiplier or a flop takes.
    /// </param>
    public LutCover(
        GateNetwork network, IReadOnlyCollection<int> roots, IReadOnlyDictionary<int, IReadOnlyList<int>> before)
    {
        var uses = Uses(network, roots, before);
        var trees = new GateTrees(network, uses, GateTrees.Inner(network, uses));
        for (var node = 1; node < uses.Length; node++)
            if (uses[node] > 0 && network.Gates[node].Kind == GateKind.Leaf) Needed.Add(node);

        _network = trees.Network;
        var needed = Needed.Where(before.ContainsKey)
            .SelectMany(node => before[node]).Concat(roots).Select(trees.Of).Distinct().ToList();
        _uses = Uses(_network, needed, new Dictionary<int, IReadOnlyList<int>>());
        var count = _network.Gates.Count;
        (_cuts, _flow, _choice, _users) = (new int[count][][], new float[count], new int[count], new int[count]);
        for (var node = 1; node < count; node++) if (_uses[node] > 0) FindCuts(node);
        Choose(needed);
        for (var round = 0; round < Rounds; round++) for (var node = 1; node < count; node++) Improve(node);
        Luts = [.. Enumerable.Range(1, count - 1)
            .Where(node => _users[node] > 0 && _cuts[node] is not null).Select(node => _network.Gates[node].Owner)];
    }

    /// <summary>For each LUT what it belongs to.</summary>
    public IReadOnlyList<Value?> Luts { get; }

    /// <summary>The leaves that are needed, by their nodes.</summary>
    public List<int> Needed { get; } = [];

    /// <summary>The number of gates and roots that use each node that is needed at all.</summary>
    private static int[] Uses(
        GateNetwork network, IEnumerable<int> roots, IReadOnlyDictionary<int, IReadOnlyList<int>> before)
    {
        var uses = new int[network.Gates.Count];
        var waiting = new Stack<int>(roots.Select(root => root >> 1));
        while (waiting.TryPop(out var node))
        {
            if (uses[node]++ > 0) continue;
            var gate = network.Gates[node];
            foreach (var operand in new[] { gate.A, gate.B, gate.C }) if (operand >= 0) waiting.Push(operand >> 1);
            foreach (var operand in before.GetValueOrDefault(node, [])) waiting.Push(operand >> 1);
        }
        return uses;
    }

    private void FindCuts(int node)
    {
        var gate = _network.Gates[node];
        if (gate.Kind == GateKind.Leaf) return;
        var found = new List<(float Flow, int[] Cut)>();
        foreach (var a in CutsAt(gate.A))
        {
            foreach (var b in CutsAt(gate.B))
            {
                if (Union(a, b) is not { } both) continue;
                if (gate.C < 0) Add(found, both);
                else foreach (var c in CutsAt(gate.C)) if (Union(both, c) is { } all) Add(found, all);
            }
        }
        found.Sort((x, y) => x.Flow != y.Flow ? x.Flow.CompareTo(y.Flow) : x.Cut.Length.CompareTo(y.Cut.Length));
        _cuts[node] = [.. found.Take(Kept).Select(f => f.Cut)];
        _flow[node] = found[0].Flow / Math.Max(1, _uses[node]);
    }

    private void Add(List<(float Flow, int[] Cut)> found, int[] cut)
    {
        foreach (var (_, known) in found) if (known.AsSpan().SequenceEqual(cut)) return;
        var flow = s_cost[cut.Length];
        foreach (var leaf in cut) flow += _flow[leaf];
        found.Add((flow, cut));
    }

    /// <summary>The sets that a bit can come by: itself, and the cuts of its gate.</summary>
    private IEnumerable<int[]> CutsAt(int literal)
    {
        var node = literal >> 1;
        if (node == 0) return [[]];
        return _cuts[node] is { } cuts ? cuts.Prepend([node]) : [[node]];
    }

    private static int[]? Union(int[] a, int[] b)
    {
        Span<int> all = stackalloc int[Inputs];
        int i = 0, j = 0, count = 0;
        while (i < a.Length || j < b.Length)
        {
            if (count == Inputs) return null;
            var next = j == b.Length || i < a.Length && a[i] <= b[j] ? a[i] : b[j];
            if (i < a.Length && a[i] == next) i++;
            if (j < b.Length && b[j] == next) j++;
            all[count++] = next;
        }
        return all[..count].ToArray();
    }

    /// <summary>Takes the cut with the least flow, wherever a bit is needed.</summary>
    private void Choose(IEnumerable<int> roots)
    {
        var waiting = new Stack<int>(roots.Select(root => root >> 1));
        while (waiting.TryPop(out var node))
        {
            if (_users[node]++ > 0) continue;
            foreach (var leaf in _cuts[node]?[0] ?? []) waiting.Push(leaf);
        }
    }

    /// <summary>Takes another cut of an output of a LUT, if the whole is cheaper then.</summary>
    private void Improve(int node)
    {
        if (_users[node] == 0 || _cuts[node] is not { } cuts) return;
        Release(node);
        var (best, least) = (_choice[node], float.MaxValue);
        for (var cut = 0; cut < cuts.Length; cut++)
        {
            _choice[node] = cut;
            var cost = Take(node);
            Release(node);
            if (cost < least) (best, least) = (cut, cost);
        }
        _choice[node] = best;
        Take(node);
    }

    /// <summary>Uses the leaves of the chosen cut once more; gives what that and the LUT itself cost.</summary>
    private float Take(int node)
    {
        var cut = _cuts[node][_choice[node]];
        var cost = s_cost[cut.Length];
        foreach (var leaf in cut) if (_users[leaf]++ == 0 && _cuts[leaf] is not null) cost += Take(leaf);
        return cost;
    }

    private void Release(int node)
    {
        foreach (var leaf in _cuts[node][_choice[node]])
            if (--_users[leaf] == 0 && _cuts[leaf] is not null) Release(leaf);
    }
}
