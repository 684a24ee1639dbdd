using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Looks at the last two bytes of a frame, and forwards by what they are.</summary>
public sealed class LastWord : Service
{
    public override void Process(ref Frame frame)
    {
        var last = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[(frame.Length - 2)..]);
        frame.ForwardTo(new PortId(last == 0x88FB ? 1 : 2));
    }
}

/// <summary>Looks at the end of what stands behind a tag or none.</summary>
public sealed class EndBehindTag : Service
{
    public override void Process(ref Frame frame)
    {
        var message = frame.Bytes[14..];
        if (frame.Bytes[13] == 1 && message.Length >= 4) message = message[4..];
        if (message.Length < 8) return;
        frame.ForwardTo(new PortId(message[^4] is 0x41 or 0x42 ? 1 : message[^1] & 3));
    }
}

/// <summary>
/// Looks at a trailer of 20 bytes, which a frame may be too short for, part by part, on ways that part, and takes it
/// off.
/// </summary>
public sealed class LongTrailer : Service
{
    private readonly uint[] _counts = new uint[16];

    private ulong _last;

    public override void Process(ref Frame frame)
    {
        var end = frame.Length - 20;
        var trailer = frame.Bytes[end..];
        if (frame.Ingress == new PortId(0))
        {
            if (trailer[19] == 0) return;
            _last = BinaryPrimitives.ReadUInt64BigEndian(trailer)
                ^ BinaryPrimitives.ReadUInt64LittleEndian(trailer[8..]);
            _counts[trailer[18] & 15]++;
        }
        else if (trailer[3] == frame.Bytes[13]) _last += trailer[16];
        var to = new PortId(trailer[2] & 3);
        frame.Bytes[0] = (byte)_last;
        frame.Bytes[1] = (byte)(_last >> 40);
        frame.Bytes[2] = (byte)_counts[_last & 15];
        frame.Resize(end);
        frame.ForwardTo(to);
    }
}

/// <summary>Looks at bytes where others say that they are, from the frame's begin and from its end.</summary>
public sealed class PointedAt : Service
{
    public uint Total { get; private set; }

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var at = BinaryPrimitives.ReadUInt16BigEndian(bytes[2..]) & 0x3FF;
        var (one, next) = (bytes[at], at + 1 < bytes.Length ? bytes[at + 1] : (byte)7);
        var other = frame.Ingress == new PortId(3) ? (byte)0 : bytes[bytes.Length - 1 - bytes[4] % 64];
        Total += one * 3u + next;
        frame.ForwardTo(new PortSet((uint)(one ^ other) & 15u));
    }
}

/// <summary>Looks at the frame's end behind bytes that it has written, at other places on each of its ways.</summary>
public sealed class WrittenFront : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 40) return;
        frame.Bytes[20] ^= 0x55;
        var last = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[^4..]);
        if (frame.Ingress.Index < 2) frame.Bytes[22] = frame.Bytes[^9];
        else frame.Bytes[23] = (byte)(frame.Bytes[^6] + frame.Bytes[^12]);
        frame.Bytes[21] = (byte)(last >> 8);
        frame.ForwardTo(new PortId((int)(last & 3)));
    }
}

/// <summary>Puts a trailer behind a frame, of what the last bytes were, and sends two of them.</summary>
public sealed class NewTrailer : Service
{
    private ushort _sequence;

    public override void Process(ref Frame frame)
    {
        if (frame.Length > 1500) return;
        var last = frame.Bytes[frame.Length - 3];
        var end = Math.Max(frame.Length, 60);
        frame.Resize(end + 6);
        var trailer = frame.Bytes[end..];
        BinaryPrimitives.WriteUInt16BigEndian(trailer, _sequence++);
        BinaryPrimitives.WriteUInt16BigEndian(trailer[4..], 0x88FB);
        BinaryPrimitives.WriteUInt16BigEndian(trailer[2..], (ushort)(0xA000 | last));
        frame.Send(PortSet.Of(new PortId(1)));
        BinaryPrimitives.WriteUInt16BigEndian(trailer[2..], (ushort)(0xB000 | last));
        frame.ForwardTo(new PortId(2));
    }
}

/// <summary>Puts a number behind a frame, and behind that a CRC over all of it.</summary>
public sealed class SealedFrame : Service
{
    private uint _sent;

    public override void Process(ref Frame frame)
    {
        var length = frame.Length;
        frame.Resize(length + 8);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[length..], _sent++);
        var crc = Crc32.Compute(frame.Bytes[..(length + 4)]);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[(length + 4)..], crc);
        frame.ForwardTo(new PortId((int)(crc & 3)));
    }
}

/// <summary>
/// Sums the bytes of a frame from its header's end on, and new ones behind it, of which some are written, one twice,
/// and the others 0.
/// </summary>
public sealed class SummedGrowth : Service
{
    public byte Last { get; private set; }

    public override void Process(ref Frame frame)
    {
        var length = frame.Length;
        frame.Resize(length + 9);
        frame.Bytes[length + 2] = frame.Bytes[3];
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[(length + 1)..], (ushort)(Last * 257));
        frame.Bytes[length + 6] = frame.Bytes[5];
        byte sum = 0;
        foreach (var octet in frame.Bytes[14..(length + 7)]) sum += (byte)(octet ^ 0x21);
        frame.Bytes[length + 8] = sum;
        Last = sum;
        frame.ForwardTo(new PortId(sum & 3));
    }
}
