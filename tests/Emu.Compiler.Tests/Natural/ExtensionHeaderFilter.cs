using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Filters IPv6 packets by their extension headers, at a transit router (RFC 9288): headers in the order of RFC 8200
/// §4.1, no more than a few of them, no deprecated routing headers, no options that a transit router should not see,
/// and no first fragment without its upper layer (RFC 7112). All other frames pass.
/// </summary>
/// <param name="mostHeaders">The most extension headers that a packet may have.</param>
public sealed class ExtensionHeaderFilter(int mostHeaders = 4) : Service
{
    private const byte Pad1 = 0, PadN = 1, RouterAlert = 5, JumboPayload = 0xC2, HomeAddress = 0xC9;

    private enum Verdict
    {
        Pass,
        Malformed,
        TooMany,
        OutOfOrder,
        Refused,
        Headless,
    }

    public Counter Passed { get; } = new();

    public Counter Malformed { get; } = new();

    public Counter TooMany { get; } = new();

    public Counter OutOfOrder { get; } = new();

    public Counter Refused { get; } = new();

    public Counter Headless { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv6)
        {
            frame.Flood();
            return;
        }

        var verdict = IPv6.TryParse(ethernet.Payload, out var ip) ? Judge(ip) : Verdict.Malformed;
        var counter = verdict switch
        {
            Verdict.Pass => Passed,
            Verdict.TooMany => TooMany,
            Verdict.OutOfOrder => OutOfOrder,
            Verdict.Refused => Refused,
            Verdict.Headless => Headless,
            _ => Malformed,
        };
        counter.Increment();
        if (verdict == Verdict.Pass) frame.Flood();
    }

    private Verdict Judge(IPv6 ip)
    {
        var (count, lastRank) = (0, -1);
        var extensions = ip.Extensions;
        while (extensions.MoveNext())
        {
            if (++count > mostHeaders) return Verdict.TooMany;

            // Destination options may come twice: in front of a routing header, and last.
            var rank = RankOf(extensions.Header);
            if (rank <= lastRank && extensions.Header != IPProtocol.DestinationOptions) return Verdict.OutOfOrder;
            lastRank = Math.Max(rank, lastRank);

            switch (extensions.Header)
            {
                case IPProtocol.HopByHopOptions:
                case IPProtocol.DestinationOptions:
                    if (!AreAllowed(extensions.Options, extensions.Header)) return Verdict.Refused;
                    break;
                case IPProtocol.Routing:
                    var (type, segmentsLeft) = (extensions.Bytes[2], extensions.Bytes[3]);
                    // RH0 (RFC 5095) and Nimrod's are deprecated; type 2 is of Mobile IPv6 and has one segment.
                    if (type is 0 or 1 || (type == 2 && segmentsLeft > 1)) return Verdict.Refused;
                    break;
                case IPProtocol.HostIdentity or IPProtocol.Shim6:
                    return Verdict.Refused;
            }
        }

        if (extensions.IsMalformed) return Verdict.Malformed;
        if (extensions.FragmentOffset != 0) return Verdict.Pass;
        return extensions.Payload.Length >= LeastLength(extensions.NextHeader) ? Verdict.Pass : Verdict.Headless;
    }

    private static bool AreAllowed(IPv6Options options, IPProtocol header)
    {
        while (options.MoveNext())
        {
            var isAllowed = options.Type switch
            {
                Pad1 or PadN => true,
                RouterAlert => header == IPProtocol.HopByHopOptions && options.Data.Length == 2,
                JumboPayload => false,
                HomeAddress => header == IPProtocol.DestinationOptions && options.Data.Length == 16,
                _ => options.ActionIfUnknown == IPv6OptionAction.Skip,
            };
            if (!isAllowed) return false;
        }
        return !options.IsMalformed;
    }

    /// <summary>The place of a header in the order that RFC 8200 §4.1 recommends.</summary>
    private static int RankOf(IPProtocol header) => header switch
    {
        IPProtocol.HopByHopOptions => 0,
        IPProtocol.Routing => 2,
        IPProtocol.Fragment => 3,
        IPProtocol.AuthenticationHeader => 4,
        IPProtocol.DestinationOptions => 1, // or the last, which says nothing of those behind
        _ => 5,
    };

    private static int LeastLength(IPProtocol upper) => upper switch
    {
        IPProtocol.Tcp => Tcp.MinHeaderLength,
        IPProtocol.Udp => Udp.HeaderLength,
        IPProtocol.Icmpv6 => Icmpv6.HeaderLength,
        IPProtocol.Esp => 8,
        _ => 0,
    };
}
