using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// A time server (RFC 5905 §8, mode 4): answers clients with the time at which their request arrived.
/// </summary>
/// <remarks>Not done: symmetric and broadcast modes, authentication, leap seconds, IPv6.</remarks>
/// <example>--address 10.0.0.2 --stratum 1</example>
/// <param name="address">The host's IPv4 address.</param>
/// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address.</param>
/// <param name="stratum">The distance from a reference clock, 1 to 15 (RFC 5905 figure 11).</param>
public sealed class TimeServer(IPv4Address address, MacAddress mac = default, byte stratum = 1) : Service
{
    private readonly MacAddress _mac = mac == default ? MacAddress.Of(address) : mac;
    private readonly ArpResponder _arp = new(address, mac == default ? MacAddress.Of(address) : mac);

    /// <summary>Requests answered.</summary>
    public Counter Answered { get; } = new();

    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>Dropped: all else.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            _arp.Answer(ref frame, arp);
            ArpReplies.Increment();
        }
        else if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.HasValidHeaderChecksum && ip.Destination == address && ip.Source.CanBeSource
            && ip.Protocol == IPProtocol.Udp && !ip.IsFragment
            && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Ntp.Port && udp.HasValidChecksum(ip)
            && Ntp.TryParse(udp.Payload, out var ntp) && ntp.Mode == NtpMode.Client)
        {
            Answer(ntp, frame.Time);
            (udp.SourcePort, udp.DestinationPort) = (Ntp.Port, udp.SourcePort);
            (ip.Source, ip.Destination) = (address, ip.Source);
            ip.Ttl = IPv4.DefaultTtl;
            ip.WriteHeaderChecksum();
            udp.WriteChecksum(ip);
            (ethernet.Source, ethernet.Destination) = (_mac, ethernet.Source);
            Answered.Increment();
            frame.Reply();
        }
        else
        {
            Dropped.Increment();
        }
    }

    /// <summary>Turns a client's message into the answer to it; the version and the poll interval stay.</summary>
    private void Answer(Ntp ntp, ulong time)
    {
        var now = Ntp.Timestamp(time);
        ntp.Leap = 0;
        ntp.Mode = NtpMode.Server;
        ntp.Stratum = stratum;
        (ntp.RootDelay, ntp.RootDispersion, ntp.ReferenceId) = (0, 0, 0);
        ntp.ReferenceTimestamp = 0;
        ntp.OriginTimestamp = ntp.TransmitTimestamp;
        ntp.ReceiveTimestamp = now;
        ntp.TransmitTimestamp = now;
    }
}
