namespace Suite;

/// <summary>Spans over the frame, over arrays and over data of the program.</summary>
public sealed class Spans : Service
{
    private readonly byte[] _buffer = new byte[24];
    private readonly int[] _numbers = new int[6];
    private readonly Cell[] _cells = new Cell[4];

    private static ReadOnlySpan<byte> Text => "emu, 2026"u8;

    private static ReadOnlySpan<byte> Octets => [9, 8, 7, 255];

    private static ReadOnlySpan<int> Numbers => [1, -20, 300, -4000];

    public override void Process(ref Frame frame)
    {
        frame.Reply();
        var bytes = frame.Bytes;
        var n = bytes[29] & 7;
        var head = bytes[..14];
        var rest = bytes[14..];
        var window = rest.Slice(n, 8);
        window[0] ^= head[n];
        window[^1] += Text[n];
        rest[2..6].Fill(Octets[n & 3]);
        rest[(n + 8)..][..2].Clear();
        window.CopyTo(_buffer);
        _buffer.AsSpan(8, 4).Fill((byte)n);
        _buffer.AsSpan(12)[1..4].CopyTo(_buffer.AsSpan(1));
        Span<int> numbers = _numbers;
        numbers[n % 6] = Numbers[n & 3] + numbers[^1];
        numbers[1..3].Fill(n);
        numbers = numbers[3..];
        if (numbers.Length == 3 && !numbers.IsEmpty) numbers[0]--;
        var cells = _cells.AsSpan();
        foreach (ref var cell in cells[(n & 1)..]) cell.A += cell.B++;
        cells[..2].Clear();
        if (window.SequenceEqual(_buffer.AsSpan(0, 8))) bytes[20] = 1;
        if (window.StartsWith((ReadOnlySpan<byte>)_buffer.AsSpan(0, n))) bytes[21] = 2;
        if (rest.EndsWith(Octets)) bytes[25] = 2;
        bytes[22] = (byte)rest.IndexOf((byte)0);
        bytes[23] = (byte)Text.IndexOf((byte)'u');
        bytes[24] = (byte)(Sum(window) + Sum(Text));
        bytes[26] = (byte)rest.LastIndexOf((byte)255);
        if (rest.Contains((byte)3)) bytes[27] ^= 0x80;
        if (rest.IndexOfAny((byte)1, (byte)9) is var at and > 3) bytes[28] = (byte)at;
        Text.CopyTo(rest[20..]);
        bytes[16..24].CopyTo(bytes[19..]);
        bytes[33..40].CopyTo(bytes[30..]);
    }

    private static int Sum(ReadOnlySpan<byte> bytes)
    {
        var sum = 0;
        foreach (var octet in bytes) sum += octet;
        return sum;
    }

    private struct Cell
    {
        public int A;
        public short B;
    }
}

/// <summary>Spans over one of several arrays, by what a frame says.</summary>
public sealed class ChosenSpans : Service
{
    private readonly byte[] _one = new byte[16];
    private readonly byte[] _other = new byte[8];

    public override void Process(ref Frame frame)
    {
        frame.Reply();
        var bytes = frame.Bytes;
        var n = bytes[29] & 7;
        var word = (bytes[14] & 3) switch { 0 => "join"u8, 1 => "leave"u8, 2 => "move"u8, _ => default };
        word.CopyTo(bytes[20..]);
        bytes[15] = (byte)word.Length;
        if (bytes[40..].StartsWith(word)) bytes[16]++;
        if (!word.IsEmpty) bytes[17] = word[n & 3];
        var buffer = n < 4 ? _one.AsSpan(n) : _other;
        buffer[bytes[18] & 7] += 3;
        bytes[19] = buffer[^1];
    }
}

/// <summary>Slices whose bounds come from the frame.</summary>
public sealed class SpanFaults : Service
{
    private readonly byte[] _buffer = new byte[16];
    private int _reached;

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var bytes = frame.Bytes;
        var (start, length) = ((int)(sbyte)bytes[29], (int)(sbyte)bytes[45]);
        var part = bytes.Slice(start, length);
        _reached++;
        if (part.IsEmpty) return;
        part[^1]++;
        _reached++;
        part.CopyTo(_buffer);
        _reached++;
        if (part.TryCopyTo(_buffer.AsSpan(8))) _reached += 100;
        bytes[part[0]..(part[0] + 4)].Fill(7);
        _reached++;
        frame.Resize(length * 16);
    }
}

/// <summary>Numbers in spans, in both orders, in the frame and in arrays.</summary>
public sealed class Numbers : Service
{
    private readonly byte[] _buffer = new byte[40];

    public override void Process(ref Frame frame)
    {
        frame.Reply();
        var bytes = frame.Bytes;
        var n = bytes[29] & 7;
        var at = bytes[(14 + n)..];
        var a = BinaryPrimitives.ReadUInt16BigEndian(at) + BinaryPrimitives.ReadInt16LittleEndian(at[2..]);
        var b = BinaryPrimitives.ReadUInt32LittleEndian(at) ^ (uint)BinaryPrimitives.ReadInt32BigEndian(at[4..]);
        var c = BinaryPrimitives.ReadUInt64LittleEndian(at) + (ulong)BinaryPrimitives.ReadInt64BigEndian(at[1..]);
        var d = BinaryPrimitives.ReadUInt128BigEndian(at) ^ BinaryPrimitives.ReadUInt128LittleEndian(at[3..]);
        BinaryPrimitives.WriteUInt64LittleEndian(_buffer.AsSpan(n), c);
        BinaryPrimitives.WriteInt16BigEndian(_buffer.AsSpan(20), (short)a);
        var e = BinaryPrimitives.ReadUInt32BigEndian(_buffer.AsSpan(n + 2))
            + BinaryPrimitives.ReadUInt64LittleEndian(_buffer);
        var f = MemoryMarshal.Read<uint>(at) + MemoryMarshal.Read<ushort>(_buffer.AsSpan(3));
        MemoryMarshal.Write(_buffer.AsSpan(30), b);
        BinaryPrimitives.WriteUInt128BigEndian(bytes[14..], d);
        BinaryPrimitives.WriteUInt128LittleEndian(bytes[30..], d + f);
        BinaryPrimitives.WriteUInt64BigEndian(bytes[46..], e);
        if (BinaryPrimitives.TryReadUInt32BigEndian(bytes[(bytes.Length - n)..], out var last)) bytes[0] = (byte)last;
        if (!BinaryPrimitives.TryWriteUInt16BigEndian(bytes[(bytes.Length - 1 - (n & 1))..], 0xABCD)) bytes[1]++;
        BinaryPrimitives.WriteUInt16LittleEndian(at[(bytes[45] & 127)..], (ushort)a);
    }
}
