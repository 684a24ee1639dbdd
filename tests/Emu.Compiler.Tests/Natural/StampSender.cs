using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A session sender of simple two-way active measurement (RFC 8762 §4.2) at the edge of a line: it sends a test packet
/// each tick to a reflector beyond port 1, takes the reflections, and measures the way there and back without the time
/// in the reflector, loss, and duplicates. All else passes between ports 0 and 1.
/// </summary>
/// <param name="mac">Of this device.</param>
/// <param name="address">Of this device.</param>
/// <param name="reflectorMac">Of the reflector, or the way to it.</param>
/// <param name="reflector">The reflector.</param>
/// <param name="tickInterval">Nanoseconds between test packets.</param>
public sealed class StampSender(
    MacAddress mac, IPv4Address address, MacAddress reflectorMac, IPv4Address reflector,
    ulong tickInterval = 10_000_000) : Service
{
    private const ushort StampPort = 862;
    private const ushort OwnPort = 49862;
    private const int TestLength = 44;
    private const int Window = 64;
    private const ulong NtpEpoch = 2_208_988_800;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;

    private static readonly PortId s_inside = new(0);
    private static readonly PortId s_line = new(1);

    private readonly Probe[] _probes = new Probe[Window];
    private uint _next;

    private struct Probe
    {
        public uint Sequence;
        public bool IsOpen;
        public bool WasAnswered;
        public ulong Sent;
    }

    /// <inheritdoc/>
    public override ulong TickInterval => tickInterval;

    /// <summary>Test packets sent.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Reflections of them.</summary>
    public Counter Answered { get; } = new();

    /// <summary>Test packets without a reflection by the time that their place is used again.</summary>
    public Counter Lost { get; } = new();

    /// <summary>Second reflections of a packet.</summary>
    public Counter Duplicates { get; } = new();

    /// <summary>Reflections of what was not sent, or that are none.</summary>
    public Counter Strange { get; } = new();

    /// <summary>The smoothed round trip in nanoseconds (RFC 6298 §2).</summary>
    public ulong Smoothed { get; private set; }

    /// <summary>Its mean deviation.</summary>
    public ulong Deviation { get; private set; }

    /// <summary>The shortest round trip in nanoseconds.</summary>
    public ulong Shortest { get; private set; } = ulong.MaxValue;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_inside)
        {
            frame.ForwardTo(s_line);
            return;
        }
        if (frame.Ingress != s_line) return;
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Destination == address && ip.Source == reflector && !ip.IsFragment
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.SourcePort == StampPort && udp.DestinationPort == OwnPort)
        {
            if (udp.Payload.Length < TestLength || !udp.HasValidChecksum(ip)) Strange.Increment();
            else Measure(udp.Payload, frame.Time);
            return;
        }
        frame.ForwardTo(s_inside);
    }

    private void Measure(Span<byte> reflection, ulong now)
    {
        var sequence = reflection.GetUInt32(24);
        ref var probe = ref _probes[sequence % Window];
        if (!probe.IsOpen || probe.Sequence != sequence || reflection.GetUInt64(28) != ToNtp(probe.Sent))
        {
            Strange.Increment();
            return;
        }
        if (probe.WasAnswered)
        {
            Duplicates.Increment();
            return;
        }
        probe.WasAnswered = true;
        Answered.Increment();
        var inside = ToNanoseconds(reflection.GetUInt64(4) - reflection.GetUInt64(16));
        var there = now - probe.Sent;
        if (inside > there)
        {
            Strange.Increment();
            return;
        }
        Smooth(there - inside);
    }

    private void Smooth(ulong roundTrip)
    {
        Shortest = Math.Min(Shortest, roundTrip);
        if (Smoothed == 0)
        {
            (Smoothed, Deviation) = (roundTrip, roundTrip / 2);
            return;
        }
        var difference = roundTrip > Smoothed ? roundTrip - Smoothed : Smoothed - roundTrip;
        Deviation = (3 * Deviation + difference) / 4;
        Smoothed = (7 * Smoothed + roundTrip) / 8;
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        ref var probe = ref _probes[_next % Window];
        if (probe.IsOpen && !probe.WasAnswered) Lost.Increment();
        probe = new Probe { Sequence = _next++, IsOpen = true, Sent = frame.Time };
        frame.Resize(Headers + TestLength);
        var ethernet = new Ethernet(frame) { Destination = reflectorMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip) || !Udp.TryInitialize(ip.Payload, out var udp)) return;
        (ip.Source, ip.Destination, ip.Protocol, ip.Ttl) = (address, reflector, IPProtocol.Udp, 255);
        ip.WriteHeaderChecksum();
        (udp.SourcePort, udp.DestinationPort) = (OwnPort, StampPort);
        var test = udp.Payload;
        test.SetUInt32(0, probe.Sequence);
        test.SetUInt64(4, ToNtp(probe.Sent));
        test.SetUInt16(12, 0x8001);
        udp.WriteChecksum(ip);
        Sent.Increment();
        frame.ForwardTo(s_line);
    }

    private static ulong ToNtp(ulong time)
    {
        var (seconds, rest) = Math.DivRem(time, 1_000_000_000ul);
        return (seconds + NtpEpoch) << 32 | (rest << 32) / 1_000_000_000;
    }

    private static ulong ToNanoseconds(ulong span) =>
        (span >> 32) * 1_000_000_000 + ((span & uint.MaxValue) * 1_000_000_000 >> 32);
}
