using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Lets DNS queries pass only if the name that they ask for is not suspiciously long, as those are that carry data out
/// of a network (DNS tunnels): it is walked label by label (RFC 1035 §3.1).
/// </summary>
/// <remarks>
/// The first question of a query is looked at, which is the only one in practice. Names that are compressed, which no
/// question's is, and names without an end are dropped. All other frames pass unseen.
/// </remarks>
/// <example>--longest 64 --labels 6</example>
/// <param name="longest">The bytes of the longest name that passes, with a byte for each label and one for the
/// end.</param>
/// <param name="labels">The most labels of a name that passes.</param>
public sealed class NameGuard(int longest = 64, int labels = 6) : Service
{
    private const ushort Port = 53;
    private const int HeaderLength = 12, LongestLabel = 63;

    /// <summary>Frames that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Queries dropped for their name.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Port && !IsAllowed(udp.Payload))
        {
            Dropped.Increment();
            return;
        }
        Passed.Increment();
        frame.Flood();
    }

    private bool IsAllowed(ReadOnlySpan<byte> query)
    {
        var (at, count) = (HeaderLength, 0);
        while (at < query.Length)
        {
            var length = query[at];
            at += length + 1;
            if (length == 0) return at - HeaderLength <= longest && count <= labels;
            if (length > LongestLabel) return false;
            count++;
        }
        return false;
    }
}
