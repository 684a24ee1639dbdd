using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The answers to a <c>get</c> of one item each, as they were sent: where key and value are short, the next is the
/// same, and nothing is put together.
/// </summary>
/// <param name="items">The number of items.</param>
internal sealed class ShortAnswers(int items)
{
    private const int MaxLength = 128;
    private const ushort Datagrams = 1;

    private readonly byte[] _texts = new byte[items * MaxLength];

    /// <summary>By item: the bytes of its answer; 0 if it is not kept.</summary>
    private readonly byte[] _lengths = new byte[items];

    /// <summary>By item: the ones' complement sum of its answer.</summary>
    private readonly ushort[] _sums = new ushort[items];

    /// <summary>True if an item has its answer here.</summary>
    public bool Has(int item) => _lengths[item] != 0;

    /// <summary>Keeps the answer of an item, if it is short.</summary>
    public void Keep(int item, ReadOnlySpan<byte> answer)
    {
        if (answer.Length > MaxLength) return;
        answer.CopyTo(_texts.AsSpan(item * MaxLength, MaxLength));
        _sums[item] = (ushort)InternetChecksum.Sum(answer);
        _lengths[item] = (byte)answer.Length;
    }

    /// <summary>Forgets that of an item that has changed.</summary>
    public void Forget(int item) => _lengths[item] = 0;

    /// <summary>Answers a request by it.</summary>
    /// <param name="frame">The frame of the request.</param>
    /// <param name="datagram">The request.</param>
    /// <param name="id">The request's ID.</param>
    /// <param name="item">The item.</param>
    public void Send(ref Frame frame, UdpDatagram datagram, ushort id, int item)
    {
        var length = _lengths[item];
        datagram.Reply(ref frame, MemcachedFrame.HeaderLength + length, id + (ulong)Datagrams + _sums[item]);
        if (!MemcachedFrame.TryParse(frame.Bytes[datagram.Offset..], out var header)) return;
        header.Sequence = 0;
        header.Count = Datagrams;
        header.Reserved = 0;
        _texts.AsSpan(item * MaxLength, length).CopyTo(header.Payload);
    }
}
