using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Drops UDP datagrams whose payload has a signature anywhere in it: four bytes that follow one another.
/// </summary>
/// <remarks>
/// A signature that begins in one datagram and ends in the next is not found. Packets with IPv4 options, fragments and
/// frames without UDP pass unseen.
/// </remarks>
/// <example>--signature 0xDEADBEEF</example>
/// <param name="signature">The four bytes, the first in the highest bits.</param>
public sealed class SignatureSearch(uint signature = 0xDEADBEEF) : Service
{
    /// <summary>Frames that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Datagrams dropped: the signature was in them.</summary>
    public Counter Dropped { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && HasSignature(udp.Payload))
        {
            Dropped.Increment();
            return;
        }
        Passed.Increment();
        frame.Flood();
    }

    private bool HasSignature(ReadOnlySpan<byte> payload)
    {
        for (var i = 0; i + 4 <= payload.Length; i++)
        {
            if (BinaryPrimitives.ReadUInt32BigEndian(payload[i..]) == signature) return true;
        }
        return false;
    }
}
