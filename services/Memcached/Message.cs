using Emu.Protocols;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Emu.Services;

/// <summary>
/// An answer, which goes in one datagram or in several, each behind a frame header (protocol.txt, <i>UDP protocol</i>):
/// request ID, sequence number, number of datagrams, 0; 16 bits each.
/// </summary>
internal sealed class Message(AnswerLimit? limit, MemcachedCounters counters)
{
    /// <summary>The bytes of the frame header.</summary>
    public const int HeaderLength = 8;

    private const int SequenceOffset = 2;
    private const int CountOffset = 4;

    /// <summary>The bytes of an answer in a datagram, so that no network has to take it apart.</summary>
    private const int MaxPartLength = 1400 - HeaderLength;

    /// <summary>The longest is an item's: its line, its value and END.</summary>
    private readonly byte[] _bytes = new byte[2 * MaxPartLength];

    /// <summary>Its bytes.</summary>
    public int Length { get; private set; }

    /// <summary>True if a datagram is one that a client sends: the only one of its request.</summary>
    public static bool IsRequest(ReadOnlySpan<byte> datagram) =>
        datagram.Length > HeaderLength && ReadUInt16BigEndian(datagram[CountOffset..]) == 1;

    /// <summary>Begins an answer.</summary>
    public void Clear() => Length = 0;

    public void Append(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Extend(bytes.Length));

    public void Append(byte character) => Extend(1)[0] = character;

    /// <summary>Makes room at its end.</summary>
    /// <returns>The room, to be written.</returns>
    public Span<byte> Extend(int length)
    {
        var room = _bytes.AsSpan(Length, length);
        Length += length;
        return room;
    }

    /// <summary>Sends it, unless it is empty, or over the limit.</summary>
    /// <param name="frame">The frame of the request.</param>
    /// <param name="datagram">The request.</param>
    /// <param name="request">The request's ID.</param>
    public void Send(ref Frame frame, UdpDatagram datagram, ushort request)
    {
        if (limit is not null && Length > 0 && !limit.MaySend(datagram.Offset + HeaderLength + Length, frame.Time))
        {
            counters.Limited.Increment();
            return;
        }
        var count = (Length + MaxPartLength - 1) / MaxPartLength;
        for (var sequence = 0; sequence < count; sequence++)
        {
            var start = sequence * MaxPartLength;
            var part = _bytes.AsSpan(start, Math.Min(Length - start, MaxPartLength));
            frame.Resize(datagram.Offset + HeaderLength + part.Length);
            var bytes = frame.Bytes[datagram.Offset..];
            WriteUInt16BigEndian(bytes, request);
            WriteUInt16BigEndian(bytes[SequenceOffset..], (ushort)sequence);
            WriteUInt32BigEndian(bytes[CountOffset..], (uint)count << 16);
            part.CopyTo(bytes[HeaderLength..]);
            datagram.Send(ref frame, HeaderLength + part.Length);
        }
    }
}
