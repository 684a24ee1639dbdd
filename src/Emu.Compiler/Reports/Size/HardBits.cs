using Emu.Compiler.IR;

namespace Emu.Compiler.Reports.Size;

/// <summary>
/// Bits that carry chains, multipliers, dividers, flops and RAMs give: leaves, each of which needs others before it.
/// </summary>
/// <param name="network">The gates around them.</param>
internal sealed class HardBits(GateNetwork network)
{
    private readonly Dictionary<int, IReadOnlyList<int>> _before = [];
    private readonly Dictionary<int, Hard> _owners = [];

    /// <summary>The literals that each node needs to be there first.</summary>
    public IReadOnlyDictionary<int, IReadOnlyList<int>> Before => _before;

    /// <summary>The product or quotient behind each node: the same object for all bits of one.</summary>
    public IReadOnlyDictionary<int, Hard> Owners => _owners;

    /// <summary>Says what has to be there for a leaf.</summary>
    public void Join(int leaf, IReadOnlyList<int> before) => _before[leaf >> 1] = before;

    /// <summary>A bit that a carry chain gives, over LUTs that each drive a bit of it.</summary>
    public int Carry(IReadOnlyList<int> drivers) => Bit(drivers);

    /// <summary>
    /// The sum of two words: of each bit a LUT says whether the carry goes on; if not, it is one of the two.
    /// </summary>
    public int[] Sum(int[] a, int[] b, bool hasCarry)
    {
        var sum = new int[a.Length];
        var below = -1;
        for (var i = 0; i < a.Length; i++)
        {
            // Nothing is carried out of the lowest bits while one of the two is 0.
            if (below < 0 && !hasCarry && (a[i] == GateNetwork.Zero || b[i] == GateNetwork.Zero))
            {
                sum[i] = network.Or(a[i], b[i]);
                continue;
            }
            var own = IsFree(a[i]) ? a[i] : b[i];
            sum[i] = Bit(below < 0 ? [network.Xor(a[i], b[i]), own] : [network.Xor(a[i], b[i]), own, below]);
            below = sum[i];
        }
        return sum;
    }

    /// <summary>The product.</summary>
    public int[] Product(int[] a, int[] b, Operation operation) => Made(a, b, operation, Multiplier.Product);

    /// <summary>A sum that the block of one term, a product, makes.</summary>
    public int[] PostSum(int[] a, int[] b)
    {
        int[] needed = [.. a, .. b];
        return [.. a.Select(_ => Bit(needed))];
    }

    /// <summary>The quotient or the remainder.</summary>
    public int[] Quotient(int[] a, int[] b, Operation operation) => Made(a, b, operation, Multiplier.Quotient);

    private int[] Made(int[] a, int[] b, Operation operation, Func<Factor, Factor, int, HardSize> size)
    {
        var (first, second) = (Factor.Of(a), Factor.Of(b));
        var hard = new Hard(operation, bits => size(first, second, bits));
        int[] needed = [.. a, .. b];
        return [.. Enumerable.Range(0, operation.Width).Select(i => Bit(needed, hard, i))];
    }

    private bool IsFree(int literal) => network.Gates[literal >> 1].Kind == GateKind.Leaf;

    private int Bit(IReadOnlyList<int> before, Hard? hard = null, int index = 0)
    {
        var bit = network.Leaf();
        _before[bit >> 1] = before;
        if (hard is not null)
        {
            _owners[bit >> 1] = hard;
            hard.Bits[bit >> 1] = index;
        }
        return bit;
    }
}

/// <summary>A product or a quotient.</summary>
/// <param name="operation">The operation.</param>
/// <param name="size">Gives its size when so many of its low bits are asked for.</param>
internal sealed class Hard(Operation operation, Func<int, HardSize> size)
{
    /// <summary>The operation.</summary>
    public Operation Operation => operation;

    /// <summary>Its bits by their nodes.</summary>
    public Dictionary<int, int> Bits { get; } = [];

    /// <summary>The size of the part that is needed for some of its nodes.</summary>
    public HardSize SizeOf(IEnumerable<int> nodes) => size(nodes.Max(node => Bits[node]) + 1);
}

/// <summary>LUTs and DSPs.</summary>
internal readonly record struct HardSize(double Luts, int Dsps);

/// <summary>
/// A number that is multiplied or divided: how many bits it has without those that only extend it,
/// and the constant that it is.
/// </summary>
internal readonly record struct Factor(int Width, bool IsSigned, UInt128? Constant)
{
    public static Factor Of(int[] bits)
    {
        var constant = bits.All(bit => bit < 2)
            ? bits.Select((bit, i) => (UInt128)bit << i).Aggregate(UInt128.Zero, (all, bit) => all | bit)
            : (UInt128?)null;
        var width = bits.Length;
        while (width > 1 && bits[width - 1] == GateNetwork.Zero) width--;
        if (width < bits.Length || constant is not null) return new Factor(width, false, constant);
        while (width > 1 && bits[width - 1] == bits[width - 2]) width--;
        return new Factor(width, width < bits.Length, null);
    }
}
