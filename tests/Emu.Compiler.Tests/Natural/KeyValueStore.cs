using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A store of keys of 8 bytes with values of 20, in slots of one array, at UDP port 9999: 1 gets, 2 sets, and the
/// second byte of an answer is 0 if the key is there.
/// </summary>
public sealed class KeyValueStore(IPv4Address address) : Service
{
    private const int Slots = 500, KeyBytes = 8, ValueBytes = 20, SlotBytes = KeyBytes + ValueBytes;

    private readonly byte[] _slots = new byte[Slots * SlotBytes];

    public Counter Hits { get; } = new();

    public Counter Misses { get; } = new();

    public Counter Stored { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Destination != address || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != 9999 || udp.Payload.Length < 2 + SlotBytes)
            return;
        var body = udp.Payload;
        var key = BinaryPrimitives.ReadUInt64BigEndian(body[2..]);
        var slot = _slots.AsSpan((int)((key ^ key >> 17) % Slots) * SlotBytes, SlotBytes);
        body[1] = 0;
        if (body[0] == 2)
        {
            body.Slice(2, SlotBytes).CopyTo(slot);
            Stored.Increment();
        }
        else if (BinaryPrimitives.ReadUInt64BigEndian(slot) == key)
        {
            slot[KeyBytes..].CopyTo(body[(2 + KeyBytes)..]);
            Hits.Increment();
        }
        else
        {
            body[1] = 1;
            Misses.Increment();
        }
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        (udp.SourcePort, udp.DestinationPort) = (udp.DestinationPort, udp.SourcePort);
        udp.WriteChecksum(ip);
        frame.Reply();
    }
}
