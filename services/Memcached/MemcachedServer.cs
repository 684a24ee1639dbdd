using Emu.Protocols;

namespace Emu.Services;

/// <summary>A cache of items by their keys, as an application of a host's UDP port.</summary>
public sealed class MemcachedServer : IUdpApplication
{
    /// <summary>The rate of a server of whom nothing else is said, in bytes a second.</summary>
    public const int DefaultRate = 1_250_000;

    /// <summary>The longest request behind its frame header, in bytes.</summary>
    internal const int MaxRequestLength = 2048;

    private readonly TextProtocol? _text;
    private readonly BinaryProtocol? _binary;
    private readonly Items _items;
    private readonly Message _message;
    private readonly Sender _sender;

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
    /// <param name="protocol">The protocols of requests.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public MemcachedServer(int chunks, ulong seed, int rate, Protocol protocol = Protocol.Auto)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(chunks, 32);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(chunks, 1 << 20);
        ArgumentOutOfRangeException.ThrowIfNegative(rate);
        _items = new Items(chunks, seed, Counters);
        _message = new Message(_items);
        _sender = new Sender(_message, rate == 0 ? null : new AnswerLimit(rate), Counters);
        var statistics = new Statistics(_items, Counters);
        if (protocol != Protocol.Binary) _text = new TextProtocol(_items, _message, statistics, Counters);
        if (protocol != Protocol.Ascii) _binary = new BinaryProtocol(_items, _message, statistics, Counters);
    }

    /// <summary>Its requests by their kind.</summary>
    public MemcachedCounters Counters { get; } = new();

    /// <inheritdoc/>
    public void Receive(ref Frame frame, UdpDatagram datagram)
    {
        var length = datagram.Length - MemcachedFrame.HeaderLength;
        if (!MemcachedFrame.TryParse(frame.Bytes.Slice(datagram.Offset, datagram.Length), out var header)
            || header.Count != 1 || length is < 1 or > MaxRequestLength)
        {
            Counters.NotRequests.Increment();
            return;
        }
        var isShortGet = MemcachedText.IsShortGet(header.Payload, out var key);
        if (isShortGet && !datagram.IsIPv6 && _text is not null && _items.TryRetrieve(key, frame.Time, out var item))
            _items.Answers.Send(ref frame, datagram, header.Id, item);
        else
            Serve(ref frame, datagram, header, isShortGet);
    }

    /// <summary>
    /// Reads, executes and answers one request after another. Of one <c>get</c> the next answer may be the same.
    /// </summary>
    [Cold]
    private void Serve(ref Frame frame, UdpDatagram datagram, MemcachedFrame header, bool isShortGet)
    {
        _sender.Begin(frame, datagram);
        var id = header.Id;
        var requests = _request.AsSpan(0, header.Payload.Length);
        header.Payload.CopyTo(requests);
        var isBinary = _binary is not null && (_text is null || requests[0] == MemcachedMessage.RequestMagic);
        var now = (uint)frame.Seconds;
        var command = default(Command);
        for (var at = 0; at < requests.Length;)
        {
            var outcome = isBinary
                ? _binary!.Read(requests, at, now, ref command)
                : _text!.Read(requests, at, now, ref command);
            if (outcome == Outcome.Pending) outcome = _items.Execute(requests, command, now);
            _message.Clear();
            if (isBinary) _binary!.Answer(requests, at, outcome, now);
            else _text!.Answer(requests, outcome, now);
            _message.Gather(requests.Slice(command.KeyStart, command.KeyLength));
            if (isShortGet && outcome == Outcome.Found) _items.Answers.Keep(_items.Current, _message.Bytes);
            _sender.Send(ref frame, datagram, id);
            at = isBinary ? _binary!.Next : _text!.Next(at);
        }
    }
}
