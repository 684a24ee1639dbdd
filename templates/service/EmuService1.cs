using Emu;
using Emu.Protocols;

namespace Services;

/// <summary>Joins its ports as a hub does, and lets no datagram pass to one UDP port.</summary>
/// <example>--blocked-port 53</example>
/// <param name="blockedPort">The UDP port to which nothing passes.</param>
public sealed class EmuService1(ushort blockedPort = 53) : Service
{
    /// <summary>Frames that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Datagrams that did not.</summary>
    public Counter Blocked { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (IsBlocked(new Ethernet(frame)))
        {
            Blocked.Increment();
            frame.Drop();
            return;
        }
        Passed.Increment();
        frame.Flood();
    }

    /// <summary>True for a datagram to the blocked port. Of fragments only the first would say; they pass.</summary>
    private bool IsBlocked(Ethernet ethernet) =>
        ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
        && ip.Protocol == IPProtocol.Udp && !ip.IsFragment
        && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == blockedPort;
}
