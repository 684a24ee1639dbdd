using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A small server of constrained devices with one resource of eight bytes: who asks for it with the option Observe is
/// told each new value, in a message of its own (RFC 7252 §3, §5; RFC 7641 §3, §4).
/// </summary>
/// <param name="mac">Of the server.</param>
/// <param name="address">Of the server.</param>
/// <param name="path">The name of the resource, of one segment.</param>
public sealed class CoapNotifier(MacAddress mac, IPv4Address address, string path = "t") : Service
{
    private const int MaxObservers = 8;
    private const ushort CoapPort = 5683;
    private const byte Get = 1, Put = 3, Content = 0x45, Changed = 0x44, NotFound = 0x84, BadOption = 0x82;
    private const int ValueLength = 8;

    private readonly Observer[] _observers = new Observer[MaxObservers];
    private readonly byte[] _path = System.Text.Encoding.ASCII.GetBytes(path);
    private ulong _value;
    private uint _sequence = 2;
    private ushort _messageId = 0x4000;

    private struct Observer
    {
        public bool IsActive;
        public PortId Port;
        public MacAddress Mac;
        public IPv4Address Address;
        public ushort UdpPort;
        public byte TokenLength;
        public ulong Token;
    }

    private struct Request
    {
        public bool IsForResource;
        public bool IsBad;
        public bool HasObserve;
        public uint Observe;
        public ulong Value;
    }

    /// <summary>Requests that were answered.</summary>
    public Counter Answered { get; } = new();

    /// <summary>Messages to observers.</summary>
    public Counter Notified { get; } = new();

    /// <summary>Messages that are none, or that no one can be told about.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Destination != address || ip.IsFragment || ip.Protocol != IPProtocol.Udp
            || !Udp.TryParse(ip.Payload, out var udp) || udp.DestinationPort != CoapPort) return;
        var message = udp.Payload;
        if (message.Length < 4 || message[0] >> 6 != 1 || (message[0] & 15) > 8 || message[0] >> 4 is not (4 or 5)
            || message.Length < 4 + (message[0] & 15))
        {
            Malformed.Increment();
            return;
        }
        var from = new Observer
        {
            IsActive = true,
            Port = frame.Ingress,
            Mac = ethernet.Source,
            Address = ip.Source,
            UdpPort = udp.SourcePort,
            TokenLength = (byte)(message[0] & 15),
        };
        for (var i = 0; i < from.TokenLength; i++) from.Token = from.Token << 8 | message[4 + i];
        var (code, id) = (message[1], message.GetUInt16(2));
        var type = message[0] >> 4 == 4 ? 2 : 1;
        var request = Read(message[(4 + from.TokenLength)..]);
        Answered.Increment();
        if (request.IsBad) Write(ref frame, from, type, BadOption, id, false);
        else if (!request.IsForResource) Write(ref frame, from, type, NotFound, id, false);
        else if (code == Put)
        {
            _value = request.Value;
            _sequence = (_sequence + 1) & 0xFF_FFFF;
            Write(ref frame, from, type, Changed, id, false);
            Notify(ref frame);
        }
        else if (code == Get)
        {
            var isObserved = request.HasObserve && request.Observe <= 1 && Register(from, request.Observe == 0);
            Write(ref frame, from, type, Content, id, isObserved);
        }
    }

    /// <summary>Adds an observer, or takes it away.</summary>
    /// <returns>True if it is one now.</returns>
    private bool Register(Observer who, bool isWanted)
    {
        var place = -1;
        for (var i = 0; i < _observers.Length; i++)
        {
            ref var other = ref _observers[i];
            if (other.IsActive && other.Address == who.Address && other.UdpPort == who.UdpPort)
            {
                place = i;
                break;
            }
            if (!other.IsActive && place < 0) place = i;
        }
        if (place < 0) return false;
        if (isWanted) _observers[place] = who;
        else _observers[place].IsActive = false;
        return isWanted;
    }

    private void Notify(ref Frame frame)
    {
        foreach (var observer in _observers)
        {
            if (!observer.IsActive) continue;
            Write(ref frame, observer, 1, Content, _messageId++, true);
            Notified.Increment();
        }
    }

    private Request Read(ReadOnlySpan<byte> bytes)
    {
        var request = new Request();
        var (at, number) = (0, 0);
        while (at < bytes.Length && bytes[at] != 0xFF)
        {
            var (delta, length) = (bytes[at] >> 4, bytes[at] & 15);
            at++;
            if (delta > 13 || length > 13) return new Request { IsBad = true };
            if (delta == 13 && at < bytes.Length) delta += bytes[at++];
            if (length == 13 && at < bytes.Length) length += bytes[at++];
            if (at + length > bytes.Length) return new Request { IsBad = true };
            number += delta;
            var value = bytes.Slice(at, length);
            at += length;
            switch (number)
            {
                case 6 when length <= 3:
                    request.HasObserve = true;
                    foreach (var b in value) request.Observe = request.Observe << 8 | b;
                    break;
                case 11:
                    request.IsForResource = value.SequenceEqual(_path);
                    break;
                case 3 or 7 or 12 or 15 or 17:
                    break;
                default:
                    if ((number & 1) != 0) request.IsBad = true;
                    break;
            }
        }
        for (var i = at + 1; i < bytes.Length && i <= at + ValueLength; i++)
            request.Value = request.Value << 8 | bytes[i];
        return request;
    }

    private void Write(ref Frame frame, in Observer to, int type, byte code, ushort id, bool hasObserve)
    {
        var hasValue = code == Content;
        const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
        frame.Resize(Headers + 4 + to.TokenLength + (hasObserve ? 4 : 0) + (hasValue ? 1 + ValueLength : 0));
        var ethernet = new Ethernet(frame) { Destination = to.Mac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip) || !Udp.TryInitialize(ip.Payload, out var udp)) return;
        (ip.Source, ip.Destination, ip.Protocol, ip.Ttl) = (address, to.Address, IPProtocol.Udp, IPv4.DefaultTtl);
        ip.WriteHeaderChecksum();
        (udp.SourcePort, udp.DestinationPort) = (CoapPort, to.UdpPort);
        var message = udp.Payload;
        message[0] = (byte)(0x40 | type << 4 | to.TokenLength);
        message[1] = code;
        message.SetUInt16(2, id);
        for (var i = 0; i < to.TokenLength; i++) message[4 + i] = (byte)(to.Token >> 8 * (to.TokenLength - 1 - i));
        var rest = message[(4 + to.TokenLength)..];
        if (hasObserve)
        {
            rest.SetUInt32(0, 0x6300_0000 | _sequence);
            rest = rest[4..];
        }
        if (hasValue)
        {
            rest[0] = 0xFF;
            rest.SetUInt64(1, _value);
        }
        udp.WriteChecksum(ip);
        frame.Send(PortSet.Of(to.Port));
    }
}
