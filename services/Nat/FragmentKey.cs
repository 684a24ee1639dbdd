using Emu.Protocols;

namespace Emu.Services;

/// <summary>The datagram that a fragment is of (RFC 791 §3.2), and the side that it comes from.</summary>
/// <param name="isFromInside">True if it comes from the inside.</param>
/// <param name="ip">The fragment, not translated yet.</param>
internal readonly struct FragmentKey(bool isFromInside, IPv4 ip) : ITableKey<FragmentKey>
{
    private const int IdentificationWidth = 16;
    private const int ProtocolWidth = 8;
    private const int OthersWidth = IdentificationWidth + ProtocolWidth + 1;

    public static int Width => 2 * IPv4Address.Width + OthersWidth;

    public UInt128 KeyBits
    {
        get;
    } = (UInt128)((ulong)ip.Source.Bits << IPv4Address.Width | ip.Destination.Bits) << OthersWidth
        | (uint)(isFromInside ? 1 : 0) << IdentificationWidth + ProtocolWidth
        | (uint)ip.Protocol << IdentificationWidth | ip.Identification;

    public bool Equals(FragmentKey other) => KeyBits == other.KeyBits;

    public override bool Equals(object? obj) => obj is FragmentKey other && Equals(other);

    public override int GetHashCode() => KeyBits.GetHashCode();
}
