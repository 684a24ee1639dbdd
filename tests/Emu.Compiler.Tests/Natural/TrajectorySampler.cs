using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A point of trajectory sampling: it copies the beginning of some packets to a monitor, and chooses by a hash of what
/// does not change on the way, so that all points choose the same ones (Duffield and Grossglauser 2001, <i>Trajectory
/// sampling for direct traffic observation</i>; RFC 5475 §6.2.2, with the hash BOB of its appendix A.2).
/// </summary>
/// <param name="seed">The same at all points, and secret, lest senders choose.</param>
/// <param name="oneOf">One of so many packets is copied, on the average.</param>
/// <param name="snap">The most bytes of a copy.</param>
public sealed class TrajectorySampler(uint seed = 0x5EED5EED, int oneOf = 8, int snap = 96) : Service
{
    private const uint GoldenRatio = 0x9E3779B9;

    private static readonly PortId s_left = new(0), s_right = new(1);
    private static readonly PortSet s_monitor = PortSet.Of(new PortId(2));

    private readonly uint _lastChosen = uint.MaxValue / (uint)oneOf;

    /// <summary>Packets that went on.</summary>
    public Counter Forwarded { get; } = new();

    /// <summary>Packets that were copied.</summary>
    public Counter Sampled { get; } = new();

    /// <summary>The bytes of the packets that were copied.</summary>
    public Counter SampledBytes { get; } = new();

    /// <summary>Frames that went on without a look: not IP, or malformed.</summary>
    public Counter Unknown { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_left) frame.ForwardTo(s_right);
        else if (frame.Ingress == s_right) frame.ForwardTo(s_left);
        else return;
        Forwarded.Increment();

        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        for (var tags = 0; tags < 2 && type is EtherType.STag or EtherType.CTag; tags++)
        {
            if (!Vlan.TryParse(packet, out var tag)) break;
            type = tag.EtherType;
            packet = tag.Payload;
        }
        if (!TryHash(type, packet, out var hash))
        {
            Unknown.Increment();
            return;
        }
        if (hash > _lastChosen) return;
        Sampled.Increment();
        SampledBytes.Add((ulong)frame.Length);
        frame.Send(s_monitor, Math.Min(frame.Length, snap));
    }

    private bool TryHash(EtherType type, Span<byte> packet, out uint hash)
    {
        hash = 0;
        switch (type)
        {
            case EtherType.IPv4:
                if (!IPv4.TryParse(packet, out var ip)) return false;
                // Neither the TTL nor the traffic class, and so not the checksum either.
                var (first, second) = Beginning(ip.Payload);
                var rest = (uint)ip.Identification << 16 | (uint)ip.FragmentOffset << 3;
                hash = Bob(
                    ip.Source.Bits, ip.Destination.Bits, rest, (uint)ip.TotalLength << 8 | (uint)ip.Protocol, first,
                    second);
                return true;
            case EtherType.IPv6:
                if (!IPv6.TryParse(packet, out var ip6)) return false;
                (first, second) = Beginning(ip6.Payload);
                hash = Bob(
                    Fold(ip6.Source), Fold(ip6.Destination), ip6.FlowLabel,
                    (uint)ip6.PayloadLength << 8 | (uint)ip6.NextHeader, first, second);
                return true;
            default:
                return false;
        }
    }

    private uint Bob(uint a, uint b, uint c, uint d, uint e, uint f)
    {
        var (x, y, z) = Mix(GoldenRatio + a, GoldenRatio + b, seed + c);
        (_, _, z) = Mix(x + d, y + e, z + f);
        return z;
    }

    private static (uint, uint, uint) Mix(uint a, uint b, uint c)
    {
        a = (a - b - c) ^ c >> 13;
        b = (b - c - a) ^ a << 8;
        c = (c - a - b) ^ b >> 13;
        a = (a - b - c) ^ c >> 12;
        b = (b - c - a) ^ a << 16;
        c = (c - a - b) ^ b >> 5;
        a = (a - b - c) ^ c >> 3;
        b = (b - c - a) ^ a << 10;
        c = (c - a - b) ^ b >> 15;
        return (a, b, c);
    }

    /// <summary>The first eight bytes, with zeros behind if there are fewer.</summary>
    private static (uint First, uint Second) Beginning(Span<byte> payload)
    {
        var word = 0ul;
        var length = Math.Min(payload.Length, sizeof(ulong));
        foreach (var value in payload[..length]) word = word << 8 | value;
        word <<= 8 * (sizeof(ulong) - length) & 63;
        return ((uint)(word >> 32), (uint)word);
    }

    private static uint Fold(IPv6Address address)
    {
        var half = (ulong)(address.Bits >> 64) ^ BitOperations.RotateLeft((ulong)address.Bits, 7);
        return (uint)(half >> 32) ^ (uint)half;
    }
}
