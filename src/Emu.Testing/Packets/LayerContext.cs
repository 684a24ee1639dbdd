namespace Emu.Testing;

/// <summary>The surroundings of a header while it is built.</summary>
/// <param name="Content">The bytes that it carries.</param>
/// <param name="Inner">The header that comes next; null for bare payload.</param>
/// <param name="Ip">The nearest IP header in front; null when there is none.</param>
internal readonly record struct LayerContext(byte[] Content, PacketLayer? Inner, PacketLayer? Ip)
{
    /// <summary>
    /// The EtherType of what comes next; the one for local experiments (IEEE 802-2014 §9.2.4) when it has none.
    /// </summary>
    public ushort EtherType => Inner?.EtherType ?? 0x88B5;

    /// <summary>
    /// The protocol number of what comes next; 253, for experiments (RFC 3692 §2.1), when it has none.
    /// </summary>
    public byte Protocol => Inner?.Protocol ?? 253;

    /// <summary>
    /// The checksum of a whole segment, its own field being 0, with the pseudo-header of the IP header in front.
    /// </summary>
    public ushort Checksum(byte[] segment, byte protocol) =>
        PacketBytes.Checksum([.. Ip?.PseudoHeader?.Invoke(segment.Length, protocol) ?? [], .. segment]);
}
