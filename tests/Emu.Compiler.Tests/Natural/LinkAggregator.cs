using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The passive end of link aggregation (LACP, IEEE 802.1AX §6.4): each unit that comes is answered with both ends
/// swapped; frames of the uplink go to the links whose partner spoke within three seconds, by a hash of addresses.
/// </summary>
public sealed class LinkAggregator(MacAddress system, int uplink = 3, int links = 3) : Service
{
    private const EtherType SlowProtocols = (EtherType)0x8809;
    private const int UnitLength = 110;
    private const byte Collecting = 0x10, Distributing = 0x20, Synchronised = 0x08, Aggregates = 0x04;

    private static readonly MacAddress s_slow = MacAddress.Parse("01:80:c2:00:00:02");

    private readonly ulong[] _heard = new ulong[4];

    public Counter Units { get; } = new();

    public Counter NoLink { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == SlowProtocols)
        {
            Answer(ref frame, ethernet);
            return;
        }
        if (frame.Ingress.Index != uplink)
        {
            frame.ForwardTo(new PortId(uplink));
            return;
        }
        var hash = (int)((ethernet.Source.Bits ^ ethernet.Destination.Bits) & 0xFFFF) % links;
        for (var i = 0; i < links; i++)
        {
            var link = (hash + i) % links;
            if (_heard[link] == 0 || frame.Seconds - _heard[link] > 3) continue;
            frame.ForwardTo(new PortId(link));
            return;
        }
        NoLink.Increment();
    }

    private void Answer(ref Frame frame, Ethernet ethernet)
    {
        var unit = ethernet.Payload;
        if (unit.Length < UnitLength || unit[0] != 1 || unit[1] != 1 || unit[2] != 1 || unit[3] != 20
            || unit[22] != 2 || unit[23] != 20 || frame.Ingress.Index == uplink)
            return;
        _heard[frame.Ingress.Index] = frame.Seconds;
        // The actor becomes the partner.
        unit[4..18].CopyTo(unit[24..]);
        unit[18..22].CopyTo(unit[38..]);
        BinaryPrimitives.WriteUInt16BigEndian(unit[4..], 0x8000);
        BinaryPrimitives.WriteUInt64BigEndian(unit[6..], system.Bits << 16 | 1);
        BinaryPrimitives.WriteUInt16BigEndian(unit[14..], 0x8000);
        BinaryPrimitives.WriteUInt16BigEndian(unit[16..], (ushort)(frame.Ingress.Index + 1));
        unit[18] = Aggregates | Synchronised | Collecting | Distributing;
        ethernet.Destination = s_slow;
        ethernet.Source = system;
        Units.Increment();
        frame.Reply();
    }
}
