using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// Limits the bytes of answers that are much longer than their requests, so that nobody makes a flood of requests that
/// he sends in the name of another (amplification; RFC 4732 §3.1).
/// </summary>
/// <param name="rate">Bytes a second that one source may be sent; a tenth of it, or 64 KiB, at once.</param>
internal sealed class AnswerLimit(int rate)
{
    /// <summary>Answers are free while all together are no more than so many times as long as their request.</summary>
    private const int FreeFactor = 4;

    private const int MinBurst = 1 << 16;
    private const int BucketBits = 8;
    private const int AddressBits = 128;

    private readonly TokenBuckets _buckets = new(1 << BucketBits, rate, Math.Max(rate / 10, MinBurst));
    private readonly H3Hash _hash = new(AddressBits, BucketBits, 1);
    private int _free, _bucket;

    /// <summary>Begins with the answers to a request.</summary>
    public void Begin(Frame frame, UdpDatagram datagram)
    {
        _free = FreeFactor * frame.Length;
        _bucket = _hash.Index(datagram.SourceBits(frame));
    }

    /// <summary>True if an answer of so many bytes may be sent.</summary>
    public bool MaySend(int length, ulong time)
    {
        _free -= length;
        return _free >= 0 || _buckets.TryTake(_bucket, (uint)length, time);
    }
}
