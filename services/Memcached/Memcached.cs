using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// A cache of items by their keys in memory of a fixed size, over UDP, by the protocols of memcached: the text one
/// (protocol.txt) and the binary one (protocol_binary.xml).
/// </summary>
/// <remarks>
/// <para>The first byte of a datagram's first request says its protocol. Answers are those of memcached 1.6.18, errors
/// and unique numbers too; the README says where they differ. Memory is a number of chunks of 64 bytes, of which an
/// item takes as many as its key and value need; where there are too few, those items go whose last use is longest
/// ago.</para>
/// <para>Answers that are much longer than their requests are limited, for each source, since anyone can ask in the
/// name of another over UDP.</para>
/// <para>Not done: the meta commands; <c>stats</c> with arguments; requests of several datagrams.</para>
/// <para>The host around it answers ARP, neighbour solicitations and pings (<see cref="IPHost"/>).</para>
/// </remarks>
/// <example>--address 10.0.0.2 --chunks 4096</example>
public sealed class Memcached : Service, IEchoApplication
{
    /// <summary>The version of memcached whose protocol it speaks.</summary>
    internal const string Version = "1.6.18";

    private readonly MemcachedServer _server;
    private readonly IPHost _host;

    /// <summary>Begins without items.</summary>
    /// <param name="address">The host's IPv4 address.</param>
    /// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    /// <param name="address6">The host's IPv6 address, beside a link-local one; when absent it has neither.</param>
    /// <param name="port">The UDP port.</param>
    /// <param name="chunks">
    /// Memory, in chunks of 64 bytes; an item takes as many as its key and value need.
    /// </param>
    /// <param name="seed">Chooses the hash; secret where an attacker picks the keys.</param>
    /// <param name="rate">
    /// Bytes a second of answers to one source that are more than four times as long as their requests; 0 for no limit.
    /// </param>
    /// <param name="protocol">The protocols of requests: auto for both, ascii or binary.</param>
    public Memcached(
        IPv4Address address, MacAddress mac = default, IPv6Address address6 = default, ushort port = 11211,
        [PowerOfTwo(32, 1 << 20)] int chunks = 4096, ulong seed = 1,
        [Range(0, int.MaxValue)] int rate = MemcachedServer.DefaultRate, Protocol protocol = Protocol.Auto)
    {
        _server = new MemcachedServer(chunks, seed, rate, protocol);
        _host = new IPHost(address, mac, address6).Echo(this).Udp(port, _server);
    }

    /// <summary>The neighbours that the host has answered, and why it has refused packets.</summary>
    public HostCounters Host => _host.Counters;

    /// <summary>The requests by their kind.</summary>
    public MemcachedCounters Server => _server.Counters;

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
