using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets requests of RADIUS pass only if they have a Message-Authenticator (RFC 3579 §3.2): walks their attributes.
/// </summary>
public sealed class RadiusGuard : Service
{
    private const ushort Port = 1812;
    private const int HeaderLength = 20;
    private const byte MessageAuthenticator = 80, AuthenticatorLength = 18;

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == Port
            && !IsAuthentic(udp.Payload))
        {
            Dropped.Increment();
            return;
        }
        frame.Flood();
    }

    private static bool IsAuthentic(ReadOnlySpan<byte> packet)
    {
        if (packet.Length < HeaderLength) return false;
        var end = BinaryPrimitives.ReadUInt16BigEndian(packet[2..]);
        if (end > packet.Length) return false;
        var isFound = false;
        for (var at = HeaderLength; at + 2 <= end;)
        {
            var (type, length) = (packet[at], packet[at + 1]);
            if (length < 2 || at + length > end) return false;
            if (type == MessageAuthenticator && length == AuthenticatorLength) isFound = true;
            at += length;
        }
        return isFound;
    }
}
