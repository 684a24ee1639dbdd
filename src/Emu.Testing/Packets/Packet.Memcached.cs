namespace Emu.Testing;

/// <content>Memcached.</content>
public sealed partial class Packet
{
    /// <summary>
    /// The frame header of a datagram (memcached's protocol.txt), behind UDP; requests follow as
    /// <see cref="MemcachedRequest"/>, or as text by <see cref="Payload(string)"/>.
    /// </summary>
    /// <param name="id">The number that an answer repeats.</param>
    /// <param name="sequence">The number of the datagram in its message.</param>
    /// <param name="count">The datagrams of the message.</param>
    public Packet MemcachedFrame(ushort id, ushort sequence = 0, ushort count = 1) =>
        Payload([.. PacketBytes.Of(id), .. PacketBytes.Of(sequence), .. PacketBytes.Of(count), 0, 0]);

    /// <summary>A request of the binary protocol (memcached's protocol_binary.xml §2).</summary>
    /// <param name="opcode">The operation.</param>
    /// <param name="key">The key.</param>
    /// <param name="extras">The extras.</param>
    /// <param name="value">The value.</param>
    /// <param name="unique">The unique number (CAS).</param>
    /// <param name="opaque">The number that an answer repeats.</param>
    public Packet MemcachedRequest(
        byte opcode, string key = "", byte[]? extras = null, string value = "", ulong unique = 0, uint opaque = 0)
    {
        byte[] body = [.. extras ?? [], .. key.Select(c => (byte)c), .. value.Select(c => (byte)c)];
        return Payload(
        [
            0x80, opcode, .. PacketBytes.Of((ushort)key.Length), (byte)(extras?.Length ?? 0), 0, 0, 0,
            .. PacketBytes.Of((uint)body.Length), .. PacketBytes.Of(opaque), .. PacketBytes.Of((uint)(unique >> 32)),
            .. PacketBytes.Of((uint)unique), .. body,
        ]);
    }
}
