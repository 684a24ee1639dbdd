using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Copies the datagrams that exporters send to one address and port (NetFlow, sFlow, syslog) to several receivers, as
/// the tool of that name does: the source stays that of the exporter, and a receiver may ask for one datagram of so
/// many only.
/// </summary>
/// <param name="address">Whom the exporters send to.</param>
/// <param name="mac">The MAC address of that.</param>
/// <param name="receivers">Each as <c>address=port=every=mac</c>.</param>
/// <param name="port">The port that the exporters send to.</param>
/// <param name="outside">The port of the device by which copies leave.</param>
/// <example>--receiver 10.0.0.20=2055=1=02:00:00:00:00:14</example>
public sealed class UdpSamplicator(
    IPv4Address address, MacAddress mac, string[] receivers, ushort port = 2055, int outside = 3) : Service
{
    private struct Receiver
    {
        public IPv4Address Address;
        public ushort Port;
        public uint Every;
        public uint Seen;
        public MacAddress Mac;
    }

    private readonly Receiver[] _receivers = [.. receivers.Select(Parse)];
    private readonly PortSet _outside = PortSet.Of(new PortId(outside));
    private readonly ArpResponder _arp = new(address, mac);

    /// <summary>Datagrams of exporters.</summary>
    public Counter Received { get; } = new();

    /// <summary>Copies sent.</summary>
    public Counter Copies { get; } = new();

    /// <summary>Datagrams dropped whose life has ended, or whose header is damaged.</summary>
    public Counter Broken { get; } = new();

    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>Other frames, dropped.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            ArpReplies.Increment();
            _arp.Answer(ref frame, arp);
            return;
        }
        if (ethernet.Destination != mac || ethernet.EtherType != EtherType.IPv4
            || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.Destination != address || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != port)
        {
            Others.Increment();
            return;
        }
        if (ip.Ttl <= 1 || !ip.HasValidHeaderChecksum)
        {
            Broken.Increment();
            return;
        }

        Received.Increment();
        ip.DecrementTtl();
        ethernet.Source = mac;
        for (var i = 0; i < _receivers.Length; i++)
        {
            ref var receiver = ref _receivers[i];
            receiver.Seen++;
            if (receiver.Seen < receiver.Every) continue;
            receiver.Seen = 0;

            ethernet.Destination = receiver.Mac;
            var change = ip.SetDestination(receiver.Address)
                + InternetChecksum.Change(udp.DestinationPort, receiver.Port);
            udp.DestinationPort = receiver.Port;
            udp.UpdateChecksum(change);
            frame.Send(_outside);
            Copies.Increment();
        }
    }

    private static Receiver Parse(string text)
    {
        var parts = text.Split('=');
        return new Receiver
        {
            Address = IPv4Address.Parse(parts[0]),
            Port = ushort.Parse(parts[1]),
            Every = uint.Parse(parts[2]),
            Mac = MacAddress.Parse(parts[3]),
        };
    }
}
