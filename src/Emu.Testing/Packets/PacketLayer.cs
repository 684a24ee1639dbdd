namespace Emu.Testing;

/// <summary>One header of a <see cref="Packet"/>, before it knows its neighbors.</summary>
/// <param name="build">Its bytes together with all that it carries.</param>
/// <param name="etherType">The number that names it in a header that carries EtherTypes;
/// null when nothing does.</param>
/// <param name="protocol">The number that names it in an IP header; null when nothing does.</param>
/// <param name="pseudoHeader">
/// For an IP header, what precedes the data of length L and protocol P in the sums of RFC 9293 §3.1 and RFC 8200 §8.1.
/// </param>
internal sealed class PacketLayer(
    Func<LayerContext, byte[]> build, ushort? etherType = null, byte? protocol = null,
    Func<int, byte, byte[]>? pseudoHeader = null)
{
    public Func<LayerContext, byte[]> Build { get; } = build;

    public ushort? EtherType { get; } = etherType;

    public byte? Protocol { get; } = protocol;

    public Func<int, byte, byte[]>? PseudoHeader { get; } = pseudoHeader;
}
