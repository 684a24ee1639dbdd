namespace Emu.Compiler.Reports.Size;

/// <summary>
/// The same gates, but what is a tree of ANDs, or of ORs, is put together anew so that LUTs are filled: gates of two or
/// three inputs below it go together into one.
/// </summary>
internal sealed class GateTrees
{
    /// <summary>The inputs of a LUT.</summary>
    private const int Inputs = 6;

    private readonly GateNetwork _old;
    private readonly int[] _uses;

    /// <summary>The new literal of each old node.</summary>
    private readonly int[] _literals;

    /// <summary>
    /// The inputs that each new node brings into a LUT which takes it in: 1 for a node that stands for itself.
    /// </summary>
    private readonly Dictionary<int, int> _weights = [];

    /// <summary>Puts the gates together anew.</summary>
    /// <param name="old">The gates.</param>
    /// <param name="uses">The number of gates, roots and hard bits that use each node.</param>
    /// <param name="isInner">True for a node that is only a part of the tree above it.</param>
    public GateTrees(GateNetwork old, int[] uses, bool[] isInner)
    {
        (_old, _uses, _literals) = (old, uses, new int[old.Gates.Count]);
        for (var node = 1; node < _literals.Length; node++)
            if (uses[node] > 0 && !isInner[node]) _literals[node] = Made(node, isInner);
    }

    /// <summary>The new gates.</summary>
    public GateNetwork Network { get; } = new();

    /// <summary>The new literal of an old one.</summary>
    public int Of(int literal) => _literals[literal >> 1] ^ literal & 1;

    /// <summary>The nodes that are ANDs which only one other AND uses, as they are.</summary>
    public static bool[] Inner(GateNetwork network, int[] uses)
    {
        var isInner = new bool[network.Gates.Count];
        foreach (var gate in network.Gates.Where((gate, node) => gate.Kind == GateKind.And && uses[node] > 0))
        {
            foreach (var operand in new[] { gate.A, gate.B })
            {
                var (node, isInverted) = (operand >> 1, (operand & 1) != 0);
                isInner[node] = !isInverted && uses[node] == 1 && network.Gates[node].Kind == GateKind.And;
            }
        }
        return isInner;
    }

    private int Made(int node, bool[] isInner)
    {
        var gate = _old.Gates[node];
        Network.Owner = gate.Owner;
        var (made, weight) = gate.Kind switch
        {
            GateKind.Leaf => (Network.Leaf(), 1),
            GateKind.Xor => (Network.Xor(Of(gate.A), Of(gate.B)), 2),
            GateKind.Select => (Network.Select(Of(gate.A), Of(gate.B), Of(gate.C)), 3),
            _ => Packed(Leaves(node, isInner)),
        };
        _weights.TryAdd(made >> 1, _uses[node] == 1 ? weight : 1);
        return made;
    }

    /// <summary>The inputs of a tree of ANDs.</summary>
    private List<int> Leaves(int node, bool[] isInner)
    {
        var (leaves, waiting) = (new List<int>(), new Stack<int>([node]));
        while (waiting.TryPop(out var inner))
        {
            var gate = _old.Gates[inner];
            foreach (var operand in new[] { gate.B, gate.A })
            {
                if (isInner[operand >> 1]) waiting.Push(operand >> 1);
                else leaves.Add(Of(operand));
            }
        }
        return leaves;
    }

    /// <summary>The AND of some bits: the heaviest first, as many in a LUT as it takes.</summary>
    private (int Literal, int Weight) Packed(List<int> leaves)
    {
        var waiting = new LinkedList<int>(leaves.OrderByDescending(Weight));
        while (true)
        {
            var (part, weight) = (new List<int>(), 0);
            for (var next = waiting.First; next is not null;)
            {
                var (leaf, after) = (next, next.Next);
                if (weight + Weight(leaf.Value) <= Inputs)
                {
                    weight += Weight(leaf.Value);
                    part.Add(leaf.Value);
                    waiting.Remove(leaf);
                }
                next = weight < Inputs ? after : null;
            }
            var made = Network.All(part);
            if (waiting.Count == 0) return (made, weight);
            _weights[made >> 1] = 1;
            waiting.AddLast(made);
        }
    }

    private int Weight(int literal) => _weights.GetValueOrDefault(literal >> 1, 1);
}
