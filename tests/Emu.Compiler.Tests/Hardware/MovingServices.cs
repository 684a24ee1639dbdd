using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Writes bytes of a header, some of them now and then, and puts a tag in front of them afterwards.</summary>
public sealed class Hop : Service
{
    private byte _last;

    public override void Process(ref Frame frame)
    {
        var length = frame.Length;
        if (length < 40)
        {
            frame.Flood();
            return;
        }
        frame.Bytes[22]--;
        if ((frame.Bytes[5] & 1) != 0) BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[24..], 0xABCD);
        frame.Bytes[13] = _last;
        if ((frame.Bytes[5] & 6) != 0)
        {
            frame.Insert(12, 4);
            frame.Bytes[13] = 0x81;
        }
        // What is read here has moved, and was written before, or neither.
        _last = (byte)(frame.Bytes[26] ^ frame.Bytes[28] ^ frame.Bytes[17]);
        if ((frame.Bytes[5] & 8) != 0) frame.Bytes[24] = 7;
        frame.Flood();
    }
}

/// <summary>Takes one tag or two away, or puts one in, and writes before, between and behind.</summary>
public sealed class StackedTags : Service
{
    private ushort _seen;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        frame.Bytes[0] = kind;
        if ((kind & 3) == 1) Pop(ref frame, 4);
        else if ((kind & 3) == 2)
        {
            Pop(ref frame, 8);
            frame.Bytes[14] ^= 0x55;
        }
        else if ((kind & 3) == 3)
        {
            frame.Bytes[12] = 1;
            frame.Insert(14, 3);
            if ((kind & 4) != 0) Pop(ref frame, 5);
        }
        _seen += BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[12..]);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], _seen);
        frame.Flood();
    }

    private static void Pop(ref Frame frame, int count)
    {
        if (frame.Length < 40) return;
        frame.Bytes[20] = (byte)count;
        frame.Remove(12, count);
        frame.Bytes[13]++;
    }
}

/// <summary>Puts 50 bytes in front of frames, and takes them away from those of another port.</summary>
public sealed class Encapsulation : Service
{
    private const int Header = 50;

    private uint _number;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        if (frame.Ingress == new PortId(1))
        {
            if (frame.Length < Header + 14) return;
            frame.Bytes[Header + 3] = frame.Bytes[9];
            frame.Remove(0, Header);
            frame.Bytes[4] ^= 1;
        }
        else if (frame.Length <= 1460)
        {
            frame.Bytes[7] = 0x77;
            frame.Insert(0, Header);
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[14..], _number++);
            if ((kind & 1) != 0) frame.Bytes[Header + 1] = 0xEE;
            frame.Bytes[Header - 1] = frame.Bytes[Header + 13];
        }
        frame.Flood();
    }
}

/// <summary>Moves bytes within the frame, now and then, but not all: no pipeline does that.</summary>
public sealed class Sections : Service
{
    public override void Process(ref Frame frame)
    {
        if ((frame.Bytes[5] & 1) != 0) frame.Bytes[20..^3].CopyTo(frame.Bytes[14..]);
        frame.Flood();
    }
}

/// <summary>
/// Takes the padding from frames by the length that they state, and then puts a header in; or cuts them without.
/// </summary>
public sealed class TrimmedTunnel : Service
{
    private byte _seen;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        if (frame.Length > 1400 || frame.Length < 20) return;
        var stated = frame.Bytes[13] & 0x7F;
        if (stated > frame.Length - 14) stated = frame.Length - 14;
        frame.Resize(14 + stated);
        if ((kind & 1) != 0)
        {
            frame.Insert(14, (kind & 2) != 0 ? 20 : 40);
            frame.Bytes[14] = 0x45;
            frame.Bytes[20] = _seen;
            _seen += frame.Bytes[10];
        }
        frame.Flood();
    }
}

/// <summary>Cuts frames twice, and then puts a tag in; some become longer than they came, by bytes of 0.</summary>
public sealed class TwiceTrimmed : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 24) return;
        frame.Resize(frame.Length - 4);
        frame.Resize(frame.Length - 2);
        if ((frame.Bytes[5] & 1) != 0)
        {
            frame.Bytes[16] = 0x77;
            frame.Insert(12, 9);
            frame.Bytes[2] = (byte)(frame.Bytes[25] ^ frame.Bytes[8]);
        }
        frame.Flood();
    }
}

/// <summary>Sums up UDP datagrams of which an odd number of bytes was written, from the last word on.</summary>
public sealed class OddSum : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 70) return;
        var length = 30 + (frame.Bytes[5] & 7);
        frame.Bytes[14 + 40] = (byte)length;
        var sum = InternetChecksum.Compute(frame.Bytes.Slice(14, length));
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], sum);
        frame.Bytes[40] = 1;
        frame.Flood();
    }
}

/// <summary>
/// Takes a header of one of three lengths out of frames, as one of their bytes says, and puts a tag into some.
/// </summary>
public sealed class ChosenHeaders : Service
{
    private ushort _seen;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        if (frame.Length < 60) return;
        var count = (kind & 3) switch { 0 => 8, 1 => 12, _ => 40 };
        frame.Bytes[13] = kind;
        frame.Remove(14, count);
        _seen += BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[14..]);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[16..], _seen);
        if ((kind & 4) != 0) frame.Insert(12, 4);
        frame.Flood();
    }
}

/// <summary>
/// Answers with a header and the first bytes of the packet, as an ICMP error does, some of them with a checksum over
/// what they quote.
/// </summary>
public sealed class Quoter : Service
{
    private const int Header = 28;

    private byte _sent;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        if (frame.Length < 34 || (kind & 3) == 0) return;
        var quoted = Math.Min(frame.Length - 14 - (kind >> 5), 40 + (kind & 63));
        frame.Resize(14 + Header + quoted);
        var packet = frame.Bytes[14..];
        packet[..quoted].CopyTo(packet[Header..]);
        packet[0] = ++_sent;
        BinaryPrimitives.WriteUInt32BigEndian(packet[20..], 0x0B00_0000);
        if ((kind & 4) != 0)
            BinaryPrimitives.WriteUInt16BigEndian(packet[22..], InternetChecksum.Compute(packet[20..]));
        frame.Reply();
    }
}

/// <summary>Moves some bytes of the frame to the back or to the front, and cuts it behind them.</summary>
public sealed class Excerpts : Service
{
    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        if (frame.Length is < 40 or > 1400) return;
        var count = 8 + (kind >> 4);
        if ((kind & 1) != 0)
        {
            frame.Resize(frame.Length + 24);
            frame.Bytes[15] ^= kind;
            frame.Bytes.Slice(14, count).CopyTo(frame.Bytes[38..]);
            frame.Resize(38 + count);
        }
        else if ((kind & 2) != 0)
        {
            frame.Bytes.Slice(20, count).CopyTo(frame.Bytes[14..]);
            frame.Resize(14 + count);
            frame.Bytes[15]++;
        }
        frame.Flood();
    }
}
