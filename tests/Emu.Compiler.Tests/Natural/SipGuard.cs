using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Guards a telephone exchange: registrations and calls of each source at a rate, no scanners, and RTP only to ports
/// that are for it.
/// </summary>
public sealed class SipGuard(IPv4Address exchange, int rate = 100, int burst = 20) : Service
{
    private const ushort Sip = 5060, FirstRtp = 10_000, LastRtp = 20_000;
    private const int RtpHeader = 12;

    private readonly TokenBuckets _registrations = new(1024, rate, burst);
    private readonly TokenBuckets _calls = new(1024, rate, burst);
    private readonly H3Hash _hash = new(32, 10, 3);

    public Counter Calls { get; } = new();

    public Counter Registrations { get; } = new();

    public Counter Limited { get; } = new();

    public Counter Scanners { get; } = new();

    public Counter NoRtp { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Destination == exchange && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp))
        {
            var port = udp.DestinationPort;
            if (port == Sip && !MayCall(ip.Source, udp.Payload, frame.Time)) return;
            if (port is >= FirstRtp and <= LastRtp && port % 2 == 0 && !IsRtp(udp.Payload))
            {
                NoRtp.Increment();
                return;
            }
        }
        frame.Flood();
    }

    private bool MayCall(IPv4Address source, ReadOnlySpan<byte> message, ulong time)
    {
        if (message.IndexOf("friendly-scanner"u8) >= 0 || message.IndexOf("sipvicious"u8) >= 0)
        {
            Scanners.Increment();
            return false;
        }
        var bucket = _hash.Index(source.KeyBits);
        if (message.StartsWith("REGISTER "u8))
        {
            Registrations.Increment();
            if (_registrations.TryTake(bucket, 1, time)) return true;
            Limited.Increment();
            return false;
        }
        if (message.StartsWith("INVITE "u8))
        {
            Calls.Increment();
            if (_calls.TryTake(bucket, 1, time)) return true;
            Limited.Increment();
            return false;
        }
        return true;
    }

    private static bool IsRtp(ReadOnlySpan<byte> packet)
    {
        if (packet.Length < RtpHeader || packet[0] >> 6 != 2) return false;
        var contributors = packet[0] & 15;
        return packet.Length >= RtpHeader + 4 * contributors;
    }
}
