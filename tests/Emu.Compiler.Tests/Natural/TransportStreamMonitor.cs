using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Watches MPEG transport streams in UDP, with or without RTP (ISO/IEC 13818-1 §2.4, RFC 2250): what ETSI TR 101 290
/// calls first priority errors, as far as one can see them without tables.
/// </summary>
/// <remarks>
/// All frames pass. Streams go to multicast groups; their packets are counted by PID, all groups together.
/// </remarks>
/// <param name="port">The UDP port of streams.</param>
public sealed class TransportStreamMonitor(ushort port = 1234) : Service
{
    private const int PacketLength = 188;
    private const byte Sync = 0x47;
    private const int RtpHeader = 12;
    private const byte RtpVersion = 0x80, RtpTransportStream = 33;
    private const ushort NullPid = 0x1FFF;
    private const int Pids = 8192;
    private const byte Seen = 0x80, Repeated = 0x40;

    /// <summary>The last continuity counter of each PID, with what was seen of it.</summary>
    private readonly byte[] _continuity = new byte[Pids];

    /// <summary>Packets of streams.</summary>
    public Counter Packets { get; } = new();

    /// <summary>Packets that do not begin with 0x47 (1.2).</summary>
    public Counter SyncErrors { get; } = new();

    /// <summary>Packets out of order, missing, or there more than twice (1.4).</summary>
    public Counter ContinuityErrors { get; } = new();

    /// <summary>Packets with the transport error indicator (2.1).</summary>
    public Counter TransportErrors { get; } = new();

    /// <summary>Packets that are scrambled.</summary>
    public Counter Scrambled { get; } = new();

    /// <summary>Datagrams that are no whole number of packets.</summary>
    public Counter Odd { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || !ip.Destination.IsMulticast || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != port)
            return;

        var stream = udp.Payload;
        if (stream.Length > RtpHeader && stream[0] == RtpVersion && (stream[1] & 0x7F) == RtpTransportStream)
            stream = stream[RtpHeader..];
        if (stream.Length % PacketLength != 0)
        {
            Odd.Increment();
            return;
        }
        for (var i = 0; i + PacketLength <= stream.Length; i += PacketLength) Look(stream.Slice(i, PacketLength));
    }

    private void Look(Span<byte> packet)
    {
        Packets.Increment();
        if (packet[0] != Sync)
        {
            SyncErrors.Increment();
            return;
        }
        if ((packet[1] & 0x80) != 0)
        {
            TransportErrors.Increment();
            return;
        }
        var pid = packet.GetUInt16(1) & 0x1FFF;
        if ((packet[3] & 0xC0) != 0) Scrambled.Increment();
        if (pid != NullPid) CheckContinuity(packet, pid);
    }

    private void CheckContinuity(Span<byte> packet, int pid)
    {
        var counter = packet[3] & 0xF;
        var hasPayload = (packet[3] & 0x10) != 0;
        var hasAdaptation = (packet[3] & 0x20) != 0;
        var isDiscontinuous = hasAdaptation && packet[4] > 0 && (packet[5] & 0x80) != 0;

        var before = _continuity[pid];
        var expected = (before & 0xF) + (hasPayload ? 1 : 0) & 0xF;
        var isRepeated = hasPayload && counter == (before & 0xF) && (before & Repeated) == 0;
        if ((before & Seen) != 0 && !isDiscontinuous && counter != expected
            && !isRepeated) ContinuityErrors.Increment();
        _continuity[pid] = (byte)(Seen | (isRepeated && (before & Seen) != 0 ? Repeated : 0) | counter);
    }
}
