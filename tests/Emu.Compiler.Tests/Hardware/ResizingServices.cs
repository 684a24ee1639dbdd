using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// The edge of a VLAN: frames from an access port leave by the trunk with a tag pushed, those from the trunk without
/// theirs, filled up, by the port that it names. Frames are counted for each VLAN; the number shows in the tag.
/// </summary>
public sealed class VlanEdge : Service
{
    private const int Tag = 0x8100;
    private const int AfterAddresses = 12;

    private readonly byte[] _frames = new byte[16];

    public override void Process(ref Frame frame)
    {
        var isTagged = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[AfterAddresses..]) == Tag;
        if (frame.Ingress != new PortId(0)) Push(ref frame, frame.Ingress.Index);
        else if (isTagged && frame.Length >= 18) Pop(ref frame);
    }

    private void Push(ref Frame frame, byte vlan)
    {
        var length = frame.Length;
        frame.Resize(length + 4);
        frame.Bytes[AfterAddresses..length].CopyTo(frame.Bytes[(AfterAddresses + 4)..]);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[AfterAddresses..], Tag);
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[(AfterAddresses + 2)..], (ushort)(Counted(vlan) << 4 | vlan));
        frame.ForwardTo(new PortId(0));
    }

    private void Pop(ref Frame frame)
    {
        var vlan = frame.Bytes[AfterAddresses + 3] & 15;
        frame.Bytes[(AfterAddresses + 4)..].CopyTo(frame.Bytes[AfterAddresses..]);
        frame.Resize(frame.Length - 4);
        if (frame.Length < 60) frame.Resize(60);
        frame.Bytes[0] = Counted(vlan);
        frame.ForwardTo(new PortSet(1ul << (vlan & 3)));
    }

    private byte Counted(int vlan) => ++_frames[vlan];
}

/// <summary>Answers in 60 bytes, whatever was asked, with how many have asked.</summary>
public sealed class Answerer : Service
{
    private uint _asked;

    public override void Process(ref Frame frame)
    {
        var source = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes[8..]);
        frame.Resize(60);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes, source);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[30..], _asked++);
        frame.Bytes[50..60].Clear();
        frame.Reply();
    }
}

/// <summary>Cuts frames, or makes them longer, as one of their bytes says; frames of no bytes do not leave.</summary>
public sealed class Cutter : Service
{
    public override void Process(ref Frame frame)
    {
        frame.Resize(frame.Bytes[13]);
        frame.Flood();
    }
}

/// <summary>Fills frames up, and then looks at bytes that may be new; another may be taken from their front.</summary>
public sealed class Filler : Service
{
    private int _seen;

    public override void Process(ref Frame frame)
    {
        var mode = frame.Bytes[12];
        frame.Resize(frame.Length + 37);
        _seen += frame.Bytes[40];
        if ((mode & 1) != 0)
        {
            // The last 37 bytes are 0, and so is what is moved behind the new end.
            frame.Bytes[2] = (byte)_seen;
            frame.Bytes[48] = 0x55;
        }
        frame.ForwardTo(new PortSet((ulong)(_seen & 15)));
    }
}

/// <summary>Takes a label from the front of some frames, and counts them by what is behind it.</summary>
public sealed class Labels : Service
{
    private readonly byte[] _counts = new byte[8];

    public override void Process(ref Frame frame)
    {
        if ((frame.Bytes[13] & 1) != 0)
        {
            var length = frame.Length;
            frame.Bytes[17..length].CopyTo(frame.Bytes[14..]);
            frame.Resize(length - 3);
        }
        var kind = frame.Bytes[14] & 7;
        frame.Bytes[3] = ++_counts[kind];
        frame.Flood();
    }
}

/// <summary>Puts a tag in front of another, now and then.</summary>
public sealed class TwoTags : Service
{
    public override void Process(ref Frame frame)
    {
        Push(ref frame);
        if ((frame.Bytes[5] & 1) != 0) Push(ref frame);
        frame.Flood();
    }

    private static void Push(ref Frame frame)
    {
        var length = frame.Length;
        frame.Resize(length + 4);
        frame.Bytes[12..length].CopyTo(frame.Bytes[16..]);
        BinaryPrimitives.WriteUInt32BigEndian(frame.Bytes[12..], 0x8100_0001);
    }
}

/// <summary>Cuts frames and makes them longer again, some of them: what had been cut off is 0 then.</summary>
public sealed class CutAndFilled : Service
{
    public override void Process(ref Frame frame)
    {
        frame.Resize(frame.Length - 6);
        if ((frame.Bytes[5] & 1) != 0) frame.Resize(frame.Length + 3);
        frame.Flood();
    }
}

/// <summary>
/// Cuts some frames to a length that they state, and fills them up to another: a byte that was read before is 0 then.
/// </summary>
public sealed class CutAndRead : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 62) return;
        var before = frame.Bytes[30];
        frame.Bytes[2] = before;
        if ((frame.Bytes[5] & 1) != 0)
        {
            frame.Resize(frame.Bytes[13] & 63);
            frame.Resize(60);
            frame.Bytes[3] = (byte)(frame.Bytes[30] + before);
        }
        frame.Flood();
    }
}

/// <summary>
/// Makes room for an answer in frames that have too little, and then gives them all another length: of those that
/// grew, some end up shorter than that, others longer.
/// </summary>
public sealed class RoomMaker : Service
{
    private byte _seen;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        if ((kind & 3) == 0) Answer(ref frame, 48, 60);
        else if ((kind & 3) == 1) Answer(ref frame, 54, 60);
        else Answer(ref frame, 62, 62 - (kind >> 6));
    }

    private void Answer(ref Frame frame, int end, int length)
    {
        if (frame.Length < end) frame.Resize(end);
        _seen += frame.Bytes[end - 1];
        frame.Bytes[end - 2] = _seen;
        frame.Resize(length);
        frame.Bytes[58] ^= 0x11;
        frame.Reply();
    }
}
