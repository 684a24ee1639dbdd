using System.Runtime.CompilerServices;

namespace Suite;

/// <summary>
/// Memory on the stack: empty, with constants, with numbers, of several types, with indices that are computed.
/// </summary>
public sealed class Stackalloc : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        Span<byte> tag = stackalloc byte[4];
        tag[0] = (byte)frame.Length;
        tag[bytes[14] & 7] = bytes[15];
        bytes[16..18].CopyTo(tag[2..]);
        Span<byte> constants = stackalloc byte[] { 1, 2, 3, 4, 5 };
        constants[bytes[17] % 5]++;
        Span<ushort> numbers = stackalloc ushort[3] { bytes[18], (ushort)frame.Length, 7 };
        ReadOnlySpan<uint> words = stackalloc uint[] { 0xDEADBEEF, 2, 3, 0x80000000 };
        var sum = 0UL;
        foreach (var number in numbers) sum = sum * 3 + number;
        for (var i = 0; i < constants.Length; i++) sum = sum * 5 + constants[i];
        sum += words[bytes[19] & 3];
        tag.CopyTo(bytes[20..]);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[24..], sum);
        bytes[32] = (byte)tag.IndexOf(bytes[33]);
        bytes[34] = Checksum(tag);
        frame.Reply();
    }

    private static byte Checksum(ReadOnlySpan<byte> bytes)
    {
        var sum = 0;
        foreach (var octet in bytes) sum += octet;
        return (byte)sum;
    }
}

/// <summary>A header is built on the stack and then copied; a slice of it of a length that is computed.</summary>
public sealed class Scratch : Service
{
    private struct Pair
    {
        public byte Low;
        public ushort High;
    }

    public override void Process(ref Frame frame)
    {
        Span<byte> header = stackalloc byte[16];
        BinaryPrimitives.WriteUInt32BigEndian(header[2..], (uint)frame.Time);
        BinaryPrimitives.WriteUInt16LittleEndian(header[8..], (ushort)frame.Length);
        Span<Pair> pairs = stackalloc Pair[3];
        pairs[frame.Bytes[0] & 3].High = 9;
        pairs[1].Low = frame.Bytes[1];
        header[12] = (byte)pairs[1].High;
        header[13] = pairs[frame.Bytes[2] & 1].Low;
        header[14] = BinaryPrimitives.ReadUInt32BigEndian(header[2..]) > 7 ? (byte)1 : (byte)0;
        header[..(frame.Bytes[3] & 15)].CopyTo(frame.Bytes[4..]);
        frame.Flood();
    }
}

/// <summary>Inline arrays: of a frame, in the state, in arrays of the state.</summary>
public sealed class Inline : Service
{
    [InlineArray(4)]
    private struct Four
    {
        private byte _first;
    }

    private struct Entry
    {
        public Four Counts;
        public ushort Last;
    }

    private Four _counts;
    private readonly Entry[] _entries = new Entry[8];

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        Four local = default;
        local[1] = bytes[14];
        local[bytes[15] & 3] += 2;
        _counts[bytes[16] & 3]++;
        ref var entry = ref _entries[bytes[17] & 7];
        entry.Counts[bytes[18] & 3] += local[1];
        entry.Last = bytes[18];
        bytes[20] = _counts[2];
        bytes[21] = entry.Counts[bytes[19] & 3];
        ReadOnlySpan<byte> all = local;
        all.CopyTo(bytes[22..]);
        foreach (var count in _counts) bytes[26] += count;
        var copy = _counts;
        copy[0] = 1;
        bytes[27] = (byte)(copy[0] + _counts[0]);
        frame.Reply();
    }
}

/// <summary>Collection expressions, <c>params</c>, and constants as bytes.</summary>
public sealed class Collections : Service
{
    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var n = (int)bytes[14];
        Span<int> numbers = [n, 1, 2];
        numbers[bytes[15] % 3] += 5;
        ReadOnlySpan<byte> one = [bytes[16]];
        bytes[20] = (byte)Sum(n, 1, 2);
        bytes[21] = (byte)Sum();
        bytes[22] = (byte)Sum(numbers[0], numbers[1], numbers[2], one[0]);
        if (bytes[30..].StartsWith("get "u8)) bytes[23] = 1;
        bytes[24] = bytes[30..34] switch
        {
            [(byte)'a', .., var last] => last,
            [_, > 7, ..] => 2,
            _ => 3,
        };
        bytes[25] = (byte)bytes[30..].IndexOf("\r\n"u8);
        bytes[26] = Ascii.EqualsIgnoreCase(bytes[30..33], "HeL"u8) ? (byte)1 : (byte)0;
        bytes[36..44].Reverse();
        bytes[27] = (byte)bytes[14..40].Count((byte)0);
        frame.Reply();
    }

    private static int Sum(params ReadOnlySpan<int> numbers)
    {
        var sum = 0;
        foreach (var number in numbers) sum += number;
        return sum;
    }
}
