using Emu.Compiler.IR;

namespace Emu.Compiler.Reports.Size;

/// <summary>
/// Gates of single bits, each once: what LUTs are made of. A bit is a literal: twice its node, and one more when it is
/// inverted. Inverters are free, since a LUT takes in those before it.
/// </summary>
internal sealed class GateNetwork
{
    /// <summary>The constant bits.</summary>
    public const int Zero = 0, One = 1;

    private const int None = -1;

    private readonly List<Gate> _gates = [new Gate(GateKind.Leaf, None, None, None, null)];
    private readonly Dictionary<(GateKind Kind, int A, int B, int C), int> _known = [];

    /// <summary>The nodes; those that a gate is made of stand before it. The first is the constant.</summary>
    public IReadOnlyList<Gate> Gates => _gates;

    /// <summary>The operation, or the ROM's word, that gates made from now on belong to.</summary>
    public Value? Owner { get; set; }

    /// <summary>A bit that no gate makes.</summary>
    public int Leaf()
    {
        _gates.Add(new Gate(GateKind.Leaf, None, None, None, Owner));
        return 2 * (_gates.Count - 1);
    }

    /// <summary>The inverse of a bit.</summary>
    public static int Not(int a) => a ^ 1;

    public int And(int a, int b)
    {
        if (a > b) (a, b) = (b, a);
        if (a == Zero || a == Not(b)) return Zero;
        return a == One || a == b ? b : Made(GateKind.And, a, b, None);
    }

    public int Or(int a, int b) => Not(And(Not(a), Not(b)));

    public int Xor(int a, int b)
    {
        if (a > b) (a, b) = (b, a);
        var inverted = (a ^ b) & 1;
        (a, b) = (a & ~1, b & ~1);
        if (a == b) return inverted;
        return (a == Zero ? b : Made(GateKind.Xor, a, b, None)) ^ inverted;
    }

    /// <summary>The second bit when the first is 1, else the third.</summary>
    public int Select(int condition, int then, int otherwise)
    {
        if ((condition & 1) != 0) (condition, then, otherwise) = (Not(condition), otherwise, then);
        if (condition == Zero) return otherwise;
        if (then == otherwise) return then;
        if (then == Not(otherwise)) return Xor(condition, otherwise);
        if (then == Zero || then == condition && otherwise == Zero)
            return then == Zero ? And(Not(condition), otherwise) : condition;
        if (then == One || then == condition) return Or(condition, otherwise);
        if (otherwise == Zero || otherwise == condition) return And(condition, then);
        if (otherwise == One || otherwise == Not(condition)) return Or(Not(condition), then);
        return Made(GateKind.Select, condition, then, otherwise);
    }

    /// <summary>The AND of some bits.</summary>
    public int All(IReadOnlyList<int> bits)
    {
        while (bits.Count > 1)
        {
            var level = bits;
            int Pair(int i) => 2 * i + 1 < level.Count ? And(level[2 * i], level[2 * i + 1]) : level[2 * i];
            bits = [.. Enumerable.Range(0, (level.Count + 1) / 2).Select(Pair)];
        }
        return bits.Count == 0 ? One : bits[0];
    }

    private int Made(GateKind kind, int a, int b, int c)
    {
        if (_known.TryGetValue((kind, a, b, c), out var literal)) return literal;
        _gates.Add(new Gate(kind, a, b, c, Owner));
        return _known[(kind, a, b, c)] = 2 * (_gates.Count - 1);
    }
}

/// <summary>The kind of a node of a <see cref="GateNetwork"/>.</summary>
internal enum GateKind
{
    /// <summary>A flop, an input, a RAM's word, what comes from a carry chain or a multiplier.</summary>
    Leaf,
    And,
    Xor,

    /// <summary>The second bit when the first is 1, else the third.</summary>
    Select,
}

/// <summary>A node: literals of what it is made of, -1 where there is none.</summary>
internal readonly record struct Gate(GateKind Kind, int A, int B, int C, Value? Owner);
