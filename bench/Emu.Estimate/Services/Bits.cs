using System.Numerics;
using Emu.Protocols;

namespace Emu.Estimate;

/// <summary>
/// The station of eight whose address is nearest to the frame's, by ones of the difference; and whether it is near.
/// </summary>
public sealed class NearestStation : Service
{
    public override void Process(ref Frame frame)
    {
        var source = new Ethernet(frame).Source.Bits;
        var (best, least) = (0UL, 64);
        for (ulong i = 1; i <= 8; i++)
        {
            var ones = BitOperations.PopCount(source ^ i * 0x1234_5678_9ABC & 0xFFFF_FFFF_FFFF);
            if (ones < least) (best, least) = (i, ones);
        }
        if (least < 12) frame.ForwardTo(new PortSet(best));
    }
}

/// <summary>A logarithmic histogram of what the first word holds, and the word shifted to the left end.</summary>
public sealed class Normalised : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 30) return;
        var word = frame.Bytes.UInt64(14);
        var zeros = BitOperations.LeadingZeroCount(word);
        frame.Bytes.SetUInt64(14, word << zeros);
        frame.Bytes[22] = (byte)zeros;
        frame.Bytes[23] = (byte)BitOperations.TrailingZeroCount(word);
        frame.Flood();
    }
}

/// <summary>A scalar product of four pairs of 16-bit numbers, added to what there was.</summary>
public sealed class ScalarProduct : Service
{
    private ulong _sum;

    public override void Process(ref Frame frame)
    {
        if (frame.Length < 38) return;
        ulong sum = 0;
        for (var i = 0; i < 4; i++) sum += (uint)frame.Bytes.UInt16(14 + 4 * i) * frame.Bytes.UInt16(16 + 4 * i);
        _sum += sum;
        frame.Bytes.SetUInt64(30, _sum);
        frame.Flood();
    }
}

/// <summary>The polynomial of a payload's bytes modulo 2^32, and their CRC.</summary>
public sealed class PayloadDigest : Service
{
    private const uint Factor = 16_777_619;

    public override void Process(ref Frame frame)
    {
        if (frame.Length < 20) return;
        uint digest = 2_166_136_261;
        for (var i = 20; i < frame.Length; i++) digest = (digest ^ frame.Bytes[i]) * Factor;
        frame.Bytes.SetUInt32(14, digest);
        frame.Flood();
    }
}

/// <summary>The least, the greatest and the middle of four signed words, sorted.</summary>
public sealed class SortedWords : Service
{
    public override void Process(ref Frame frame)
    {
        if (frame.Length < 30) return;
        var (a, b) = ((int)frame.Bytes.UInt32(14), (int)frame.Bytes.UInt32(18));
        var (c, d) = ((int)frame.Bytes.UInt32(22), (int)frame.Bytes.UInt32(26));
        (a, b) = (Math.Min(a, b), Math.Max(a, b));
        (c, d) = (Math.Min(c, d), Math.Max(c, d));
        (a, c) = (Math.Min(a, c), Math.Max(a, c));
        (b, d) = (Math.Min(b, d), Math.Max(b, d));
        (b, c) = (Math.Min(b, c), Math.Max(b, c));
        frame.Bytes.SetUInt32(14, (uint)a);
        frame.Bytes.SetUInt32(18, (uint)b);
        frame.Bytes.SetUInt32(22, (uint)c);
        frame.Bytes.SetUInt32(26, (uint)d);
        frame.Flood();
    }
}

/// <summary>
/// Sends each frame to the port that has got fewest bytes so far, of those that it did not come from.
/// </summary>
public sealed class LeastLoaded : Service
{
    private uint _sent0, _sent1, _sent2, _sent3;

    public override void Process(ref Frame frame)
    {
        var ingress = frame.Ingress.Index;
        var (port, least) = (0, ingress == 0 ? uint.MaxValue : _sent0);
        if (ingress != 1 && _sent1 < least) (port, least) = (1, _sent1);
        if (ingress != 2 && _sent2 < least) (port, least) = (2, _sent2);
        if (ingress != 3 && _sent3 < least) port = 3;
        var length = (uint)frame.Length;
        if (port == 0) _sent0 += length;
        else if (port == 1) _sent1 += length;
        else if (port == 2) _sent2 += length;
        else _sent3 += length;
        frame.ForwardTo(new PortId(port));
    }
}
