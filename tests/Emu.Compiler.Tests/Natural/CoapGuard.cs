using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Counts requests of CoAP (RFC 7252) by method, drops those that would change what is below "config", and answers a
/// ping with a reset.
/// </summary>
public sealed class CoapGuard(IPv4Address server) : Service
{
    private const ushort Port = 5683;
    private const int UriPath = 11;
    private const byte PayloadMarker = 0xFF;

    [Control]
    public ulong[] Methods { get; } = new ulong[8];

    public Counter Pings { get; } = new();

    public Counter Forbidden { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Destination != server || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Port)
        {
            frame.Flood();
            return;
        }
        var message = udp.Payload;
        if (message.Length < 4 || message[0] >> 6 != 1 || (message[0] & 15) > 8)
        {
            Malformed.Increment();
            return;
        }
        var code = message[1];
        if (code == 0 && message.Length == 4)
        {
            // An empty confirmable message is a ping.
            message[0] = 0x70;
            (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
            (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
            (udp.SourcePort, udp.DestinationPort) = (udp.DestinationPort, udp.SourcePort);
            udp.WriteChecksum(ip);
            Pings.Increment();
            frame.Reply();
            return;
        }
        Methods[code & 7]++;
        if (code is 2 or 3 or 4 && IsConfiguration(message, out var isMalformed))
        {
            if (isMalformed) Malformed.Increment();
            else Forbidden.Increment();
            return;
        }
        frame.Flood();
    }

    /// <summary>True if the first part of the path is "config", or the options end early.</summary>
    private static bool IsConfiguration(ReadOnlySpan<byte> message, out bool isMalformed)
    {
        isMalformed = false;
        var number = 0;
        var at = 4 + (message[0] & 15);
        while (at < message.Length && message[at] != PayloadMarker)
        {
            var delta = message[at] >> 4;
            var length = message[at] & 15;
            at++;
            if (delta == 13)
            {
                if (at >= message.Length) break;
                delta = message[at++] + 13;
            }
            if (length == 13)
            {
                if (at >= message.Length) break;
                length = message[at++] + 13;
            }
            number += delta;
            if (at + length > message.Length || delta == 14 || length == 14)
            {
                isMalformed = true;
                return true;
            }
            if (number == UriPath) return message.Slice(at, length).SequenceEqual("config"u8);
            if (number > UriPath) return false;
            at += length;
        }
        return false;
    }
}
