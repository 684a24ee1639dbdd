using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// A look-aside cache in front of a server of memcached's text protocol over UDP (protocol.txt): it answers what it has
/// seen the server answer, and passes all else on.
/// </summary>
/// <remarks>
/// <para>Port 0 is towards clients, port 1 towards the server; every frame goes from one to the other, and nobody knows
/// of the cache. A <c>get</c> of one key that it knows is answered here, as the server would, and goes no further. One
/// that it does not know is passed on, and its answer is learned. What may change a key makes the cache forget it; what
/// it cannot read makes it forget all. Where there is no room, those keys go whose last use is longest ago (exact
/// LRU).</para>
/// <para>An answer is learned only if nothing has changed the key since it was asked for (leases: Nishtala et al. 2013,
/// <i>Scaling Memcache at Facebook</i>, §3.2.1).</para>
/// <para>Changes that do not pass here (TCP, other ways to the server, an expiry, VLANs) are not seen: what is known is
/// for so many seconds at most as <c>--max-age</c> says.</para>
/// <para>Not done: hits of <c>gets</c> and of the binary protocol, whose requests pass; IPv6.</para>
/// </remarks>
/// <example>--server 10.0.0.2</example>
public sealed class LruCache : Service
{
    private const int MinChunks = 64;
    private const int MaxChunks = 1 << 20;

    /// <summary>The datagrams of a request, and of an answer from here.</summary>
    private const ushort Datagrams = 1;

    private static readonly PortId s_clients = new(0);
    private static readonly PortId s_servers = new(1);

    private readonly IPv4Address _server;
    private readonly ushort _port;
    private readonly RequestReader _requests = new();
    private readonly KnownAnswers _answers;
    private readonly Leases _leases;

    /// <summary>Begins without a key.</summary>
    /// <param name="server">The server's IPv4 address.</param>
    /// <param name="port">Its UDP port.</param>
    /// <param name="chunks">
    /// Memory, in chunks of 64 bytes; an answer takes as many as its key, its numbers and its value need.
    /// </param>
    /// <param name="maxAge">Seconds for which an answer is known.</param>
    /// <param name="seed">Chooses the hashes; secret where an attacker picks the keys.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public LruCache(
        IPv4Address server, ushort port = 11211, [PowerOfTwo(MinChunks, MaxChunks)] int chunks = 4096,
        [Range(1, int.MaxValue)] int maxAge = 60, ulong seed = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(chunks, MinChunks);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(chunks, MaxChunks);
        ArgumentOutOfRangeException.ThrowIfLessThan(maxAge, 1);
        (_server, _port) = (server, port);
        _answers = new KnownAnswers(chunks, (uint)maxAge, seed, Counters);
        _leases = new Leases(seed);
    }

    /// <summary>The requests by what became of them.</summary>
    public LruCacheCounters Counters { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_clients)
        {
            frame.ForwardTo(s_servers);
            if (UdpDatagram.TryParse(frame, out var datagram)) ReceiveDatagram(ref frame, datagram);
            else if (IsUnreadable(frame)) Clear();
        }
        else if (frame.Ingress == s_servers)
        {
            frame.ForwardTo(s_clients);
            if (UdpDatagram.TryParse(frame, out var datagram)) ReceiveAnswer(frame, datagram);
        }
    }

    /// <summary>A request of one datagram; the server refuses those of several.</summary>
    private void ReceiveDatagram(ref Frame frame, UdpDatagram datagram)
    {
        if (datagram.IsIPv6 || datagram.DestinationPort != _port) return;
        if (datagram.DestinationBits(frame) != _server.Bits) return;
        if (!MemcachedFrame.TryParse(PayloadOf(frame, datagram), out var header)
            || header.Count != Datagrams || header.Payload.IsEmpty)
            return;
        if (MemcachedText.IsShortGet(header.Payload, out var key)
            && _answers.FindShort(key, frame.Time) is var entry and not KnownAnswers.None)
        {
            Counters.Hits.Increment();
            AnswerShort(ref frame, datagram, header.Id, entry);
            return;
        }
        var holder = Leases.HolderOf((uint)datagram.SourceBits(frame), datagram.SourcePort, header.Id);
        ReceiveRequest(ref frame, datagram, holder, header.Payload);
    }

    /// <summary>Any request. Most are answered without: one of a short key, whose answer is known.</summary>
    [Cold]
    private void ReceiveRequest(ref Frame frame, UdpDatagram datagram, ulong holder, ReadOnlySpan<byte> request)
    {
        var effect = _requests.Read(request, (uint)frame.Seconds);
        if (effect == Effect.None) return;
        if (effect == Effect.Clear)
        {
            Clear();
            _answers.LearnFrom(_requests.FlushTime);
            _leases.Take(holder, new Lease(effect, 0, 0));
            return;
        }
        var key = request.Slice(_requests.KeyStart, _requests.KeyLength);
        var hash = _answers.HashOf(key);
        if (effect == Effect.Write)
        {
            Counters.Writes.Increment();
            _answers.Forget(hash);
        }
        else
        {
            var entry = _answers.Find(key, hash, frame.Time);
            if (entry != KnownAnswers.None)
            {
                Counters.Hits.Increment();
                Answer(ref frame, datagram, entry);
                return;
            }
            Counters.Misses.Increment();
        }
        _leases.Take(holder, new Lease(effect, hash, _answers.VersionOf(hash)));
    }

    /// <summary>Answers a request as the server would.</summary>
    private void Answer(ref Frame frame, UdpDatagram datagram, int entry)
    {
        var length = MemcachedFrame.HeaderLength + _answers.LengthOf(entry);
        frame.Resize(datagram.Offset + length);
        if (!TryBeginAnswer(frame, datagram, out var header)) return;
        _answers.Read(entry, header.Payload);
        datagram.Reply(ref frame, length);
    }

    /// <summary>The same for a short answer, whose sum is known.</summary>
    private void AnswerShort(ref Frame frame, UdpDatagram datagram, ushort id, int entry)
    {
        var length = MemcachedFrame.HeaderLength + _answers.LengthOf(entry);
        datagram.Reply(ref frame, length, id + (ulong)Datagrams + _answers.SumOf(entry));
        if (TryBeginAnswer(frame, datagram, out var header)) _answers.ReadShort(entry, header.Payload);
    }

    /// <summary>Makes the header of a request that of an answer.</summary>
    private static bool TryBeginAnswer(Frame frame, UdpDatagram datagram, out MemcachedFrame header)
    {
        if (!MemcachedFrame.TryParse(frame.Bytes[datagram.Offset..], out header)) return false;
        header.Sequence = 0;
        header.Count = Datagrams;
        header.Reserved = 0;
        return true;
    }

    /// <summary>
    /// Learns the answer to a retrieval. That to a write makes the cache forget once more: a server may have done a
    /// later retrieval first, whose answer was learned meanwhile.
    /// </summary>
    [Cold]
    private void ReceiveAnswer(Frame frame, UdpDatagram datagram)
    {
        if (datagram.IsIPv6 || datagram.SourcePort != _port || datagram.SourceBits(frame) != _server.Bits) return;
        if (!MemcachedFrame.TryParse(PayloadOf(frame, datagram), out var header)) return;
        var client = (uint)datagram.DestinationBits(frame);
        var holder = Leases.HolderOf(client, datagram.DestinationPort, header.Id);
        if (!_leases.TryGiveBack(holder, out var lease)) return;
        switch (lease.Effect)
        {
            case Effect.Clear:
                _answers.Clear();
                break;
            case Effect.Write:
                _answers.Forget(lease.Hash);
                break;
            default:
                if (header.Count == 1) _answers.Learn(header.Payload, lease, frame.Time);
                break;
        }
    }

    [Cold]
    private void Clear()
    {
        Counters.Clears.Increment();
        _answers.Clear();
    }

    /// <summary>
    /// True if a packet that has no datagram to be read is for the server: a fragment, or one with options.
    /// </summary>
    private bool IsUnreadable(Frame frame)
    {
        var ethernet = new Ethernet(frame);
        return ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Destination == _server && ip.Protocol == IPProtocol.Udp;
    }

    private static Span<byte> PayloadOf(Frame frame, UdpDatagram datagram) =>
        frame.Bytes.Slice(datagram.Offset, datagram.Length);
}
