using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets web sockets begin at one path alone (RFC 6455), and drops what clients send in them without a mask or longer
/// than a limit.
/// </summary>
public sealed class WebSocketGate(ushort port = 8080, ulong longest = 4096) : Service
{
    private readonly record struct Connection(IPv4Address Client, ushort Port) : ITableKey<Connection>
    {
        public static int Width => 48;

        public UInt128 KeyBits => (UInt128)Client.Bits << 16 | Port;
    }

    private readonly AgeingTable<Connection, byte> _sockets = new(1024, 3600, 41);

    public Counter Upgrades { get; } = new();

    public Counter Refused { get; } = new();

    public Counter Unmasked { get; } = new();

    public Counter TooLong { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp) || tcp.DestinationPort != port
            || tcp.Payload.Length == 0)
            return;
        var connection = new Connection(ip.Source, tcp.SourcePort);
        if (_sockets.TryGet(connection, frame.Seconds, out _))
        {
            if (!IsAllowed(tcp.Payload)) frame.Drop();
            return;
        }
        if (tcp.Payload.IndexOf("\r\nUpgrade: websocket\r\n"u8) < 0) return;
        if (!tcp.Payload.StartsWith("GET /chat "u8) || tcp.Payload.IndexOf("\r\nSec-WebSocket-Key: "u8) < 0)
        {
            Refused.Increment();
            frame.Drop();
            return;
        }
        Upgrades.Increment();
        _sockets.Set(connection, 1, frame.Seconds);
    }

    private bool IsAllowed(ReadOnlySpan<byte> message)
    {
        if (message.Length < 2) return true;
        ulong length = (uint)message[1] & 127;
        if (length == 126 && message.Length >= 4) length = BinaryPrimitives.ReadUInt16BigEndian(message[2..]);
        else if (length == 127 && message.Length >= 10) length = BinaryPrimitives.ReadUInt64BigEndian(message[2..]);
        if ((message[1] & 128) == 0)
        {
            Unmasked.Increment();
            return false;
        }
        if (length > longest)
        {
            TooLong.Increment();
            return false;
        }
        return true;
    }
}
