using Emu.Protocols;

namespace Emu.Estimate;

/// <summary>One hop: counts the time to live down and updates the checksum.</summary>
public sealed class OneHop : Service
{
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.Ttl < 2) return;
        var before = (ushort)(ip.Ttl << 8 | (byte)ip.Protocol);
        ip.Ttl--;
        ip.HeaderChecksum = InternetChecksum.Update(
            ip.HeaderChecksum, before, (ushort)(ip.Ttl << 8 | (byte)ip.Protocol));
        frame.Flood();
    }
}

/// <summary>Gives VLANs another number, out of a table, and another priority.</summary>
public sealed class VlanRewrite : Service
{
    private readonly ushort[] _numbers = [.. Enumerable.Range(0, 64).Select(i => (ushort)(i * 53 & 0xFFF))];

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.CTag || !Vlan.TryParse(ethernet.Payload, out var tag)) return;
        tag.Vid = _numbers[tag.Vid & 63];
        if (tag.Pcp > 5) tag.Pcp = 5;
        frame.Flood();
    }
}

/// <summary>Sends what is for a well-known port of UDP to a port of its own.</summary>
public sealed class PortSwitch : Service
{
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)) return;
        frame.ForwardTo(new PortSet(udp.DestinationPort switch
        {
            7 or 9 or 13 or 19 or 37 => 1,
            53 or 67 or 68 or 69 => 2,
            88 or 111 or 123 or 137 or 138 => 4,
            161 or 162 or 177 or 389 or 427 or 443 => 8,
            500 or 514 or 520 or 546 or 547 => 3,
            >= 1024 and < 5000 => 5,
            5060 or 5061 or 5353 or 5683 => 6,
            >= 33_434 and <= 33_534 => 9,
            _ => 15,
        }));
    }
}

/// <summary>Looks for the first of a few IPv6 prefixes that a destination has.</summary>
public sealed class PrefixList : Service
{
    private readonly UInt128[] _prefixes =
    [
        .. new[]
        {
                "2001:db8:1::", "2001:db8:2:ff00::", "2001:db8:8000::", "fd00:1:2:3::", "2600::", "2a00:1450::",
                "fe80::", "2001:db8::",
        }
            .Select(text => IPv6Address.Parse(text).Bits),
    ];

    private readonly int[] _lengths = [48, 56, 33, 64, 28, 32, 10, 32];

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv6 || !IPv6.TryParse(ethernet.Payload, out var ip)) return;
        var address = ip.Destination.Bits;
        for (var i = 0; i < _prefixes.Length; i++)
        {
            if ((address ^ _prefixes[i]) >> (128 - _lengths[i]) != 0) continue;
            frame.ForwardTo(new PortSet((ulong)i + 1));
            return;
        }
    }
}

/// <summary>Answers a client of NTP (RFC 5905 §7.3) with the time of the frame.</summary>
public sealed class NtpAnswer : Service
{
    private const int Port = 123, Length = 48;
    private const byte ServerMode = 0x24;

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != Port)
            return;
        var message = udp.Payload;
        if (message.Length < Length || (message[0] & 7) != 3) return;

        var transmitted = message.UInt64(40);
        var now = frame.Seconds + 2_208_988_800 << 32;
        message[0] = ServerMode;
        message[1] = 2;
        message.SetUInt64(16, now);
        message.SetUInt64(24, transmitted);
        message.SetUInt64(32, now);
        message.SetUInt64(40, now);
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        (udp.SourcePort, udp.DestinationPort) = (Port, udp.SourcePort);
        udp.Checksum = 0;
        frame.Reply();
    }
}
