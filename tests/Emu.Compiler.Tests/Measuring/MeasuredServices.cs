using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>The lines of the services here, by what stands in them.</summary>
internal static class MeasuredServices
{
    public static int LineOf(string text) =>
        1 + Array.FindIndex(File.ReadAllLines(Here()), line => line.Contains(text, StringComparison.Ordinal));

    private static string Here([CallerFilePath] string file = "") => file;
}

/// <summary>Chooses one of three ports by the remainder of an address.</summary>
public sealed class ByRemainder : Service
{
    public override void Process(ref Frame frame)
    {
        var source = (uint)new Ethernet(frame).Source.Bits;
        frame.ForwardTo(PortSet.Of(new PortId((int)(source % 3))));
    }
}

/// <summary>Chooses a port by a hash of the address that multiplies.</summary>
public sealed class ByHash : Service
{
    public override void Process(ref Frame frame)
    {
        var source = new Ethernet(frame).Source.Bits;
        frame.ForwardTo(PortSet.Of(new PortId((byte)(SplitMix64.Draw(source, 7) & 3))));
    }
}

/// <summary>Chooses a port by the address, as if it were a time.</summary>
public sealed class ByTimeOfDay : Service
{
    public override void Process(ref Frame frame)
    {
        var source = new Ethernet(frame).Source.Bits;
        frame.ForwardTo(PortSet.Of(new PortId((byte)(TimeOfDay.Milliseconds(source) & 3))));
    }
}

/// <summary>Sends IPv4 packets back with a hop less to live, and all other frames as they came.</summary>
public sealed class Reflector : Service
{
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)) TakeHop(ip);
        frame.Reply();
    }

    [Cold]
    private static void TakeHop(IPv4 ip)
    {
        ip.Ttl--;
        ip.WriteHeaderChecksum();
    }
}

/// <summary>Answers datagrams of 48 bytes to one port; of all other frames none leaves.</summary>
public sealed class FixedLengthAnswer : Service
{
    public const int Port = 123, Length = 48;

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)) return;
        if (udp.DestinationPort != Port || udp.Payload.Length != Length) return;
        BinaryPrimitives.WriteUInt64BigEndian(udp.Payload[40..], frame.Time);
        frame.Reply();
    }
}

/// <summary>Lets TCP pass.</summary>
public sealed class OnlyTcp : Service
{
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol == IPProtocol.Tcp) frame.Flood();
    }
}

/// <summary>Mixes one frame longer than the one before, up to four turns, then begins anew.</summary>
public sealed class TakesTurns : Service
{
    public const int Most = 5;
    private uint _turns;
    private uint _mixed;

    public override void Process(ref Frame frame)
    {
        _turns = _turns == Most - 1 ? 0 : _turns + 1;
        for (var i = 0u; i < _turns; i++) _mixed = (_mixed ^ (uint)frame.Length) * 0x9E37_79B1;
        frame.Flood();
    }
}

/// <summary>Lets frames pass once one has come by port 1.</summary>
public sealed class OpensByPortOne : Service
{
    private bool _isOpen;

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == new PortId(1)) _isOpen = true;
        else if (_isOpen || frame.Ingress == new PortId(2)) frame.Flood();
    }
}

/// <summary>Changes frames in a way that few need, once one has come by port 1.</summary>
public sealed class WalksWhenOpen : Service
{
    private bool _isOpen;

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == new PortId(1)) _isOpen = true;
        else if (_isOpen) Change(frame);
        frame.Flood();
    }

    [Cold]
    private static void Change(Frame frame) => frame.Bytes[20]++;
}
