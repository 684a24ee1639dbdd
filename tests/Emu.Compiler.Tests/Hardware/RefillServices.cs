using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>Cuts frames to 40 bytes and fills them up to 60 again; writes before, in between and behind.</summary>
public sealed class CutTo40 : Service
{
    public override void Process(ref Frame frame)
    {
        BinaryPrimitives.WriteUInt64BigEndian(frame.Bytes[36..], 0x0102030405060708);
        frame.Resize(40);
        frame.Bytes[39] = frame.Bytes[38];
        frame.Resize(60);
        frame.Bytes[50] ^= 0x55;
        frame.Bytes[0] = (byte)(frame.Bytes[39] + frame.Bytes[41]);
        frame.ForwardTo(new PortId(2));
    }
}

/// <summary>
/// Cuts frames to a length that they say, with writes before, in between and behind, and fills them up to 60 bytes;
/// copies are sent of what they were before, in between and behind.
/// </summary>
public sealed class CutAndSent : Service
{
    private byte _sent;

    public override void Process(ref Frame frame)
    {
        var length = 20 + (frame.Bytes[13] & 31);
        if (length > frame.Length) return;
        frame.Bytes[30 + (frame.Bytes[12] & 1)] = 0x99;
        if ((frame.Bytes[12] & 2) != 0) frame.Send(PortSet.Of(new PortId(0)));
        frame.Resize(length);
        frame.Bytes[19] = _sent++;
        if ((frame.Bytes[12] & 4) != 0) frame.Send(PortSet.Of(new PortId(1)));
        frame.Resize(60);
        var isClear = frame.Bytes[45] == 0;
        frame.Bytes[48] = (byte)(isClear ? 0x11 : 0x22);
        if ((frame.Bytes[12] & 8) != 0) frame.Send(PortSet.Of(new PortId(3)));
        frame.Bytes[59] = frame.Bytes[31];
        frame.ForwardTo(new PortId(2));
    }
}

/// <summary>
/// Cuts frames to any length, of 0 on, on one way, fills them up by some on another and both on a third, and then all
/// of them up to 64, with a checksum over the header.
/// </summary>
public sealed class CutOrGrown : Service
{
    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[12] & 3;
        var length = frame.Bytes[13] & 63;
        if (frame.Length > 64 && kind != 0) frame.Resize(length);
        if (kind >= 2) frame.Resize(frame.Length + 5 > 64 ? 64 : frame.Length + 5);
        if (frame.Length < 64) frame.Resize(64);
        var sum = InternetChecksum.Compute(frame.Bytes[14..34]);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[40..], sum);
        frame.ForwardTo(new PortId(kind));
    }
}

/// <summary>Cuts frames twice and fills them up twice, to lengths of which each is computed.</summary>
public sealed class CutTwice : Service
{
    private uint _total;

    public override void Process(ref Frame frame)
    {
        var (one, two) = (frame.Bytes[12] & 31, frame.Bytes[13] & 31);
        if (frame.Length < 64) return;
        var before = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[24..]);
        frame.Resize(16 + one);
        frame.Resize(17 + one + (two & 15));
        _total += frame.Bytes[15];
        frame.Resize(16 + two);
        frame.Resize(48);
        _total ^= BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[24..]) ^ before;
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[4..], _total);
        frame.Resize(60);
        frame.ForwardTo(new PortId((int)_total & 3));
    }
}

/// <summary>
/// Answers in a frame of 60 bytes that is made anew, with a checksum, and sends the old one elsewhere.
/// </summary>
public sealed class Anew60 : Service
{
    private ushort _answers;

    public override void Process(ref Frame frame)
    {
        var (to, from) = (frame.Bytes[6..12].GetMacAddress(0), frame.Bytes[..6].GetMacAddress(0));
        var question = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[20..]);
        frame.Bytes[30] = 0x77;
        if ((question & 1) != 0) frame.Send(PortSet.Of(new PortId(3)));
        frame.Resize(0);
        frame.Resize(60);
        frame.Bytes.SetMacAddress(0, to);
        frame.Bytes.SetMacAddress(6, from);
        var ip = frame.Bytes[14..];
        ip[0] = 0x45;
        BinaryPrimitives.WriteUInt32BigEndian(ip[12..], question);
        BinaryPrimitives.WriteUInt16BigEndian(ip[4..], _answers++);
        BinaryPrimitives.WriteUInt16BigEndian(ip[10..], InternetChecksum.Compute(ip[..20]));
        // What was written before is gone.
        ip[30] = (byte)(frame.Bytes[30] + frame.Bytes[21] + frame.Bytes[58]);
        frame.Reply();
    }
}

/// <summary>Makes frames of 300 bytes anew, of those of one kind; others stay as they are, but for a byte.</summary>
public sealed class Anew300 : Service
{
    public override void Process(ref Frame frame)
    {
        var seen = frame.Bytes[20];
        frame.Bytes[16] = 0x42;
        if ((frame.Bytes[13] & 1) != 0)
        {
            frame.Resize(0);
            frame.Resize(300);
            frame.Bytes[299] = seen;
            BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[150..], 0xCAFEBABE);
        }
        if (frame.Length > 20) frame.Bytes[0] = (byte)(frame.Bytes[20] ^ frame.Bytes[16]);
        frame.Bytes[13] ^= seen;
        frame.ForwardTo(new PortId(2));
    }
}

/// <summary>
/// Makes frames anew whose length is computed, and sums all of them; some are made anew twice, some get no bytes at all
/// and do not leave.
/// </summary>
public sealed class AnewComputed : Service
{
    private uint _total;

    public override void Process(ref Frame frame)
    {
        var length = 40 + frame.Bytes[13];
        var kind = frame.Bytes[12];
        frame.Resize(0);
        if ((kind & 3) == 3)
        {
            frame.Flood();
            return;
        }
        frame.Resize(length);
        frame.Bytes[30] = kind;
        if ((kind & 4) != 0)
        {
            frame.Send(PortSet.Of(new PortId(1)));
            frame.Resize(0);
            frame.Resize(64);
        }
        _total += frame.Bytes[30] + (frame.Bytes[39] * 3u);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[20..], _total);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[8..], InternetChecksum.Compute(frame.Bytes[14..34]));
        frame.ForwardTo(new PortId(2));
    }
}

/// <summary>Makes frames anew, and grows some of them further, or cuts them and fills them up once more.</summary>
public sealed class AnewAndGrown : Service
{
    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[12];
        var length = 16 + (frame.Bytes[13] & 31);
        frame.Resize(0);
        frame.Resize(50);
        frame.Bytes[14] = kind;
        frame.Bytes[40] = 0xEE;
        if ((kind & 1) != 0)
        {
            frame.Resize(length);
            frame.Bytes[15] = 0xDD;
            frame.Resize(60);
        }
        else if ((kind & 2) != 0) frame.Resize(50 + length);
        if (frame.Length > 52) frame.Bytes[52] = frame.Bytes[40];
        frame.ForwardTo(new PortId(2));
    }
}
