namespace Emu.Services;

/// <summary>The new addresses of the first fragment of a datagram: the fragments behind it get the same.</summary>
/// <param name="source">From whom it is now.</param>
/// <param name="destination">For whom it is now.</param>
internal readonly struct FragmentEnds(IPv4Address source, IPv4Address destination)
{
    public IPv4Address Source { get; } = source;

    public IPv4Address Destination { get; } = destination;
}
