using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// Limits the answers to a network, so that nobody makes a flood of them with questions that he sends in the name of
/// another (response rate limiting; Vixie and Schryver 2012).
/// </summary>
/// <param name="rate">Answers a second, and at once, that the hosts of one network get together.</param>
internal sealed class AnswerRate(int rate)
{
    /// <summary>The bits that tell the hosts of a network apart: it is a /24, with IPv6 a /56.</summary>
    private const int HostBits = 8, HostBits6 = 72;

    private const int BucketBits = 8;
    private const int AddressBits = 128;

    private readonly TokenBuckets _buckets = new(1 << BucketBits, rate, rate);
    private readonly H3Hash _hash = new(AddressBits, BucketBits, 1);

    /// <summary>True if a question may be answered, which counts as one answer.</summary>
    public bool MayAnswer(Frame frame, UdpDatagram datagram)
    {
        var source = datagram.SourceBits(frame);
        var network = datagram.IsIPv6 ? source >> HostBits6 : source >> HostBits;
        return _buckets.TryTake(_hash.Index(network), 1, frame.Time);
    }
}
