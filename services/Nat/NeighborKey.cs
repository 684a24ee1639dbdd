namespace Emu.Services;

/// <summary>A station on one of the two links. A packet heard on one link says nothing about the other.</summary>
/// <param name="isInside">True for the link inside.</param>
/// <param name="address">Its IPv4 address there.</param>
public readonly struct NeighborKey(bool isInside, IPv4Address address) : ITableKey<NeighborKey>
{
    /// <summary>33.</summary>
    public static int Width => IPv4Address.Width + 1;

    /// <inheritdoc/>
    public UInt128 KeyBits => Bits;

    private ulong Bits { get; } = (isInside ? 1UL << IPv4Address.Width : 0) | address.Bits;

    /// <inheritdoc/>
    public bool Equals(NeighborKey other) => Bits == other.Bits;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is NeighborKey other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Bits.GetHashCode();

    /// <summary>The link and the address.</summary>
    public override string ToString() =>
        $"{(Bits >> IPv4Address.Width != 0 ? "inside" : "outside")} {new IPv4Address((uint)Bits)}";

    /// <summary>True if both are the same station.</summary>
    public static bool operator ==(NeighborKey left, NeighborKey right) => left.Bits == right.Bits;

    /// <summary>True if they are different stations.</summary>
    public static bool operator !=(NeighborKey left, NeighborKey right) => left.Bits != right.Bits;
}
