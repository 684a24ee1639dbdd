namespace Emu.Testing;

public sealed partial class Packet
{
    /// <summary>The flag of <see cref="Tcp"/> that says the sender has no more data.</summary>
    public const byte Fin = 0x01;

    /// <summary>The flag of <see cref="Tcp"/> that opens a connection.</summary>
    public const byte Syn = 0x02;

    /// <summary>The flag of <see cref="Tcp"/> that breaks a connection off.</summary>
    public const byte Rst = 0x04;

    /// <summary>The flag of <see cref="Tcp"/> that asks to hand the data on at once.</summary>
    public const byte Psh = 0x08;

    /// <summary>The flag of <see cref="Tcp"/> that makes the acknowledgement number count.</summary>
    public const byte Ack = 0x10;

    /// <summary>A UDP header (RFC 768).</summary>
    /// <param name="sourcePort">The port to which answers go.</param>
    /// <param name="destinationPort">The port to which it goes.</param>
    /// <param name="length">The true one when left out.</param>
    /// <param name="checksum">The right one when left out; 0 for none.</param>
    public Packet Udp(ushort sourcePort, ushort destinationPort, ushort? length = null, ushort? checksum = null) =>
        With(new PacketLayer(
            c =>
            {
                byte[] segment = [
                    .. PacketBytes.Of(sourcePort), .. PacketBytes.Of(destinationPort),
                    .. PacketBytes.Of(length ?? (ushort)(8 + c.Content.Length)), 0, 0, .. c.Content];
                // A sum of 0 is sent as all ones, since 0 says that there is none.
                return segment.With(
                    6, checksum ?? (c.Checksum(segment, 17) is var sum and not 0 ? sum : ushort.MaxValue));
            },
            protocol: 17));

    /// <summary>A TCP header (RFC 9293 §3.1).</summary>
    /// <param name="sourcePort">The port to which answers go.</param>
    /// <param name="destinationPort">The port to which it goes.</param>
    /// <param name="sequence">The number of the first byte that it carries.</param>
    /// <param name="acknowledgement">The number of the next byte expected; counts with the flag ACK alone.</param>
    /// <param name="flags">Such as <c>Packet.Syn | Packet.Ack</c>; URG is 32, ECE 64, CWR 128.</param>
    /// <param name="window">In units that the connection has agreed on.</param>
    /// <param name="options">At most 40 bytes; bytes of 0 are added up to a multiple of 4.</param>
    /// <param name="urgent">The urgent pointer.</param>
    /// <param name="checksum">The right one when left out.</param>
    /// <param name="headerWords">The header's length in 32-bit words; the true one when left out.</param>
    public Packet Tcp(
        ushort sourcePort, ushort destinationPort, uint sequence = 0, uint acknowledgement = 0, byte flags = 0,
        ushort window = 65535, byte[]? options = null, ushort urgent = 0, ushort? checksum = null,
        byte? headerWords = null) => With(new PacketLayer(
        c =>
        {
            var padded = PacketBytes.PadToWords(options);
            byte[] segment = [
                .. PacketBytes.Of(sourcePort), .. PacketBytes.Of(destinationPort), .. PacketBytes.Of(sequence),
                .. PacketBytes.Of(acknowledgement), (byte)((headerWords ?? 5 + padded.Length / 4) << 4), flags,
                .. PacketBytes.Of(window), 0, 0, .. PacketBytes.Of(urgent), .. padded, .. c.Content];
            return segment.With(16, checksum ?? c.Checksum(segment, 6));
        },
        protocol: 6));
}
