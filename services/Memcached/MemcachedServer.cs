using Emu.Protocols;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Emu.Services;

/// <summary>A cache of items by their keys, as an application of a host's UDP port.</summary>
public sealed class MemcachedServer : IUdpApplication
{
    /// <summary>The longest request behind its frame header, in bytes.</summary>
    internal const int MaxRequestLength = 2048;

    private readonly TextProtocol _text;
    private readonly AnswerLimit? _limit;

    /// <summary>The request: its answer takes its place in the frame.</summary>
    private readonly byte[] _request = new byte[MaxRequestLength];

    /// <summary>Begins without items.</summary>
    /// <param name="chunks">
    /// Memory, in chunks of 64 bytes, a power of two from 32 to 2²⁰; an item takes as many as its key and value need.
    /// </param>
    /// <param name="seed">Chooses the hash; secret where an attacker picks the keys.</param>
    /// <param name="rate">
    /// Bytes a second of answers to one source that are more than four times as long as their requests; 0 for no limit.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public MemcachedServer(int chunks, ulong seed, int rate)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(chunks, 32);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(chunks, 1 << 20);
        ArgumentOutOfRangeException.ThrowIfNegative(rate);
        _limit = rate == 0 ? null : new AnswerLimit(rate);
        _text = new TextProtocol(new Items(chunks, seed, Counters), new Message(_limit, Counters), Counters);
    }

    /// <summary>Its requests by their kind.</summary>
    public MemcachedCounters Counters { get; } = new();

    /// <inheritdoc/>
    public void Receive(ref Frame frame, UdpDatagram datagram)
    {
        var payload = frame.Bytes.Slice(datagram.Offset, datagram.Length);
        var length = datagram.Length - Message.HeaderLength;
        if (!Message.IsRequest(payload) || length > MaxRequestLength)
        {
            Counters.NotRequests.Increment();
            return;
        }
        _limit?.Begin(frame, datagram);
        var id = ReadUInt16BigEndian(payload);
        payload[Message.HeaderLength..].CopyTo(_request);
        var request = _request.AsSpan(0, length);
        for (var at = 0; at < length;) at = _text.Receive(ref frame, datagram, id, request, at);
    }
}
