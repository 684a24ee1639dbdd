using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// A time server (RFC 5905 §8, mode 4): answers clients with the time at which their request arrived.
/// </summary>
/// <remarks>Not done: symmetric and broadcast modes, authentication, leap seconds, IPv6.</remarks>
/// <example>--address 10.0.0.2 --stratum 1</example>
/// <param name="address">The host's IPv4 address.</param>
/// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address.</param>
/// <param name="stratum">The distance from a reference clock, 1 to 15 (RFC 5905 figure 11).</param>
public sealed class TimeServer(IPv4Address address, MacAddress mac = default, byte stratum = 1) : Service
{
    private const ushort Port = 123;
    private const int HeaderLength = 48;
    private const byte Client = 3, Server = 4;
    private const int RootDelay = 4, Origin = 24, Receive = 32, Transmit = 40;

    /// <summary>The seconds from 1900, the era's beginning, to 1970 (RFC 5905 §6).</summary>
    private const ulong SecondsTo1970 = 2_208_988_800;

    private const ulong NanosecondsPerSecond = 1_000_000_000;
    private const byte FreshTtl = 64;

    private readonly MacAddress _mac = mac == default ? MacAddress.Of(address) : mac;
    private readonly ArpResponder _arp = new(address, mac == default ? MacAddress.Of(address) : mac);

    /// <summary>Requests answered.</summary>
    public Counter Answered { get; } = new();

    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>Dropped: all else.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp && Arp.TryParse(ethernet.Payload, out var arp)
            && ArpResponder.IsValid(arp) && _arp.IsForUs(arp))
        {
            _arp.Answer(ref frame, arp);
            ArpReplies.Increment();
        }
        else if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.HasValidHeaderChecksum && ip.Destination == address && ip.Source.CanBeSource
            && ip.Protocol == IPProtocol.Udp && !ip.IsFragment
            && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Port && udp.HasValidChecksum(ip)
            && udp.Payload.Length >= HeaderLength && (udp.Payload[0] & 7) == Client)
        {
            Answer(udp.Payload, frame.Time);
            (udp.SourcePort, udp.DestinationPort) = (Port, udp.SourcePort);
            (ip.Source, ip.Destination) = (address, ip.Source);
            ip.Ttl = FreshTtl;
            ip.WriteHeaderChecksum();
            udp.WriteChecksum(ip);
            (ethernet.Source, ethernet.Destination) = (_mac, ethernet.Source);
            Answered.Increment();
            frame.Reply();
        }
        else
        {
            Dropped.Increment();
        }
    }

    /// <summary>Turns a client's message into the answer to it.</summary>
    private void Answer(Span<byte> message, ulong time)
    {
        var now = Timestamp(time);
        message[0] = (byte)(message[0] & 0x38 | Server); // the version stays
        message[1] = stratum;
        message[RootDelay..Origin].Clear();
        BinaryPrimitives.WriteUInt64BigEndian(
            message[Origin..], BinaryPrimitives.ReadUInt64BigEndian(message[Transmit..]));
        BinaryPrimitives.WriteUInt64BigEndian(message[Receive..], now);
        BinaryPrimitives.WriteUInt64BigEndian(message[Transmit..], now);
    }

    /// <summary>Seconds of the era in 32 bits, and their fraction in as many (RFC 5905 figure 3).</summary>
    private static ulong Timestamp(ulong time)
    {
        var (seconds, rest) = (time / NanosecondsPerSecond, time % NanosecondsPerSecond);
        return (seconds + SecondsTo1970) << 32 | (rest << 32) / NanosecondsPerSecond;
    }
}
