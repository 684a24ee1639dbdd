using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Stands before an end of WireGuard: initiations at a rate, and data only of sessions whose index was agreed in a
/// handshake that has passed.
/// </summary>
public sealed class WireGuardGate(IPv4Address server, int rate = 100_000, int burst = 8) : Service
{
    private const ushort Port = 51820;
    private const byte Initiation = 1, Response = 2, Cookie = 3, Data = 4;

    private readonly AgeingTable<IPv4Address, byte> _sessions = new(1024, 180, 37);
    private readonly TokenBuckets _initiations = new(256, rate, burst);

    public Counter Handshakes { get; } = new();

    public Counter Packets { get; } = new();

    public Counter TooMany { get; } = new();

    public Counter Unknown { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && !ip.IsFragment && Udp.TryParse(ip.Payload, out var udp)
            && (ip.Destination == server && udp.DestinationPort == Port
                || ip.Source == server && udp.SourcePort == Port)
            && !MayPass(frame, ip, udp.Payload))
            return;
        frame.Flood();
    }

    private bool MayPass(in Frame frame, IPv4 ip, Span<byte> message)
    {
        if (message.Length < 4 || message[1] != 0 || message[2] != 0 || message[3] != 0) return Refuse();
        switch (message[0])
        {
            case Initiation when message.Length == 148 && ip.Destination == server:
                if (!_initiations.TryTake((int)(ip.Source.Bits & 255), 1, frame.Time))
                {
                    TooMany.Increment();
                    return false;
                }
                Handshakes.Increment();
                return true;
            case Response when message.Length == 92 && ip.Source == server:
                // The sender's index: what the client will send its data to.
                _sessions.Set(new IPv4Address(BinaryPrimitives.ReadUInt32LittleEndian(message[4..])), 1, frame.Seconds);
                return true;
            case Cookie when message.Length == 64:
                return true;
            case Data when message.Length >= 32 && message.Length % 16 == 0:
                if (ip.Destination == server && !_sessions.TryGet(
                    new IPv4Address(BinaryPrimitives.ReadUInt32LittleEndian(message[4..])), frame.Seconds, out _))
                {
                    Unknown.Increment();
                    return false;
                }
                Packets.Increment();
                return true;
            default:
                return Refuse();
        }
    }

    private bool Refuse()
    {
        Malformed.Increment();
        return false;
    }
}
