using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Cuts the tail of response times: sends a request to two servers where both are idle, and lets only the faster answer
/// through (Kim 2023, <em>NetClone: Fast, Scalable, and Dynamic Request Cloning for Microsecond-Scale RPCs</em>).
/// </summary>
/// <remarks>
/// <para>Port 0 has the clients, port 1 the servers. Clients send to one address that is not that of any server. Each
/// request and answer begins with a header of 12 bytes:</para>
/// <para>type (1 byte: 1 request, 2 answer), clone (1: 0 alone, 1 the first of two, 2 the second), group (2: an ordered
/// pair of servers, drawn by the client), request (4: given here), server (1), state (1: requests that wait at the
/// server), filter (1: drawn by the client), and a reserved byte. Servers repeat clone, request and filter.</para>
/// <para>Not done: requests of several packets; writes, which must not be done twice, go straight to their
/// server.</para>
/// </remarks>
/// <example>--address 10.0.0.100 --server 10.0.0.11 --server-mac 02:00:00:00:00:11 --server 10.0.0.12 --server-mac
/// 02:00:00:00:00:12</example>
public sealed class RequestCloner : Service
{
    private const int HeaderLength = 12;
    private const int CloneOffset = 1, GroupOffset = 2, RequestOffset = 4, ServerOffset = 8, StateOffset = 9,
        FilterOffset = 10;
    private const byte Request = 1, Answer = 2;
    private const byte Alone = 0, FirstOfTwo = 1, SecondOfTwo = 2;
    private const int MaxServers = 16;

    /// <summary>Answers are matched in one of several tables, so that two requests seldom meet in one place.</summary>
    private const int Filters = 4, FilterSize = 4096;

    private static readonly PortId s_clients = new(0), s_servers = new(1);

    private readonly IPv4Address _address;
    private readonly MacAddress _mac;
    private readonly ushort _port;
    private readonly ArpResponder _arp;
    private readonly IPv4Address[] _servers;
    private readonly MacAddress[] _serverMacs;

    /// <summary>The two servers of each group.</summary>
    private readonly byte[] _first, _second;

    /// <summary>The requests that wait at each server, as it last said.</summary>
    private readonly byte[] _states = new byte[MaxServers];

    /// <summary>The requests of which one answer has gone by and another is to come; 0 for none.</summary>
    private readonly uint[] _answered = new uint[Filters * FilterSize];

    private uint _lastRequest;

    /// <summary>Begins with servers that are all idle.</summary>
    /// <param name="address">The address that clients send to.</param>
    /// <param name="server">The addresses of the servers, 2 to 16.</param>
    /// <param name="serverMac">Their MAC addresses, in the same order.</param>
    /// <param name="mac">The MAC address of the clients' address; when absent 02:00 and the address.</param>
    /// <param name="port">The UDP port of the service.</param>
    public RequestCloner(
        IPv4Address address, IPv4Address[] server, MacAddress[] serverMac, MacAddress mac = default, ushort port = 9393)
    {
        if (server.Length is < 2 or > MaxServers || serverMac.Length != server.Length)
            throw new ArgumentException($"there are 2 to {MaxServers} servers, each with a MAC address",
                nameof(server));
        (_address, _port) = (address, port);
        _mac = mac == default ? MacAddress.Of(address) : mac;
        _arp = new ArpResponder(address, _mac);
        (_servers, _serverMacs) = ([.. server], [.. serverMac]);

        var pairs = from a in Enumerable.Range(0, server.Length)
                    from b in Enumerable.Range(0, server.Length)
                    where a != b
                    select ((byte)a, (byte)b);
        _first = [.. pairs.Select(p => p.Item1)];
        _second = [.. pairs.Select(p => p.Item2)];
    }

    /// <summary>Requests that went to two servers.</summary>
    public Counter Cloned { get; } = new();

    /// <summary>Requests that went to one server, since one of the two was busy.</summary>
    public Counter Plain { get; } = new();

    /// <summary>Answers that went to their client.</summary>
    public Counter Answered { get; } = new();

    /// <summary>Answers dropped: the other server was faster.</summary>
    public Counter Slower { get; } = new();

    /// <summary>Dropped: wrong lengths, checksums, groups or servers.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>All other frames, which pass.</summary>
    public Counter Others { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            _arp.Answer(ref frame, arp);
            return;
        }
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp))
        {
            Others.Increment();
            return;
        }

        var isRequest = frame.Ingress == s_clients && ip.Destination == _address && udp.DestinationPort == _port;
        var isAnswer = frame.Ingress == s_servers && udp.SourcePort == _port;
        if (!isRequest && !isAnswer)
        {
            Others.Increment();
            return;
        }

        // From here on it is ours, and what is wrong with it goes no further.
        frame.Drop();
        if (udp.Payload.Length < HeaderLength || udp.Payload[0] != (isRequest ? Request : Answer)
            || !ip.HasValidHeaderChecksum || !udp.HasValidChecksum(ip))
            Malformed.Increment();
        else if (isRequest) ReceiveRequest(ref frame, ethernet, ip, udp);
        else ReceiveAnswer(ref frame, ethernet, ip, udp);
    }

    private void ReceiveRequest(ref Frame frame, Ethernet ethernet, IPv4 ip, Udp udp)
    {
        var header = udp.Payload[..HeaderLength];
        var group = BinaryPrimitives.ReadUInt16BigEndian(header[GroupOffset..]);
        if (group >= _first.Length)
        {
            Malformed.Increment();
            return;
        }
        int first = _first[group], second = _second[group];
        _lastRequest = Math.Max(_lastRequest + 1, 1); // 0 says that a place of the filters is empty
        BinaryPrimitives.WriteUInt32BigEndian(header[RequestOffset..], _lastRequest);

        if (_states[first] == 0 && _states[second] == 0)
        {
            Direct(ethernet, ip, udp, first, FirstOfTwo);
            frame.Send(PortSet.Of(s_servers));
            Direct(ethernet, ip, udp, second, SecondOfTwo);
            Cloned.Increment();
        }
        else
        {
            Direct(ethernet, ip, udp, first, Alone);
            Plain.Increment();
        }
        frame.ForwardTo(s_servers);
    }

    /// <summary>Makes a packet one for a server.</summary>
    private void Direct(Ethernet ethernet, IPv4 ip, Udp udp, int server, byte clone)
    {
        udp.Payload[CloneOffset] = clone;
        ethernet.Destination = _serverMacs[server];
        ip.SetDestination(_servers[server]);
        udp.WriteChecksum(ip);
    }

    private void ReceiveAnswer(ref Frame frame, Ethernet ethernet, IPv4 ip, Udp udp)
    {
        var header = udp.Payload[..HeaderLength];
        int server = header[ServerOffset];
        if (server >= _servers.Length || ip.Source != _servers[server] || header[CloneOffset] > SecondOfTwo)
        {
            Malformed.Increment();
            return;
        }
        _states[server] = header[StateOffset];

        var request = BinaryPrimitives.ReadUInt32BigEndian(header[RequestOffset..]);
        if (header[CloneOffset] != Alone && IsSlower(request, header[FilterOffset]))
        {
            Slower.Increment();
            return;
        }
        // The client hears from whom it has asked.
        ethernet.Source = _mac;
        udp.UpdateChecksum(ip.SetSource(_address));
        Answered.Increment();
        frame.ForwardTo(s_clients);
    }

    /// <summary>
    /// True for the second of two answers. One whose place another request has taken counts as the first.
    /// </summary>
    private bool IsSlower(uint request, byte filter)
    {
        ref var place = ref _answered[filter % Filters * FilterSize + (int)(request % FilterSize)];
        var isSlower = place == request;
        place = isSlower ? 0 : request;
        return isSlower;
    }
}
