using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>Sends copies of some frames as they came to the last port, and forwards all.</summary>
public sealed class PortMirror : Service
{
    public override void Process(ref Frame frame)
    {
        if ((frame.Bytes[5] & 1) != 0) frame.Send(PortSet.Of(new PortId(3)));
        if ((frame.Bytes[5] & 2) == 0) frame.Flood();
    }
}

/// <summary>Sends copies of several lengths, with other bytes each, some of frames that are dropped then.</summary>
public sealed class Multicast : Service
{
    private ushort _number;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[6..], _number++);
        frame.Send(new PortSet((ulong)(kind & 3)), Math.Min(frame.Length, 40));
        frame.Bytes[0] = 0x55;
        if ((kind & 4) != 0) frame.Send(frame.Ports);
        frame.Bytes[33] ^= kind;
        if ((kind & 8) != 0) frame.Send(PortSet.Of(frame.Ingress), kind & 31);
        frame.Bytes[0] = 2;
        frame.ForwardTo(new PortSet((ulong)(kind >> 4)));
    }
}

/// <summary>Sends frames before bytes are moved, between, and behind; a fault may follow.</summary>
public sealed class TaggedCopies : Service
{
    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        frame.Bytes[14] = kind;
        frame.Send(PortSet.Of(new PortId(0)));
        frame.Insert(12, 4);
        frame.Bytes[13] = 0x81;
        if ((kind & 1) != 0) frame.Send(PortSet.Of(new PortId(1)));
        if ((kind & 2) != 0)
        {
            frame.Insert(0, 50);
            frame.Bytes[49] = frame.Bytes[62];
            frame.Send(PortSet.Of(new PortId(2)), 100);
        }
        else frame.Remove(14, 9);
        frame.Flood();
    }
}

/// <summary>A copy beside a checksum of the payload, and frames for the slow path between.</summary>
public sealed class SummedCopies : Service
{
    private ushort _sum;

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[5];
        if ((kind & 3) == 0)
        {
            for (var i = 14; i < frame.Length; i++) frame.Bytes[i] += kind;
            frame.Send(PortSet.Of(new PortId(3)), 14);
        }
        else if (InternetChecksum.Compute(frame.Bytes[14..]) > 0x8000) frame.Send(PortSet.Of(new PortId(2)));
        _sum += kind;
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], _sum);
        frame.Flood();
    }
}
