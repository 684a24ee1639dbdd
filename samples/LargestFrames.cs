using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Keeps the eight largest packets that were seen, the largest first, with who sent them: each packet is inserted into
/// a sorted array, as insertion sort does (Knuth 1998, §5.2.1).
/// </summary>
/// <remarks>Of packets of one size the oldest comes first. All frames pass.</remarks>
/// <example>--least 100</example>
/// <param name="least">The bytes of the smallest packet that is kept.</param>
public sealed class LargestFrames(uint least = 1) : Service
{
    private const int Kept = 8;

    private readonly uint[] _sizes = new uint[Kept];
    private readonly IPv4Address[] _sources = new IPv4Address[Kept];

    /// <summary>Bytes of the largest packets, the largest first; 0 where there was none.</summary>
    public ReadOnlySpan<uint> Sizes => _sizes;

    /// <summary>The addresses that they came from.</summary>
    public ReadOnlySpan<IPv4Address> Sources => _sources;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.TotalLength < least)
            return;

        var (size, source) = ((uint)ip.TotalLength, ip.Source);
        for (var i = 0; i < Kept; i++)
        {
            if (size <= _sizes[i]) continue;
            (size, _sizes[i]) = (_sizes[i], size);
            (source, _sources[i]) = (_sources[i], source);
        }
    }
}
