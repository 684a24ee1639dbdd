using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Joins its ports as a hub does, remembers which stations are there, and tells a collector by syslog when one comes,
/// moves to another port, or was not heard for a time (RFC 5424, RFC 5426).
/// </summary>
/// <remarks>
/// Stations whose addresses have one hash share a place: the newer one is remembered when the older has left. At most
/// 32 messages wait.
/// </remarks>
/// <param name="mac">The MAC address that messages come from.</param>
/// <param name="address">The IPv4 address that messages come from.</param>
/// <param name="collector">The IPv4 address of the collector.</param>
/// <param name="collectorMac">The MAC address of the collector.</param>
/// <param name="idleMilliseconds">The time after which a station that was not heard has left.</param>
/// <param name="places">Stations that there is room for: a power of two, 2 to 4096.</param>
public sealed class PresenceMonitor(
    MacAddress mac, IPv4Address address, IPv4Address collector, MacAddress collectorMac, uint idleMilliseconds = 500,
    int places = 64) : Service
{
    private const ushort Port = 514;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const int IdOffset = 24, StationOffset = 31, PortOffset = 54;

    private enum Change : byte
    {
        Join,
        Move,
        Left,
    }

    private struct Place
    {
        public MacAddress Station;
        public PortId Port;
        public bool IsTaken;
        public ulong Heard;
    }

    private readonly record struct Notice(MacAddress Station, PortId Port, Change Change);

    private readonly Place[] _places = new Place[
        places is >= 2 and <= 4096 && BitOperations.IsPow2(places)
            ? places
            : throw new ArgumentOutOfRangeException(nameof(places), places, "a power of two from 2 to 4096")];

    private readonly H3Hash _hash = new(MacAddress.Width, BitOperations.Log2((uint)places), seed: 5);
    private readonly Fifo<Notice> _notices = new(32);
    private readonly ulong _idle = idleMilliseconds * 1_000_000ul;
    private int _next;

    public override ulong TickInterval => 1_000_000;

    /// <summary>Messages sent.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Changes of which no message was sent, since too many waited.</summary>
    public Counter Missed { get; } = new();

    /// <summary>Frames of stations for which there was no room.</summary>
    public Counter Crowded { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var source = new Ethernet(frame).Source;
        if (source.IsGroup) return;
        ref var place = ref _places[_hash.Index(source.KeyBits)];
        if (!place.IsTaken)
        {
            place = new Place { Station = source, Port = frame.Ingress, IsTaken = true, Heard = frame.Time };
            Tell(new Notice(source, frame.Ingress, Change.Join));
            return;
        }
        if (place.Station != source)
        {
            Crowded.Increment();
            return;
        }
        place.Heard = frame.Time;
        if (place.Port == frame.Ingress) return;
        place.Port = frame.Ingress;
        Tell(new Notice(source, frame.Ingress, Change.Move));
    }

    public override void Tick(ref Frame frame)
    {
        ref var place = ref _places[_next];
        _next = (_next + 1) % _places.Length;
        if (place.IsTaken && frame.Time - place.Heard > _idle)
        {
            place.IsTaken = false;
            Tell(new Notice(place.Station, place.Port, Change.Left));
        }
        if (_notices.TryDequeue(out var notice)) Send(ref frame, notice);
    }

    private void Tell(Notice notice)
    {
        if (!_notices.TryEnqueue(notice)) Missed.Increment();
    }

    private void Send(ref Frame frame, Notice notice)
    {
        var text = "<133>1 - emu presence - JOIN - 00:00:00:00:00:00 port 00"u8;
        frame.Resize(Headers + text.Length);
        var message = frame.Bytes[Headers..];
        text.CopyTo(message);
        var id = notice.Change switch { Change.Join => "JOIN"u8, Change.Move => "MOVE"u8, _ => "LEFT"u8 };
        id.CopyTo(message[IdOffset..]);
        for (var i = 0; i < MacAddress.Length; i++)
        {
            var octet = (byte)(notice.Station.Bits >> 8 * (MacAddress.Length - 1 - i));
            message[StationOffset + 3 * i] = Hex(octet >> 4);
            message[StationOffset + 3 * i + 1] = Hex(octet & 0xF);
        }
        message[PortOffset] = (byte)('0' + notice.Port.Index / 10);
        message[PortOffset + 1] = (byte)('0' + notice.Port.Index % 10);

        var ethernet = new Ethernet(frame) { Destination = collectorMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (IPv4.DefaultTtl, IPProtocol.Udp, address, collector);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (Port, Port);
        udp.WriteChecksum(ip);
        Sent.Increment();
        frame.ForwardTo(frame.Ports);
    }

    private static byte Hex(int digit) => (byte)(digit < 10 ? '0' + digit : 'a' + digit - 10);
}
