using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Limits messages of ICMP: echoes by destination, errors by source; an error passes only about a packet that the
/// protected network has sent.
/// </summary>
public sealed class ErrorLimiter(IPv4Address network, int bits = 24, int rate = 1000, int burst = 10) : Service
{
    private readonly TokenBuckets _echoes = new(256, rate, burst);
    private readonly TokenBuckets _errors = new(256, rate, burst);

    public Counter Echoes { get; } = new();

    public Counter Errors { get; } = new();

    public Counter TooMany { get; } = new();

    public Counter Foreign { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip) && !ip.IsFragment
            && ip.Protocol == IPProtocol.Icmp && !MayPass(frame.Time, ip))
            return;
        frame.Flood();
    }

    private bool MayPass(ulong time, IPv4 ip)
    {
        if (!Icmp.TryParse(ip.Payload, out var icmp) || !icmp.HasValidChecksum) return false;
        switch (icmp.Type)
        {
            case IcmpType.EchoRequest:
            case IcmpType.EchoReply:
                Echoes.Increment();
                return Take(_echoes, ip.Destination, time);
            case IcmpType.DestinationUnreachable:
            case IcmpType.TimeExceeded:
                if (!IPv4.TryParseQuoted(icmp.Data, out var quoted)
                    || quoted.Source.Bits >> (32 - bits) != network.Bits >> (32 - bits))
                {
                    Foreign.Increment();
                    return false;
                }
                Errors.Increment();
                return Take(_errors, ip.Source, time);
            default:
                return true;
        }
    }

    private bool Take(TokenBuckets buckets, IPv4Address address, ulong time)
    {
        if (buckets.TryTake((int)(address.Bits & 255), 1, time)) return true;
        TooMany.Increment();
        return false;
    }
}
