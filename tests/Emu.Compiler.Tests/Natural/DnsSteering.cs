using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Spreads DNS queries over resolvers so that each name is cached by one of them: the name is written in lower case,
/// hashed, and the hash chooses the resolver by its MAC address (direct server return).
/// </summary>
/// <remarks>
/// Clients are at port 0, resolvers, which all have one IPv4 address, at port 1. Clients that check the case of the
/// answer (draft-vixie-dnsext-dns0x20) are not served. Queries that are malformed are dropped.
/// </remarks>
/// <param name="resolver">The MAC addresses of the resolvers, 1 to 16.</param>
/// <param name="seed">The first state of the hash.</param>
public sealed class DnsSteering(MacAddress[] resolver, uint seed = 2166136261) : Service
{
    private const int LongestLabel = 63, LongestName = 255, TypeAndClass = 4;
    private const uint FnvPrime = 16777619;

    private static readonly PortId s_clients = new(0), s_resolvers = new(1);

    private readonly MacAddress[] _resolvers = resolver.Length is >= 1 and <= 16
        ? resolver
        : throw new ArgumentException("give 1 to 16 resolvers", nameof(resolver));

    /// <summary>Queries that went to a resolver.</summary>
    public Counter Steered { get; } = new();

    /// <summary>Queries dropped: no well-formed question of one name, or a wrong checksum.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress != s_clients)
        {
            frame.ForwardTo(s_clients);
            return;
        }
        frame.ForwardTo(s_resolvers);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Dns.Port)
            return;

        if (!udp.HasValidChecksum(ip) || !Dns.TryParse(udp.Payload, out var dns) || dns.IsResponse
            || dns.Opcode != DnsOpcode.Query || dns.QuestionCount != 1
            || !TryNormalise(dns.Payload, out var hash))
        {
            Malformed.Increment();
            frame.Drop();
            return;
        }
        if (udp.Checksum != 0) udp.WriteChecksum(ip);
        ethernet.Destination = _resolvers[(int)(hash % (uint)_resolvers.Length)];
        Steered.Increment();
    }

    /// <summary>Writes the name that a question begins with in lower case, and hashes it (FNV-1a).</summary>
    private bool TryNormalise(Span<byte> question, out uint hash)
    {
        hash = seed;
        var at = 0;
        while (at < question.Length)
        {
            int length = question[at++];
            if (length == 0) return at <= LongestName && question.Length - at >= TypeAndClass;
            if (length > LongestLabel || length > question.Length - at) return false;
            hash = (hash ^ (uint)length) * FnvPrime;
            foreach (ref var letter in question.Slice(at, length))
            {
                if (letter is >= (byte)'A' and <= (byte)'Z') letter |= 0x20;
                hash = (hash ^ letter) * FnvPrime;
            }
            at += length;
        }
        return false;
    }
}
