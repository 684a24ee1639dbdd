using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// A host that answers ping: ARP (RFC 826) and ICMP echo (RFC 792), and with an IPv6 address neighbour discovery
/// (RFC 4861) and ICMPv6 echo (RFC 4443).
/// </summary>
/// <remarks>
/// <para>It is an <see cref="IPHost"/> with echo alone: what that answers, and what it refuses, is said there.</para>
/// <para>Not done: reassembly, so fragments are dropped; requests to broadcast or multicast addresses; duplicate
/// address detection; IPv6 extension headers; ICMP errors.</para>
/// </remarks>
/// <example>--address 10.0.0.2 --mac 02:00:00:00:00:02 --address6 fd00::2</example>
public sealed class IcmpEcho : Service, IEchoApplication
{
    private readonly IPHost _host;

    /// <summary>Begins without neighbours, which it never needs to know.</summary>
    /// <param name="address">The host's IPv4 address.</param>
    /// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    /// <param name="address6">The host's IPv6 address, beside a link-local one; when absent it has neither.</param>
    public IcmpEcho(IPv4Address address, MacAddress mac = default, IPv6Address address6 = default) =>
        _host = new IPHost(address, mac, address6).Echo(this);

    /// <summary>The neighbours that the host has answered, and why it has refused packets.</summary>
    public HostCounters Host => _host.Counters;

    /// <summary>ICMP echo requests answered.</summary>
    public Counter EchoReplies { get; } = new();

    /// <summary>ICMPv6 echo requests answered.</summary>
    public Counter EchoReplies6 { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame) => _host.Receive(ref frame);

    /// <inheritdoc/>
    public void Send(ref Frame reply, bool isIPv6)
    {
        if (isIPv6) EchoReplies6.Increment();
        else EchoReplies.Increment();
        reply.Reply();
    }
}
