using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Reports in syslog (RFC 5424 §6, over UDP: RFC 5426) which stations appear, and which move to another port or VLAN,
/// as bridges do by MAC notifications (IEEE 802.1Q §8.7). A message a tick, so that a storm of moves is no storm of
/// messages.
/// </summary>
/// <param name="mac">Of this device.</param>
/// <param name="address">Of this device.</param>
/// <param name="collectorMac">Of the collector.</param>
/// <param name="collector">The collector, which is at port 3.</param>
/// <param name="tickInterval">Nanoseconds between messages.</param>
public sealed class StationReporter(
    MacAddress mac, IPv4Address address, MacAddress collectorMac, IPv4Address collector,
    ulong tickInterval = 1_000_000) : Service
{
    private const int LifetimeSeconds = 300;
    private const int MaxMessage = 128;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private static readonly PortSet s_collector = PortSet.Of(new PortId(3));

    private readonly AgeingTable<MacAddress, Place> _stations = new(1024, LifetimeSeconds, hashSeed: 21);
    private readonly Fifo<Report> _reports = new(64);

    private record struct Place(byte Port, ushort Vlan);

    private struct Report
    {
        public bool IsMove;
        public MacAddress Station;
        public Place Before;
        public Place After;
    }

    /// <inheritdoc/>
    public override ulong TickInterval => tickInterval;

    /// <summary>Stations that were not known.</summary>
    public Counter Appeared { get; } = new();

    /// <summary>Stations that came by another port or in another VLAN.</summary>
    public Counter Moved { get; } = new();

    /// <summary>Messages sent.</summary>
    public Counter Reported { get; } = new();

    /// <summary>Reports that there was no room for.</summary>
    public Counter Lost { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination.IsReservedForBridges || ethernet.Source.IsGroup) return;
        ushort vlan = 0;
        if (ethernet.EtherType == EtherType.CTag && Vlan.TryParse(ethernet.Payload, out var tag)) vlan = tag.Vid;
        Learn(ethernet.Source, new Place(frame.Ingress.Index, vlan), frame.Seconds);
        frame.Flood();
    }

    private void Learn(MacAddress station, Place place, ulong seconds)
    {
        var isKnown = _stations.TryGet(station, seconds, out var before);
        _stations.Set(station, place, seconds);
        if (isKnown && before == place) return;
        (isKnown ? Moved : Appeared).Increment();
        var report = new Report { IsMove = isKnown, Station = station, Before = before, After = place };
        if (!_reports.TryEnqueue(report)) Lost.Increment();
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        if (!_reports.TryDequeue(out var report)) return;
        frame.Resize(Headers + MaxMessage);
        var length = WriteText(frame.Bytes[Headers..], report);
        frame.Resize(Headers + length);
        var ethernet = new Ethernet(frame)
        {
            Destination = collectorMac,
            Source = mac,
            EtherType = EtherType.IPv4,
        };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip) || !Udp.TryInitialize(ip.Payload, out var udp)) return;
        (ip.Source, ip.Destination, ip.Protocol, ip.Ttl) = (address, collector, IPProtocol.Udp, IPv4.DefaultTtl);
        ip.WriteHeaderChecksum();
        (udp.SourcePort, udp.DestinationPort) = (514, 514);
        udp.WriteChecksum(ip);
        Reported.Increment();
        frame.ForwardTo(s_collector);
    }

    private static int WriteText(Span<byte> text, Report report)
    {
        var at = 0;
        Append(text, ref at, report.IsMove ? "<132>1 - - stations - MOVE - "u8 : "<134>1 - - stations - NEW - "u8);
        AppendMac(text, ref at, report.Station);
        if (report.IsMove)
        {
            Append(text, ref at, " left "u8);
            AppendPlace(text, ref at, report.Before);
        }
        Append(text, ref at, report.IsMove ? " for "u8 : " at "u8);
        AppendPlace(text, ref at, report.After);
        return at;
    }

    private static void AppendPlace(Span<byte> text, ref int at, Place place)
    {
        Append(text, ref at, "port "u8);
        AppendNumber(text, ref at, place.Port);
        if (place.Vlan == 0) return;
        Append(text, ref at, " vlan "u8);
        AppendNumber(text, ref at, place.Vlan);
    }

    private static void Append(Span<byte> text, ref int at, ReadOnlySpan<byte> part)
    {
        part.CopyTo(text[at..]);
        at += part.Length;
    }

    private static void AppendMac(Span<byte> text, ref int at, MacAddress station)
    {
        var digits = "0123456789abcdef"u8;
        for (var shift = 40; shift >= 0; shift -= 8)
        {
            var part = (int)(station.Bits >> shift) & 255;
            text[at++] = digits[part >> 4];
            text[at++] = digits[part & 15];
            if (shift > 0) text[at++] = (byte)':';
        }
    }

    private static void AppendNumber(Span<byte> text, ref int at, uint number)
    {
        uint divisor = 1;
        while (number / divisor >= 10) divisor *= 10;
        for (; divisor > 0; divisor /= 10) text[at++] = (byte)('0' + number / divisor % 10);
    }
}
