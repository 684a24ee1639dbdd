using Emu.Compiler.IR;

namespace Emu.Compiler.Rewriting;

internal abstract partial class FoldingBuilder
{
    /// <summary>
    /// The most parts of a value whose bits are taken apart through an operation: a word's bytes.
    /// Each part becomes an operation of its own.
    /// </summary>
    private const int MaxParts = 16;

    /// <summary>
    /// Masks, shifts and an OR that only move bits, as a permutation does: the bits put together, which costs no gate;
    /// null if two bits meet. Bits that are inverted on the way are inverted together afterwards.
    /// </summary>
    private Value? WiringOf(Value a, Value b)
    {
        if (!IsWiring(a) || !IsWiring(b)) return null;
        var (bits, others) = (new WiredBit[a.Width], new WiredBit[a.Width]);
        Trace(a, 0, bits);
        Trace(b, 0, others);
        for (var i = 0; i < bits.Length; i++)
        {
            if (bits[i].IsZero) bits[i] = others[i];
            else if (!others[i].IsZero) return null;
        }
        return Joined(bits);
    }

    /// <summary>The bits of a value that are not known to be 0, side by side; null if some are inverted.</summary>
    protected Value? WithoutZeros(Value value)
    {
        var bits = new WiredBit[value.Width];
        Trace(value, 0, bits);
        List<WiredBit> live = [.. bits.Where(bit => !bit.IsZero)];
        if (live.Count is 0 || live.Exists(bit => bit.IsInverted)) return null;
        return live.Count == bits.Length
            ? value
            : live.Select(bit => Extract(bit.Source!, bit.Bit, 1)).Aggregate((low, high) => Concat(high, low));
    }

    private static bool IsWiring(Value value) => value is Operation operation && operation.Opcode switch
    {
        Opcode.Concat => true,
        Opcode.Extract => IsWiring(operation.Operands[0]),
        Opcode.And or Opcode.Xor => operation.Operands[1] is Constant,
        _ => false,
    };

    /// <summary>Finds the sources of a value's bits, the lowest first.</summary>
    private static void Trace(Value value, int low, Span<WiredBit> bits)
    {
        switch (value)
        {
            case Operation { Opcode: Opcode.Extract } part:
                Trace(part.Operands[0], part.Low + low, bits);
                break;
            case Operation { Opcode: Opcode.Concat, Operands: [var upper, var lower] }:
                var below = Math.Clamp(lower.Width - low, 0, bits.Length);
                if (below > 0) Trace(lower, low, bits[..below]);
                if (below < bits.Length) Trace(upper, Math.Max(0, low - lower.Width), bits[below..]);
                break;
            case Operation { Opcode: Opcode.And, Operands: [var masked, Constant mask] }:
                Trace(masked, low, bits);
                for (var i = 0; i < bits.Length; i++)
                {
                    if (!IsSet(mask, low + i)) bits[i] = default;
                }
                break;
            case Operation { Opcode: Opcode.Xor, Operands: [var inverted, Constant mask] }:
                Trace(inverted, low, bits);
                for (var i = 0; i < bits.Length; i++) bits[i].IsInverted ^= IsSet(mask, low + i);
                break;
            default:
                for (var i = 0; i < bits.Length; i++)
                    bits[i] = value is Constant constant
                        ? new WiredBit(null, 0, IsSet(constant, low + i))
                        : new WiredBit(value, low + i, false);
                break;
        }
    }

    private static bool IsSet(Constant constant, int bit) => (constant.Bits >> bit & 1) != 0;

    private Value? Joined(WiredBit[] bits)
    {
        var inverted = UInt128.Zero;
        var parts = new List<Value>();
        var areFields = true;
        for (var end = bits.Length; end > 0;)
        {
            var start = end - 1;
            while (start > 0 && bits[start].Follows(bits[start - 1])) start--;
            var part = bits[start].Source is { } source
                ? Extract(source, bits[start].Bit, end - start)
                : Zero(end - start);
            areFields &= part == bits[start].Source || part is Constant or Operation { Opcode: Opcode.Extract };
            parts.Add(part);
            end = start;
        }
        if (parts.Count > MaxParts && !areFields) return null;
        for (var i = 0; i < bits.Length; i++)
        {
            if (bits[i].IsInverted) inverted |= UInt128.One << i;
        }
        return Make(Opcode.Xor, bits.Length, parts.Aggregate(Concat), new Constant(bits.Length, inverted));
    }

    /// <summary>The parts of a concatenation, the highest first.</summary>
    public static List<Value> PartsOf(Value value)
    {
        var parts = new List<Value>();
        for (; value is Operation { Opcode: Opcode.Concat } concat; value = concat.Operands[0])
            parts.Add(concat.Operands[1]);
        parts.Add(value);
        parts.Reverse();
        return parts;
    }

    /// <summary>True if a value's bits come from so many places that it is used whole.</summary>
    public static bool IsScattered(Value value)
    {
        var parts = 1;
        for (; parts <= MaxParts && value is Operation { Opcode: Opcode.Concat } concat; parts++)
            value = concat.Operands[0];
        return parts > MaxParts;
    }

    /// <summary>A bit of a value, perhaps inverted; without a source, 0.</summary>
    private record struct WiredBit(Value? Source, int Bit, bool IsInverted)
    {
        public readonly bool IsZero => Source is null && !IsInverted;

        /// <summary>True if this lies above a bit in one value.</summary>
        public readonly bool Follows(WiredBit below) =>
            Source == below.Source && (Source is null || Bit == below.Bit + 1);
    }
}
