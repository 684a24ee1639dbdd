using Emu.Protocols;

namespace Emu.Services;

/// <summary>Sends answers, each in one datagram or in several, behind a frame header each.</summary>
internal sealed class Sender(Message message, AnswerLimit? limit, MemcachedCounters counters)
{
    private const int HeaderLength = MemcachedFrame.HeaderLength;

    /// <summary>The bytes of an answer in a datagram, so that no network has to take it apart.</summary>
    private const int MaxPartLength = 1400 - HeaderLength;

    /// <summary>Begins with the answers to a request.</summary>
    public void Begin(Frame frame, UdpDatagram datagram) => limit?.Begin(frame, datagram);

    /// <summary>Sends the message, unless it is empty, or over the limit.</summary>
    /// <param name="frame">The frame of the request.</param>
    /// <param name="datagram">The request.</param>
    /// <param name="request">The request's ID.</param>
    public void Send(ref Frame frame, UdpDatagram datagram, ushort request)
    {
        var length = message.Length;
        if (limit is not null && length > 0 && !limit.MaySend(datagram.Offset + HeaderLength + length, frame.Time))
        {
            counters.Limited.Increment();
            return;
        }
        var count = (length + MaxPartLength - 1) / MaxPartLength;
        for (var sequence = 0; sequence < count; sequence++)
        {
            var start = sequence * MaxPartLength;
            var part = message.Bytes.Slice(start, Math.Min(length - start, MaxPartLength));
            frame.Resize(datagram.Offset + HeaderLength + part.Length);
            if (!MemcachedFrame.TryParse(frame.Bytes[datagram.Offset..], out var header)) return;
            header.Id = request;
            header.Sequence = (ushort)sequence;
            header.Count = (ushort)count;
            header.Reserved = 0;
            part.CopyTo(header.Payload);
            datagram.Send(ref frame, HeaderLength + part.Length);
        }
    }
}
