using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Announces itself by LLDP (IEEE 802.1AB) each second, and keeps which station is behind each port; what is not LLDP
/// passes between ports 0 and 1, and 2 and 3.
/// </summary>
public sealed class LldpNeighbors(MacAddress mac, ushort lifetime = 120) : Service
{
    private const EtherType Lldp = (EtherType)0x88CC;
    private const ulong NearestBridge = 0x0180_C200_000E;
    private const int End = 0, ChassisId = 1, PortIdentity = 2, TimeToLive = 3;

    private struct Neighbor
    {
        public ulong Chassis;
        public ulong Until;
        public bool IsThere;
    }

    private readonly Neighbor[] _neighbors = new Neighbor[4];

    public override ulong TickInterval => 1_000_000_000;

    public Counter Heard { get; } = new();

    public Counter Malformed { get; } = new();

    public Counter Moved { get; } = new();

    public Counter Sent { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != Lldp)
        {
            frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
            return;
        }
        Heard.Increment();
        if (!TryRead(ethernet.Payload, out var chassis, out var seconds))
        {
            Malformed.Increment();
            return;
        }
        ref var neighbor = ref _neighbors[frame.Ingress.Index & 3];
        if (neighbor.IsThere && neighbor.Chassis != chassis) Moved.Increment();
        neighbor.Chassis = chassis;
        neighbor.Until = frame.Seconds + seconds;
        neighbor.IsThere = seconds != 0;
    }

    public override void Tick(ref Frame frame)
    {
        for (var i = 0; i < _neighbors.Length; i++)
        {
            if (frame.Seconds >= _neighbors[i].Until) _neighbors[i].IsThere = false;
        }
        frame.Resize(60);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = new MacAddress(NearestBridge);
        ethernet.Source = mac;
        ethernet.EtherType = Lldp;
        var at = ethernet.Payload;
        BinaryPrimitives.WriteUInt16BigEndian(at, ChassisId << 9 | 7);
        at[2] = 4;
        BinaryPrimitives.WriteUInt16BigEndian(at[3..], (ushort)(mac.Bits >> 32));
        BinaryPrimitives.WriteUInt32BigEndian(at[5..], (uint)mac.Bits);
        BinaryPrimitives.WriteUInt16BigEndian(at[9..], PortIdentity << 9 | 2);
        at[11] = 7;
        at[12] = (byte)'0';
        BinaryPrimitives.WriteUInt16BigEndian(at[13..], TimeToLive << 9 | 2);
        BinaryPrimitives.WriteUInt16BigEndian(at[15..], lifetime);
        Sent.Increment();
        frame.ForwardTo(frame.Ports);
    }

    private static bool TryRead(ReadOnlySpan<byte> units, out ulong chassis, out ushort seconds)
    {
        chassis = 0;
        seconds = 0;
        var seen = 0;
        while (units.Length >= 2)
        {
            var head = BinaryPrimitives.ReadUInt16BigEndian(units);
            var (type, length) = (head >> 9, head & 0x1FF);
            if (units.Length < 2 + length) return false;
            var value = units.Slice(2, length);
            switch (type)
            {
                case End:
                    return seen == 7;
                case ChassisId:
                    // A MAC address; others are cut.
                    if (length < 7) return false;
                    chassis = (ulong)BinaryPrimitives.ReadUInt16BigEndian(value[1..]) << 32
                        | BinaryPrimitives.ReadUInt32BigEndian(value[3..]);
                    seen |= 1;
                    break;
                case PortIdentity:
                    seen |= 2;
                    break;
                case TimeToLive:
                    if (length < 2) return false;
                    seconds = BinaryPrimitives.ReadUInt16BigEndian(value);
                    seen |= 4;
                    break;
            }
            units = units[(2 + length)..];
        }
        return false;
    }
}
