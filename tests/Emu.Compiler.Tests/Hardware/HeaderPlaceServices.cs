using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Reads 1, 2, 4 and 16 bytes of an entry of 16 bytes, whose number the header says, if it is there.</summary>
public sealed class IndexedEntry : Service
{
    public Counter Missing { get; } = new();

    public override void Process(ref Frame frame)
    {
        var at = 15 + 16 * (frame.Bytes[14] & 63);
        frame.Flood();
        if (at + 16 > frame.Length)
        {
            Missing.Increment();
            return;
        }
        var (one, two) = (frame.Bytes[at + 7], BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[(at + 3)..]));
        var four = BinaryPrimitives.ReadUInt32LittleEndian(frame.Bytes[(at + 12)..]);
        var all = BinaryPrimitives.ReadUInt128BigEndian(frame.Bytes[at..]);
        frame.Bytes[0] = one;
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[1..], two);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[3..], four);
        frame.Bytes[7] = (byte)(all >> 77);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[8..], (uint)(all >> 96) ^ (uint)all);
    }
}

/// <summary>
/// Reads behind a field of whose length a byte tells, whether all of it is there or not: a frame that is too short has
/// a fault, and what was counted before that stays.
/// </summary>
public sealed class LengthField : Service
{
    private uint _events, _total;

    public override void Process(ref Frame frame)
    {
        frame.Bytes[0] = 0xA5;
        var rest = frame.Bytes[(15 + frame.Bytes[14])..];
        _events++;
        var kind = BinaryPrimitives.ReadUInt16BigEndian(rest);
        _total += kind;
        if ((kind & 1) != 0) _total ^= BinaryPrimitives.ReadUInt32BigEndian(rest[2..]);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[2..], _total);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[6..], _events);
        frame.ForwardTo(new PortId(kind & 3));
    }
}

/// <summary>Reads other bytes of an entry on each of four ways, some of them on two, and one behind them all.</summary>
public sealed class EntryByKind : Service
{
    private readonly uint[] _seen = new uint[16];

    public override void Process(ref Frame frame)
    {
        var entry = frame.Bytes[(16 + 8 * frame.Bytes[15])..];
        if (entry.Length < 16) return;
        uint value;
        switch (frame.Bytes[14] & 3)
        {
            case 0:
                value = entry[0];
                break;
            case 1:
                value = BinaryPrimitives.ReadUInt32BigEndian(entry[4..]) ^ entry[0];
                break;
            case 2:
                value = BinaryPrimitives.ReadUInt16LittleEndian(entry[9..]);
                if (frame.Ingress.Index == 1) value += BinaryPrimitives.ReadUInt16BigEndian(entry[2..]);
                break;
            default:
                frame.Flood();
                return;
        }
        var end = entry[15];
        _seen[end & 15] += value;
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[4..], _seen[end & 15]);
        frame.Bytes[0] = end;
        frame.ForwardTo(new PortId((int)value & 3));
    }
}

/// <summary>Reads at two places that two bytes say, which may be one, behind writes of bytes in front of all.</summary>
public sealed class TwoEntries : Service
{
    public override void Process(ref Frame frame)
    {
        var (one, other) = (frame.Bytes[14], frame.Bytes[15]);
        frame.Bytes[14] = other;
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], 0xABCD);
        if (frame.Length < 16 + 256 + 4)
        {
            if (16 + one + 4 > frame.Length || 16 + other + 4 > frame.Length) return;
            frame.Bytes[3] = 0x44;
        }
        var sum = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[(16 + one)..])
            + BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[(16 + other)..]);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[4..], sum);
        frame.ForwardTo(new PortId((int)sum & 3));
    }
}

/// <summary>
/// Reads an entry that may be one of the bytes that were written before, and then others behind a write.
/// </summary>
public sealed class WrittenEntry : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == new PortId(0))
        {
            frame.Flood();
            return;
        }
        var at = 14 + frame.Bytes[14];
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[30..], 0x01020304);
        var entry = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[at..]);
        frame.Bytes[at] = (byte)(entry + 1);
        frame.Bytes[0] = frame.Bytes[at + 1];
        frame.ForwardTo(new PortId(entry & 3));
    }
}
