using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// A host that has several services at one address: ping, a name server (<see cref="DnsServer"/>) and a cache
/// (<see cref="MemcachedServer"/>), those that are asked for.
/// </summary>
/// <remarks>
/// It answers ARP and neighbour solicitations in any case (<see cref="IPHost"/>). Each service is the one that has a
/// program of its own, and its manual page is there.
/// </remarks>
/// <example>--address 10.0.0.2 --echo --dns example.zone --memcached 11211</example>
public sealed class Host : Service, IEchoApplication
{
    private readonly IPHost _host;

    /// <summary>Opens the sockets.</summary>
    /// <param name="address">The host's IPv4 address.</param>
    /// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    /// <param name="address6">The host's IPv6 address, beside a link-local one; when absent it has neither.</param>
    /// <param name="echo">Answer pings.</param>
    /// <param name="dns">A zone's master file, for the name server; without one there is no name server.</param>
    /// <param name="memcached">The cache's UDP port; when absent there is no cache.</param>
    /// <param name="chunks">The cache's memory, in chunks of 64 bytes.</param>
    /// <param name="seed">Chooses the cache's hash; secret where an attacker picks the keys.</param>
    public Host(
        IPv4Address address, MacAddress mac = default, IPv6Address address6 = default, bool echo = false,
        string[]? dns = null, ushort memcached = 0, [PowerOfTwo(32, 1 << 20)] int chunks = 4096, ulong seed = 1)
    {
        _host = new IPHost(address, mac, address6);
        if (echo) _host.Echo(this);
        if (dns is { Length: > 0 })
        {
            var server = new DnsServer(dns);
            NameServer = server.Counters;
            _host.Udp(Protocols.Dns.Port, server);
        }
        if (memcached != 0)
        {
            var server = new MemcachedServer(chunks, seed, MemcachedServer.DefaultRate);
            Cache = server.Counters;
            _host.Udp(memcached, server);
        }
    }

    /// <summary>The neighbours that the host has answered, and why it has refused packets.</summary>
    public HostCounters Admission => _host.Counters;

    /// <summary>The answers of the name server by their kind.</summary>
    public DnsCounters NameServer { get; } = new();

    /// <summary>The requests to the cache by their kind.</summary>
    public MemcachedCounters Cache { get; } = new();

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
