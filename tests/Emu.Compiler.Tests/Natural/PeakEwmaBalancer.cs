using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Spreads requests in UDP over four servers by what they cost, in the manner of Finagle and Linkerd: the cost of a
/// server is its response time, which rises at once and falls slowly (peak EWMA), times the requests that it has not
/// answered. Of two servers that are drawn at random the cheaper one gets the request.
/// </summary>
/// <param name="address">The address that clients send to.</param>
/// <param name="mac">Its MAC address.</param>
/// <param name="firstServer">The address of the first server; those of the others follow.</param>
/// <param name="firstServerMac">The MAC address of the first server; those of the others follow.</param>
/// <param name="routerMac">The way to the clients.</param>
/// <param name="port">The port of the service.</param>
/// <param name="decay">A response time has a weight of 2 to the power of minus this.</param>
/// <param name="seconds">The time that a request is waited for.</param>
/// <param name="seed">Of the random numbers and the table.</param>
public sealed class PeakEwmaBalancer(
    IPv4Address address, MacAddress mac, IPv4Address firstServer, MacAddress firstServerMac, MacAddress routerMac,
    ushort port = 9000, int decay = 3, int seconds = 2, ulong seed = 1) : Service
{
    private const int Servers = 4;
    private const ulong FirstGuess = 1_000_000;

    private static readonly PortId s_clients = new(0);
    private static readonly PortId s_servers = new(1);

    private readonly record struct Client(IPv4Address Address, ushort Port) : ITableKey<Client>
    {
        public static int Width => 48;

        public UInt128 KeyBits => (ulong)Address.Bits << 16 | Port;
    }

    private struct Pending
    {
        public int Server;
        public ulong Sent;
    }

    private struct Load
    {
        public ulong Latency;
        public uint Outstanding;
    }

    private readonly AgeingTable<Client, Pending> _pending = new(256, seconds, seed);
    private readonly Load[] _loads = [.. Enumerable.Repeat(new Load { Latency = FirstGuess }, Servers)];
    private SplitMix64 _random = new(seed);

    /// <summary>Requests that went to a server.</summary>
    public Counter Requests { get; } = new();

    /// <summary>Of these, the ones that were sent again before an answer.</summary>
    public Counter Repeated { get; } = new();

    /// <summary>Answers that went to their client.</summary>
    public Counter Responses { get; } = new();

    /// <summary>Answers by which the response time of a server rose.</summary>
    public Counter Peaks { get; } = new();

    /// <summary>Answers that were not waited for, and other frames.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp))
        {
            Others.Increment();
            return;
        }

        if (frame.Ingress == s_clients && ip.Destination == address && udp.DestinationPort == port)
        {
            var server = Place(new Client(ip.Source, udp.SourcePort), frame);
            udp.UpdateChecksum(ip.SetDestination(new IPv4Address(firstServer.Bits + (uint)server)));
            ethernet.Destination = new MacAddress(firstServerMac.Bits + (ulong)server);
            ethernet.Source = mac;
            Requests.Increment();
            frame.ForwardTo(s_servers);
        }
        else if (frame.Ingress == s_servers && udp.SourcePort == port
            && TryComplete(new Client(ip.Destination, udp.DestinationPort), ip.Source, frame))
        {
            udp.UpdateChecksum(ip.SetSource(address));
            ethernet.Destination = routerMac;
            ethernet.Source = mac;
            Responses.Increment();
            frame.ForwardTo(s_clients);
        }
        else
        {
            Others.Increment();
        }
    }

    /// <summary>Chooses the server of a request; one that is repeated stays at its server.</summary>
    private int Place(Client client, in Frame frame)
    {
        if (_pending.TryGet(client, frame.Seconds, out var pending))
        {
            Repeated.Increment();
            return pending.Server;
        }
        var random = _random.Next();
        var first = (int)(random & (Servers - 1));
        var second = (first + 1 + (int)((random >> 32) % (Servers - 1))) & (Servers - 1);
        var server = Cost(first) <= Cost(second) ? first : second;
        _loads[server].Outstanding++;
        _pending.Set(client, new Pending { Server = server, Sent = frame.Time }, frame.Seconds);
        return server;
    }

    private bool TryComplete(Client client, IPv4Address source, in Frame frame)
    {
        if (!_pending.TryGet(client, frame.Seconds, out var pending)
            || source.Bits != firstServer.Bits + (uint)pending.Server)
            return false;
        _pending.Remove(client, frame.Seconds);

        ref var load = ref _loads[pending.Server];
        var latency = frame.Time - pending.Sent;
        if (latency > load.Latency)
        {
            Peaks.Increment();
            load.Latency = latency;
        }
        else
        {
            load.Latency -= load.Latency - latency >> decay;
        }
        if (load.Outstanding > 0) load.Outstanding--;
        return true;
    }

    private ulong Cost(int server) => _loads[server].Latency * (_loads[server].Outstanding + 1);
}
