using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A DHCP server for the hosts of one link, without relays: it lends the addresses of a pool and tells the router and
/// the server of names (RFC 2131 §4.3, RFC 2132).
/// </summary>
/// <param name="address">The address of the server, and of its link.</param>
/// <param name="mac">Its MAC address.</param>
/// <param name="first">The first address of the pool.</param>
/// <param name="router">The router that hosts are told.</param>
/// <param name="nameServer">The server of names that hosts are told.</param>
/// <param name="prefix">The length of the link's prefix.</param>
/// <param name="leaseSeconds">How long an address is lent.</param>
public sealed class DhcpServer(
    IPv4Address address, MacAddress mac, IPv4Address first, IPv4Address router, IPv4Address nameServer,
    int prefix = 24, uint leaseSeconds = 3600) : Service
{
    private const ushort ServerPort = 67, ClientPort = 68;
    private const int PoolSize = 32, OptionsOffset = 240, Answer = OptionsOffset + 3 + 4 * 6 + 6 + 1;
    private const uint Magic = 0x63825363, OfferSeconds = 60;
    private const byte Pad = 0, End = 255, Mask = 1, Router = 3, NameServer = 6;
    private const byte Requested = 50, LeaseTime = 51, MessageType = 53, ServerIdentifier = 54;

    private enum Message : byte
    {
        None,
        Discover = 1,
        Offer,
        Request,
        Acknowledge = 5,
        Refuse,
        Release = 7,
    }

    private struct Lease
    {
        public MacAddress Owner;
        public ulong Expiry;
    }

    private record struct Options(Message Message, IPv4Address Requested, IPv4Address Server);

    private readonly Lease[] _pool = new Lease[PoolSize];

    /// <summary>Addresses offered.</summary>
    public Counter Offered { get; } = new();

    /// <summary>Addresses lent, anew or again.</summary>
    public Counter Acknowledged { get; } = new();

    /// <summary>Requests refused.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Addresses given back.</summary>
    public Counter Released { get; } = new();

    /// <summary>Hosts for which there was no address.</summary>
    public Counter Exhausted { get; } = new();

    /// <summary>Requests dropped: malformed, or of a kind that is not answered.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (!ip.Destination.IsBroadcast && ip.Destination != address) return;
        if (ip.Protocol != IPProtocol.Udp || ip.IsFragment || ip.HeaderLength != IPv4.MinHeaderLength) return;
        if (!Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != ServerPort) return;
        var request = udp.Payload;
        if (!udp.HasValidChecksum(ip) || request.Length < OptionsOffset || request[0] != 1 || request[1] != 1
            || request[2] != MacAddress.Length || request.GetUInt32(236) != Magic
            || !TryReadOptions(request[OptionsOffset..], out var options))
        {
            Malformed.Increment();
            return;
        }
        if (!options.Server.IsUnspecified && options.Server != address) return; // it has chosen another

        var host = request.GetMacAddress(28);
        var current = request.GetIPv4Address(12);
        var place = Find(host, frame.Seconds);
        switch (options.Message)
        {
            case Message.Discover when place < 0:
                Exhausted.Increment();
                break;
            case Message.Discover:
                _pool[place] = new Lease { Owner = host, Expiry = frame.Seconds + OfferSeconds };
                Offered.Increment();
                WriteAnswer(ref frame, Message.Offer, AddressOf(place));
                break;
            case Message.Request:
                var wanted = options.Requested.IsUnspecified ? current : options.Requested;
                if (place < 0 || AddressOf(place) != wanted || _pool[place].Owner != host)
                {
                    Refused.Increment();
                    WriteAnswer(ref frame, Message.Refuse, default);
                    break;
                }
                _pool[place].Expiry = frame.Seconds + leaseSeconds;
                Acknowledged.Increment();
                WriteAnswer(ref frame, Message.Acknowledge, wanted);
                break;
            case Message.Release when place >= 0 && _pool[place].Owner == host:
                _pool[place].Expiry = 0;
                Released.Increment();
                break;
            default:
                Malformed.Increment();
                break;
        }
    }

    private static bool TryReadOptions(Span<byte> bytes, out Options options)
    {
        options = default;
        while (bytes.Length > 0 && bytes[0] != End)
        {
            if (bytes[0] == Pad)
            {
                bytes = bytes[1..];
                continue;
            }
            if (bytes.Length < 2 || bytes.Length < 2 + bytes[1]) return false;
            var value = bytes.Slice(2, bytes[1]);
            switch (bytes[0])
            {
                case MessageType when value.Length == 1:
                    options.Message = (Message)value[0];
                    break;
                case Requested when value.Length == 4:
                    options.Requested = value.GetIPv4Address(0);
                    break;
                case ServerIdentifier when value.Length == 4:
                    options.Server = value.GetIPv4Address(0);
                    break;
                case MessageType or Requested or ServerIdentifier:
                    return false;
            }
            bytes = bytes[(2 + value.Length)..];
        }
        return bytes.Length > 0 && options.Message != Message.None;
    }

    /// <summary>The place of a host's own address, or of one that is free; -1 if there is none.</summary>
    private int Find(MacAddress host, ulong seconds)
    {
        var free = -1;
        for (var i = 0; i < _pool.Length; i++)
        {
            if (_pool[i].Owner == host) return i;
            if (free < 0 && _pool[i].Expiry <= seconds) free = i;
        }
        return free;
    }

    private IPv4Address AddressOf(int place) => new(first.Bits + (uint)place);

    private void WriteAnswer(ref Frame frame, Message message, IPv4Address lent)
    {
        var request = frame.Bytes[(Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength)..];
        var (transaction, flags) = (request.GetUInt32(4), request.GetUInt16(10));
        var (current, host) = (request.GetIPv4Address(12), request.GetMacAddress(28));

        frame.Resize(0);
        frame.Resize(Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + Answer);
        var toAll = message == Message.Refuse || (flags & 0x8000) != 0;
        var ethernet = new Ethernet(frame)
        {
            Destination = toAll ? MacAddress.Broadcast : host,
            Source = mac,
            EtherType = EtherType.IPv4,
        };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Ttl, ip.Protocol, ip.Source) = (IPv4.DefaultTtl, IPProtocol.Udp, address);
        ip.Destination = toAll ? new IPv4Address(uint.MaxValue) : !current.IsUnspecified ? current : lent;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (ServerPort, ClientPort);

        var answer = udp.Payload;
        (answer[0], answer[1], answer[2]) = (2, 1, MacAddress.Length);
        answer.SetUInt32(4, transaction);
        answer.SetUInt16(10, flags);
        if (message == Message.Acknowledge) answer.SetIPv4Address(12, current);
        answer.SetIPv4Address(16, lent);
        answer.SetMacAddress(28, host);
        answer.SetUInt32(236, Magic);

        var options = answer[OptionsOffset..];
        (options[0], options[1], options[2]) = (MessageType, 1, (byte)message);
        options = options[3..];
        Put(ref options, ServerIdentifier, address.Bits);
        if (message != Message.Refuse)
        {
            Put(ref options, LeaseTime, leaseSeconds);
            Put(ref options, Mask, uint.MaxValue << (32 - prefix));
            Put(ref options, Router, router.Bits);
            Put(ref options, NameServer, nameServer.Bits);
        }
        options[0] = End;
        udp.WriteChecksum(ip);
        frame.Reply();
    }

    private static void Put(ref Span<byte> options, byte type, uint value)
    {
        (options[0], options[1]) = (type, 4);
        options.SetUInt32(2, value);
        options = options[6..];
    }
}
