using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A DHCP relay with the relay agent's option (RFC 3046): requests of clients get option 82 in the place of their end
/// mark and go to the server; answers lose it and go to the port that it names.
/// </summary>
public sealed class DhcpRelay(
    IPv4Address address, MacAddress mac, IPv4Address server, MacAddress serverMac, int serverPort = 3) : Service
{
    private const ushort ServerPort = 67, ClientPort = 68;
    private const int Options = 240, OptionLength = 6, HopsOffset = 3, RelayOffset = 24, ClientMacOffset = 28;
    private const byte RelayInformation = 82, CircuitId = 1, Pad = 0, End = 255;
    private const uint Cookie = 0x63825363;

    public Counter Requests { get; } = new();

    public Counter Replies { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != ServerPort)
            return;
        var message = udp.Payload;
        if (message.Length <= Options || BinaryPrimitives.ReadUInt32BigEndian(message[(Options - 4)..]) != Cookie
            || message[HopsOffset] >= 16)
        {
            Dropped.Increment();
            return;
        }
        if (message[0] == 1 && frame.Ingress.Index != serverPort) Relay(ref frame);
        else if (message[0] == 2 && frame.Ingress.Index == serverPort) Answer(ref frame);
        else Dropped.Increment();
    }

    /// <summary>The place at which a kind of option begins, or -1.</summary>
    private static int Find(ReadOnlySpan<byte> message, byte kind)
    {
        var at = Options;
        while (at < message.Length)
        {
            if (message[at] == kind) return at;
            if (message[at] == End) return -1;
            if (message[at] == Pad)
            {
                at++;
                continue;
            }
            if (at + 1 >= message.Length) return -1;
            at += 2 + message[at + 1];
        }
        return -1;
    }

    private void Relay(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || ip.HeaderLength != IPv4.MinHeaderLength
            || !Udp.TryParse(ip.Payload, out var udp))
            return;
        var message = udp.Payload;
        var end = Find(message, End);
        if (end < 0)
        {
            Dropped.Increment();
            return;
        }
        message[HopsOffset]++;
        if (BinaryPrimitives.ReadUInt32BigEndian(message[RelayOffset..]) == 0)
            BinaryPrimitives.WriteUInt32BigEndian(message[RelayOffset..], address.Bits);

        var port = frame.Ingress.Index;
        var start = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
        frame.Resize(start + end + OptionLength);
        var option = frame.Bytes[(start + end)..];
        option[0] = RelayInformation;
        option[1] = 3;
        option[2] = CircuitId;
        option[3] = 1;
        option[4] = port;
        option[5] = End;

        ethernet = new Ethernet(frame) { Source = mac, Destination = serverMac };
        if (!IPv4.TryInitialize(ethernet.Payload, out var newIP)) return;
        newIP.Ttl = 64;
        newIP.Protocol = IPProtocol.Udp;
        newIP.Source = address;
        newIP.Destination = server;
        newIP.WriteHeaderChecksum();
        if (!Udp.TryInitialize(newIP.Payload, out var newUdp)) return;
        newUdp.SourcePort = ServerPort;
        newUdp.DestinationPort = ServerPort;
        newUdp.Checksum = 0;
        Requests.Increment();
        frame.ForwardTo(new PortId(serverPort));
    }

    private void Answer(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || ip.HeaderLength != IPv4.MinHeaderLength
            || !Udp.TryParse(ip.Payload, out var udp))
            return;
        var message = udp.Payload;
        var option = Find(message, RelayInformation);
        if (option < 0 || option + OptionLength > message.Length || message[option + 2] != CircuitId)
        {
            Dropped.Increment();
            return;
        }
        var port = message[option + 4];
        // The relay's option is the last: an end mark takes its place, and pads follow.
        message[option] = End;
        ethernet.Source = mac;
        ethernet.Destination = new MacAddress(
            (ulong)BinaryPrimitives.ReadUInt16BigEndian(message[ClientMacOffset..]) << 32
            | BinaryPrimitives.ReadUInt32BigEndian(message[(ClientMacOffset + 2)..]));
        udp.DestinationPort = ClientPort;
        udp.Checksum = 0;
        Replies.Increment();
        frame.ForwardTo(new PortId(port & 3));
    }
}
