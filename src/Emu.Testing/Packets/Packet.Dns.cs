using System.Text;

namespace Emu.Testing;

/// <content>The domain name system.</content>
public sealed partial class Packet
{
    /// <summary>
    /// A message with one question (RFC 1035 §4.1), behind UDP with destination port 53; records may follow as
    /// <see cref="Payload(byte[])"/>.
    /// </summary>
    /// <param name="id">The number that an answer repeats.</param>
    /// <param name="name">Labels of ASCII with dots between them, <c>"www.example.org"</c>; the root is empty.</param>
    /// <param name="type">1 for an IPv4 address, 28 for an IPv6 address.</param>
    /// <param name="flags">The second word of the header: a question that wants recursion unless given.</param>
    /// <param name="answers">The records of the answer section.</param>
    public Packet Dns(ushort id, string name, ushort type = 1, ushort flags = 0x0100, ushort answers = 0)
    {
        var labels = name.Split('.', StringSplitOptions.RemoveEmptyEntries).Select(Encoding.ASCII.GetBytes);
        return Payload(
        [
            .. PacketBytes.Of(id), .. PacketBytes.Of(flags), .. PacketBytes.Of((ushort)1), .. PacketBytes.Of(answers),
            0, 0, 0, 0, .. labels.SelectMany(label => (byte[])[(byte)label.Length, .. label]), 0,
            .. PacketBytes.Of(type), .. PacketBytes.Of((ushort)1),
        ]);
    }
}
