namespace Emu.Services;

/// <summary>What the first fragment of a datagram has become: those behind it become the same.</summary>
/// <param name="source">From whom it is now.</param>
/// <param name="destination">For whom it is now.</param>
internal readonly struct FragmentEnds(IPv4Address source, IPv4Address destination)
{
    public IPv4Address Source { get; } = source;

    public IPv4Address Destination { get; } = destination;
}
