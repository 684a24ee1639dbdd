using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports.Size;

/// <summary>The bits of values as gates, as synthesis takes the printed operations apart.</summary>
internal sealed class OperationBits
{
    /// <summary>
    /// The inputs of a LUT, and the bits of two numbers that two LUTs compare: which is less,
    /// and whether they are equal.
    /// </summary>
    private const int LutInputs = 6, ComparedBits = 3;

    /// <summary>Operands of more bits together are compared by a carry chain.</summary>
    private const int MostComparedByGates = 8;

    private readonly GateNetwork _network;
    private readonly SumTrees _sums;
    private readonly PostAdders _postAdders;
    private readonly HardBits _hard;
    private readonly FlopBits _flops;
    private readonly Dictionary<Value, int[]> _bits = new(ReferenceEqualityComparer.Instance);

    /// <summary>Takes values apart.</summary>
    /// <param name="network">The network in which the gates are made.</param>
    /// <param name="values">The values, each after those that it is computed from.</param>
    /// <param name="flops">The known facts about bits of flops.</param>
    public OperationBits(GateNetwork network, IReadOnlyList<Value> values, FlopBits flops)
    {
        (_network, _sums, _postAdders) = (network, new SumTrees(values), new PostAdders(values));
        (_hard, _flops) = (new HardBits(network), flops);
        foreach (var value in values) _bits[value] = BitsOf(value);
    }

    /// <summary>The gates.</summary>
    public GateNetwork Network => _network;

    /// <summary>The literals that carry chains and multipliers need before they give a bit.</summary>
    public HardBits Hard => _hard;

    /// <summary>The bits of a value, the lowest first.</summary>
    public int[] Of(Value value)
    {
        if (_bits.TryGetValue(value, out var bits)) return bits;
        bits = value is Constant constant
            ? [.. Enumerable.Range(0, value.Width).Select(i => (int)(constant.Bits >> i & 1))]
            : Leaves(value.Width);
        _bits[value] = bits;
        if (value is not Flop flop) return bits;
        for (var i = 0; i < bits.Length; i++)
            if (_flops.SameAs(flop, i) is { } same) bits[i] = same.Flop is { } other ? Of(other)[same.Bit] : same.Bit;
        return bits;
    }

    /// <summary>
    /// True if the bit is a leaf of its own: a bit of a flop may always be a constant, or the same as another.
    /// </summary>
    public bool IsOwn(Value value, int bit) => value is not Flop flop || _flops.SameAs(flop, bit) is null;

    private int[] Leaves(int count) => [.. Enumerable.Range(0, count).Select(_ => _network.Leaf())];

    private int[] BitsOf(Value value)
    {
        if (value is Wire wire) return Of(wire.Source);
        _network.Owner = value;
        return value switch
        {
            RamRead { IsRegistered: false, Ram: { Write: null } rom } read => Word(rom, Of(read.Address)),
            Operation { Operands.Count: > 0 } operation when !operation.IsEffect && !operation.ReadsState =>
                Done(operation, [.. operation.Operands.Select(Of)]),
            _ => Of(value),
        };
    }

    private int[] Done(Operation o, int[][] v) => o.Opcode switch
    {
        Opcode.And => Each(v, _network.And),
        Opcode.Or => Each(v, _network.Or),
        Opcode.Xor => Each(v, _network.Xor),
        Opcode.Select => [.. v[1].Zip(v[2], (then, otherwise) => _network.Select(v[0][0], then, otherwise))],
        Opcode.ZeroExtend => [.. v[0], .. Enumerable.Repeat(GateNetwork.Zero, o.Width - v[0].Length)],
        Opcode.SignExtend => [.. v[0], .. Enumerable.Repeat(v[0][^1], o.Width - v[0].Length)],
        Opcode.Truncate => v[0][..o.Width],
        Opcode.Extract => v[0][o.Low..(o.Low + o.Width)],
        Opcode.Concat => [.. v[1], .. v[0]],
        Opcode.Equal => [Equal(v[0], v[1], o)],
        Opcode.LessUnsigned => [Less(v[0], v[1])],
        Opcode.LessSigned =>
            [Less([.. v[0][..^1], GateNetwork.Not(v[0][^1])], [.. v[1][..^1], GateNetwork.Not(v[1][^1])])],
        Opcode.ShiftLeft => [.. Shifted([.. v[0].Reverse()], v[1], GateNetwork.Zero).Reverse()],
        Opcode.ShiftRight => Shifted(v[0], v[1], GateNetwork.Zero),
        Opcode.ShiftRightSigned => Shifted(v[0], v[1], v[0][^1]),
        Opcode.Add when _postAdders.Take(o) => _hard.PostSum(v[0], v[1]),
        Opcode.Add or Opcode.Subtract => _sums.IsPartOfAnother(o) ? Leaves(o.Width) : Sum(o),
        Opcode.PopCount => Fit(Counted(v[0]), o.Width),
        Opcode.LeadingZeros => Fit(Zeros([.. v[0].Reverse()]), o.Width),
        Opcode.TrailingZeros => Fit(Zeros(v[0]), o.Width),
        Opcode.Multiply => _hard.Product(v[0], v[1], o),
        Opcode.DivideUnsigned or Opcode.DivideSigned or Opcode.RemainderUnsigned or Opcode.RemainderSigned =>
            _hard.Quotient(v[0], v[1], o),
        _ => throw new InvalidOperationException($"{o.Opcode} has no gates"),
    };

    private static int[] Each(int[][] v, Func<int, int, int> gate) => [.. v[0].Zip(v[1], gate)];

    private static int[] Fit(int[] bits, int width) =>
        [.. bits.Take(width), .. Enumerable.Repeat(GateNetwork.Zero, Math.Max(0, width - bits.Length))];

    /// <summary>Compares by a carry chain where <see cref="OperationForms"/> says so.</summary>
    private int Equal(int[] a, int[] b, Operation o)
    {
        int[] same = [.. a.Zip(b, (x, y) => GateNetwork.Not(_network.Xor(x, y)))];
        var isChain = OperationForms.Of(o.Opcode, o.Operands) == OperationForm.CarryChain;
        return isChain ? _hard.Carry([.. same.Chunk(ComparedBits).Select(_network.All)]) : _network.All(same);
    }

    /// <summary>
    /// Two LUTs for as many bits as one takes in: whether they are less, whether they are equal;
    /// a carry chain joins them.
    /// </summary>
    private int Less(int[] a, int[] b)
    {
        var pairs = a.Zip(b).Where(pair => !(IsConstant(pair.First) && pair.First == pair.Second)).ToList();
        var inputs = pairs.Sum(pair => (IsConstant(pair.First) ? 0 : 1) + (IsConstant(pair.Second) ? 0 : 1));
        if (inputs <= MostComparedByGates) return LessByGates(pairs);
        var each = pairs.Any(pair => !IsConstant(pair.First) && !IsConstant(pair.Second)) ? ComparedBits : LutInputs;
        return _hard.Carry([.. pairs.Chunk(each).SelectMany(part => new[] { LessByGates(part), SameByGates(part) })]);
    }

    private int LessByGates(IReadOnlyList<(int A, int B)> pairs)
    {
        var less = GateNetwork.Zero;
        foreach (var (a, b) in pairs) less = _network.Select(_network.Xor(a, b), b, less);
        return less;
    }

    private int SameByGates(IReadOnlyList<(int A, int B)> pairs) =>
        _network.All([.. pairs.Select(pair => GateNetwork.Not(_network.Xor(pair.A, pair.B)))]);

    private static bool IsConstant(int bit) => bit < 2;

    /// <summary>
    /// Shifts to the right by a row of multiplexers for each bit of the count;
    /// where the count is too large, all is filling.
    /// </summary>
    private int[] Shifted(int[] bits, int[] count, int fill)
    {
        for (var bit = 0; bit < count.Length; bit++)
        {
            var distance = bit < 30 ? 1 << bit : int.MaxValue;
            int From(int i) => distance < bits.Length - i ? bits[i + distance] : fill;
            bits = [.. bits.Select((own, i) => _network.Select(count[bit], From(i), own))];
        }
        return bits;
    }

    /// <summary>A word that is the same whenever it is read is a function of its address.</summary>
    private int[] Word(Ram rom, int[] address)
    {
        int Bit(int bit, int low, int addressBits)
        {
            if (addressBits == 0)
                return low < (rom.Initial?.Count ?? 0) && (rom.Initial![low] >> bit & 1) != 0
                    ? GateNetwork.One
                    : GateNetwork.Zero;
            var half = 1 << (addressBits - 1);
            return _network.Select(
                address[addressBits - 1], Bit(bit, low + half, addressBits - 1), Bit(bit, low, addressBits - 1));
        }
        return [.. Enumerable.Range(0, rom.Width).Select(bit => Bit(bit, 0, rom.AddressWidth))];
    }

    /// <summary>
    /// Adds up terms. A subtracted term is inverted, and 1 is added for it:
    /// for one of them as the carry into the lowest bit.
    /// </summary>
    private int[] Sum(Operation o)
    {
        var terms = _sums.TermsOf(o).Select(term => (Bits: Fit(Of(term.Value), o.Width), term.IsSubtracted)).ToList();
        List<int[]> words =
        [
            .. terms.Select(term => term.IsSubtracted ? [.. term.Bits.Select(GateNetwork.Not)] : term.Bits),
        ];
        var subtracted = terms.Count(term => term.IsSubtracted);
        if (subtracted > 1)
            words.Add(
                [.. Enumerable.Range(0, o.Width).Select(i => i < 31 ? (subtracted - 1) >> i & 1 : GateNetwork.Zero)]);
        return Added([.. words], o.Width, hasCarry: subtracted > 0);
    }

    /// <summary>Three words become two by full adders, until a carry chain adds the last two.</summary>
    private int[] Added(int[][] words, int width, bool hasCarry = false)
    {
        words = [.. words.Select(word => Fit(word, width))];
        while (words.Length > 2)
        {
            var next = new List<int[]>();
            foreach (var three in words.Chunk(3))
            {
                if (three.Length < 3)
                {
                    next.AddRange(three);
                    continue;
                }
                var halves = three[0].Zip(three[1], _network.Xor).ToArray();
                next.Add([.. halves.Zip(three[2], _network.Xor)]);
                int[] carries = [.. halves.Select((half, i) => _network.Select(half, three[2][i], three[0][i]))];
                next.Add([GateNetwork.Zero, .. carries[..^1]]);
            }
            words = [.. next];
        }
        return words.Length == 1 ? words[0] : _hard.Sum(words[0], words[1], hasCarry);
    }

    /// <summary>The number of bits that are 1: three LUTs count six of them, and the counts are added up.</summary>
    private int[] Counted(int[] bits)
    {
        var width = Interval.Of((UInt128)bits.Length).Width;
        return Added([.. bits.Chunk(LutInputs).Select(Six)], width);
    }

    private int[] Six(int[] bits)
    {
        int[] count = [GateNetwork.Zero, GateNetwork.Zero, GateNetwork.Zero];
        foreach (var bit in bits)
        {
            var carry = bit;
            for (var i = 0; i < count.Length; i++)
                (count[i], carry) = (_network.Xor(count[i], carry), _network.And(count[i], carry));
        }
        return count;
    }

    /// <summary>
    /// Zeros below the lowest one, as they are printed: of two halves the second counts if the first has no one.
    /// </summary>
    private int[] Zeros(int[] bits)
    {
        var size = (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)bits.Length);
        List<int[]> counts = [.. bits.Concat(Enumerable.Repeat(GateNetwork.One, size - bits.Length))
            .Select(bit => new[] { GateNetwork.Not(bit) })];
        while (counts.Count > 1)
        {
            var level = counts;
            int[] Joined(int[] first, int[] second) =>
            [
                .. first[..^1].Zip(second[..^1], (a, b) => _network.Select(first[^1], b, a)),
                _network.And(first[^1], GateNetwork.Not(second[^1])),
                _network.And(first[^1], second[^1]),
            ];
            counts = [.. Enumerable.Range(0, level.Count / 2).Select(i => Joined(level[2 * i], level[2 * i + 1]))];
        }
        return counts[0];
    }
}
