using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// An authoritative name server over UDP (RFC 1034, RFC 1035), for the zones of standard master files.
/// </summary>
/// <remarks>
/// <para>Zones are read when the service is constructed, and do not change. It answers with records of every type,
/// those that it does not know by name as RFC 3597 has them, with chains of aliases, wildcards (RFC 4592), referrals
/// with glue, and with NXDOMAIN or no data and the zone's SOA record (RFC 2308). Names are compared whatever their case
/// (RFC 4343), and an answer repeats the question's case.</para>
/// <para>EDNS(0) (RFC 6891) makes room for up to 1,232 bytes; without it there are 512. What has no room is left out as
/// a whole, and TC says so: there is no TCP here. ANY is answered by one set of records (RFC 8482 §4.1). Transfers of
/// zones, other classes than IN and names of other zones are REFUSED, other operations NOTIMP, EDNS of another version
/// BADVERS; what cannot be read is FORMERR, and what is no question is dropped.</para>
/// <para>The host around it answers ARP, neighbour solicitations and pings (<see cref="IPHost"/>).</para>
/// <para>Not done: TCP; DNSSEC; DNAME; notifications, updates and transfers.</para>
/// </remarks>
/// <example>--address 10.0.0.2 --zone example.zone</example>
public sealed class Dns : Service, IEchoApplication
{
    private readonly DnsServer _server;
    private readonly IPHost _host;

    /// <summary>Reads the zones.</summary>
    /// <param name="address">The host's IPv4 address.</param>
    /// <param name="zone">A zone's master file.</param>
    /// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    /// <param name="address6">The host's IPv6 address, beside a link-local one; when absent it has neither.</param>
    /// <param name="rate">
    /// Answers a second to one network, a /24 or with IPv6 a /56; what is over it is dropped; 0 for no limit.
    /// </param>
    public Dns(
        IPv4Address address, string[] zone, MacAddress mac = default, IPv6Address address6 = default,
        [Range(0, int.MaxValue)] int rate = 0)
    {
        _server = new DnsServer(zone, rate);
        _host = new IPHost(address, mac, address6).Echo(this).Udp(Protocols.Dns.Port, _server);
    }

    /// <summary>The neighbours that the host has answered, and why it has refused packets.</summary>
    public HostCounters Host => _host.Counters;

    /// <summary>The answers by their kind.</summary>
    public DnsCounters Server => _server.Counters;

    /// <summary>ICMP and ICMPv6 echo requests answered.</summary>
    public Counter EchoReplies { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame) => _host.Receive(ref frame);

    /// <inheritdoc/>
    public void Send(ref Frame reply, bool isIPv6)
    {
        EchoReplies.Increment();
        reply.Reply();
    }
}
