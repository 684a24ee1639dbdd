using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>
/// Frames of several conversations at once between two hosts, with what goes wrong in such: repeated, left out,
/// cut short, out of nowhere.
/// </summary>
/// <param name="random">The source of all choices.</param>
/// <param name="isIPv6">True for conversations over IPv6.</param>
/// <param name="network">A number of the addresses, so that conversations of one test are not those of another.</param>
internal sealed class Conversations(Random random, bool isIPv6, int network)
{
    private const byte Syn = Packet.Syn, Ack = Packet.Ack, Fin = Packet.Fin, Rst = Packet.Rst;

    private static readonly MacAddress[] s_macs = [new(0x0200_0000_0001), new(0x0200_0000_0002)];

    private readonly List<Queue<(int From, Packet Frame)>> _open = [];
    private ushort _port = 1000;

    /// <summary>The next frame, and the side that it comes from, 0 or 1.</summary>
    public (int From, byte[] Frame) Next()
    {
        while (_open.Count < 4) _open.Add(new Queue<(int, Packet)>(Conversation()));
        var conversation = _open[random.Next(_open.Count)];
        var (from, frame) = conversation.Dequeue();
        if (conversation.Count == 0) _open.Remove(conversation);
        return (from, frame.PaddedTo(60).ToArray());
    }

    private IEnumerable<(int From, Packet Frame)> Conversation()
    {
        var (first, port) = (random.Next(2), _port++);
        List<(int From, Packet Frame)> frames = random.Next(7) switch
        {
            0 or 1 or 2 => [.. Tcp(first, port)],
            3 => [.. Udp(first, port)],
            4 => [.. Queries(first, port)],
            5 => [.. Strays(first, port)],
            _ => [.. OfNoPorts(first)],
        };
        // An error about one of its packets, at any time after it; at times about one that was never sent,
        // or to somebody else.
        if (random.Next(2) == 0)
        {
            var about = random.Next(frames.Count);
            frames.Insert(
                random.Next(about + 1, frames.Count + 1),
                (1 - frames[about].From, Error(frames[about].From, frames[about].Frame)));
        }
        return random.Next(4) == 0 ? frames.Take(random.Next(1, frames.Count)) : frames;
    }

    /// <summary>A handshake, data of both sides, and an end of some kind; or without its beginning.</summary>
    private IEnumerable<(int, Packet)> Tcp(int first, ushort port)
    {
        var numbers = new uint[] { (uint)random.Next(), (uint)random.Next() };
        var isRefused = random.Next(6) == 0;
        (int, Packet) Segment(int side, byte flags, int length = 0)
        {
            var from = side ^ first;
            var sent = (from, Above(from, p => (side == 0
                ? p.Tcp(port, 80, numbers[0], (flags & Ack) != 0 ? numbers[1] : 0, flags)
                : p.Tcp(80, port, numbers[1], (flags & Ack) != 0 ? numbers[0] : 0, flags)).Payload(new byte[length])));
            numbers[side] += (uint)(length + ((flags & (Syn | Fin)) != 0 ? 1 : 0));
            return sent;
        }
        if (random.Next(5) > 0)
        {
            yield return Segment(0, Syn);
            if (isRefused)
            {
                numbers[1] = 0;
                yield return Segment(1, Rst | Ack);
                yield break;
            }
            yield return Segment(1, Syn | Ack);
        }
        yield return Segment(0, Ack);
        for (var count = random.Next(4); count > 0; count--)
        {
            var side = random.Next(2);
            yield return Segment(side, Ack, random.Next(1, 100));
            yield return Segment(1 - side, Ack);
        }
        var closes = random.Next(2);
        if (random.Next(3) == 0)
        {
            yield return Segment(closes, Rst | Ack);
            yield break;
        }
        yield return Segment(closes, Fin | Ack);
        yield return Segment(1 - closes, Ack);
        yield return Segment(1 - closes, Fin | Ack);
        yield return Segment(closes, Ack);
        if (random.Next(2) == 0) yield break;
        // The same ports again.
        numbers[0] += 100_000;
        yield return Segment(0, Syn);
        yield return Segment(1, Syn | Ack);
        yield return Segment(0, Ack);
    }

    private IEnumerable<(int, Packet)> Udp(int first, ushort port)
    {
        for (var count = random.Next(1, 6); count > 0; count--)
        {
            var from = random.Next(2);
            yield return (from, Above(
                from, p => (from == first ? p.Udp(port, 53) : p.Udp(53, port)).Payload(new byte[random.Next(40)])));
        }
    }

    private IEnumerable<(int, Packet)> Queries(int first, ushort identifier)
    {
        for (ushort count = (ushort)random.Next(1, 5); count > 0; count--)
        {
            var from = random.Next(2);
            if (isIPv6)
                yield return (from, Above(from, p =>
                    from == first ? p.Icmpv6EchoRequest(identifier, count) : p.Icmpv6EchoReply(identifier, count)));
            else
            {
                var (query, reply) = random.Next(3) == 0 ? ((byte)13, (byte)14) : ((byte)8, (byte)0);
                yield return (from, Above(from, p =>
                    p.Icmp(from == first ? query : reply, 0, (uint)identifier << 16 | count).Payload(new byte[12])));
            }
        }
    }

    /// <summary>Frames that belong to nothing, damaged frames, and segments whose flags cannot be.</summary>
    private IEnumerable<(int, Packet)> Strays(int first, ushort port)
    {
        for (var count = random.Next(1, 4); count > 0; count--)
        {
            var flags = (byte)random.Next(64);
            yield return (first, random.Next(4) switch
            {
                0 => Above(first, p => p.Tcp(port, 81, 1, 1, flags)),
                1 => Above(first, p =>
                    random.Next(2) == 0 ? p.Udp(port, 54, checksum: 1) : p.Tcp(port, 82, 1, 1, Syn, checksum: 1)),
                2 => Above(first, p =>
                    (isIPv6 ? p.Icmpv6((byte)random.Next(128, 145)) : p.Icmp((byte)random.Next(6, 19)))
                        .Payload(new byte[24])),
                _ => Error(1 - first, Above(1 - first, p => p.Udp(port, 55).Payload("none"))),
            });
        }
    }

    /// <summary>A protocol of which nothing is known; both hosts have one such conversation.</summary>
    private IEnumerable<(int, Packet)> OfNoPorts(int first)
    {
        const byte esp = 50;
        yield return (
            first, Ethernet(first, isIPv6 ? null : p => p.IPv4(Address(first), Address(1 - first), protocol: esp), esp)
                .Payload(new byte[20]));
    }

    private Packet Error(int to, Packet about)
    {
        var quoted = about.ToArray()[14..];
        var from = 1 - to;
        var length = Math.Min(quoted.Length, isIPv6 ? 48 : 28);
        return Above(
            from, p => isIPv6 ? p.Icmpv6(1, 4).Payload(quoted[..length]) : p.Icmp(3, 3).Payload(quoted[..length]));
    }

    private Packet Above(int from, Func<Packet, Packet> upper) =>
        upper(Ethernet(from, isIPv6 ? null : p => p.IPv4(Address(from), Address(1 - from)), null));

    private Packet Ethernet(int from, Func<Packet, Packet>? ip, byte? nextHeader)
    {
        var ethernet = Packet.Ethernet(s_macs[from], s_macs[1 - from]);
        return ip is null ? ethernet.IPv6(Address6(from), Address6(1 - from), nextHeader: nextHeader) : ip(ethernet);
    }

    private IPv4Address Address(int side) => new(0x0A00_0000U + (uint)network * 256 + (uint)side + 1);

    private IPv6Address Address6(int side) => new(new UInt128(0xFD00_0000_0000_0000 + (ulong)network, (ulong)side + 1));
}
