using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A router of bit index explicit replication: each bit of a packet's header is an egress router that is to have it,
/// and each neighbour gets one copy with the bits of the routers behind it (RFC 8279 §6.5; RFC 8296 §2.2 for the
/// header, here with bit strings of 64 bits in Ethernet).
/// </summary>
/// <param name="mac">The address of this router.</param>
/// <param name="number">The number of this router as an egress router, 1 to 64.</param>
/// <param name="table">The number of the forwarding table that packets must name.</param>
/// <param name="neighbors">
/// Each as <c>routers=port=address</c>, the routers that are reached by it separated by commas:
/// <c>2,3=1=02:00:00:00:00:11</c>.
/// </param>
/// <param name="local">The port by which packets for this router leave, without the header.</param>
public sealed class BierReplicator(MacAddress mac, int number, uint table, string[] neighbors, PortId local) : Service
{
    private const EtherType Bier = (EtherType)0xAB37;
    private const int HeaderLength = 20, TtlOffset = 3, PayloadOffset = 9, BitsOffset = 12;
    private const byte VersionAndNibble = 0x50, Length64 = 1;
    private const int CarriesEthernet = 3, CarriesIPv4 = 4, CarriesIPv6 = 6;

    /// <summary>The way to an egress router, and all that are reached by the same neighbour.</summary>
    private readonly record struct Way(ulong Mask, PortId Port, MacAddress Neighbor);

    private readonly Way[] _ways = Parse(neighbors);
    private readonly ulong _own = 1ul << (number - 1);

    /// <summary>Packets that were taken in.</summary>
    public Counter Received { get; } = new();

    /// <summary>Copies to neighbours.</summary>
    public Counter Copies { get; } = new();

    /// <summary>Packets for this router.</summary>
    public Counter Delivered { get; } = new();

    /// <summary>Packets dropped: no such header, or one that is not understood.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Packets dropped: for another table.</summary>
    public Counter UnknownTable { get; } = new();

    /// <summary>Packets that went to no neighbour, since they had come too far.</summary>
    public Counter Expired { get; } = new();

    /// <summary>Egress routers in packets to which there is no way.</summary>
    public Counter Unreachable { get; } = new();

    /// <summary>Packets for this router dropped: what they carry is not known.</summary>
    public Counter UnknownPayload { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != Bier || ethernet.Destination != mac) return;
        var bier = ethernet.Payload;
        if (bier.Length < HeaderLength || bier[4] != VersionAndNibble || bier[5] >> 4 != Length64)
        {
            Malformed.Increment();
            return;
        }
        if (bier.GetUInt32(0) >> 12 != table)
        {
            UnknownTable.Increment();
            return;
        }

        Received.Increment();
        var bits = bier.GetUInt64(BitsOffset);
        var others = bits & ~_own;
        if (others != 0)
        {
            if (bier[TtlOffset] > 1) Replicate(frame, ethernet, others);
            else Expired.Increment();
        }
        if ((bits & _own) != 0) Deliver(ref frame);
    }

    private void Replicate(in Frame frame, Ethernet ethernet, ulong bits)
    {
        var bier = ethernet.Payload;
        bier[TtlOffset]--;
        ethernet.Source = mac;
        while (bits != 0)
        {
            var way = _ways[BitOperations.TrailingZeroCount(bits)];
            if (way.Mask == 0)
            {
                Unreachable.Increment();
                bits &= bits - 1;
                continue;
            }
            bier.SetUInt64(BitsOffset, bits & way.Mask);
            ethernet.Destination = way.Neighbor;
            frame.Send(PortSet.Of(way.Port));
            Copies.Increment();
            bits &= ~way.Mask;
        }
    }

    private void Deliver(ref Frame frame)
    {
        var payload = frame.Bytes[Ethernet.HeaderLength + PayloadOffset] & 63;
        switch (payload)
        {
            case CarriesEthernet when frame.Length >= 2 * Ethernet.HeaderLength + HeaderLength:
                frame.Remove(0, Ethernet.HeaderLength + HeaderLength);
                break;
            case CarriesIPv4 or CarriesIPv6:
                frame.Remove(Ethernet.HeaderLength, HeaderLength);
                var ethernet = new Ethernet(frame);
                ethernet.EtherType = payload == CarriesIPv4 ? EtherType.IPv4 : EtherType.IPv6;
                if (payload == CarriesIPv4 && IPv4.TryParse(ethernet.Payload, out var ip))
                    ethernet.Destination = new MacAddress(0x0100_5E00_0000ul | ip.Destination.Bits & 0x7F_FFFF);
                else if (payload == CarriesIPv6 && IPv6.TryParse(ethernet.Payload, out var ip6))
                    ethernet.Destination = ip6.Destination.MulticastMac;
                break;
            default:
                UnknownPayload.Increment();
                return;
        }
        Delivered.Increment();
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);
        frame.ForwardTo(local);
    }

    private static Way[] Parse(string[] neighbors)
    {
        var ways = new Way[64];
        foreach (var neighbor in neighbors)
        {
            var parts = neighbor.Split('=');
            var routers = parts[0].Split(',').Select(int.Parse).ToList();
            var mask = routers.Aggregate(0ul, (bits, router) => bits | 1ul << (router - 1));
            foreach (var router in routers)
                ways[router - 1] = new Way(mask, new PortId(int.Parse(parts[1])), MacAddress.Parse(parts[2]));
        }
        return ways;
    }
}
