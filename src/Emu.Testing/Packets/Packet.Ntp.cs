using System.Buffers.Binary;

namespace Emu.Testing;

public sealed partial class Packet
{
    /// <summary>A message of the Network Time Protocol (RFC 5905 §7.3).</summary>
    /// <param name="mode">3 for a client's request, 4 for a server's answer.</param>
    /// <param name="transmitTimestamp">The time at which it is sent, in seconds since 1900 and their fraction.</param>
    /// <param name="originTimestamp">In an answer, that of the request.</param>
    /// <param name="receiveTimestamp">In an answer, the time at which the request arrived.</param>
    /// <param name="version">4, unless another one is wanted.</param>
    /// <param name="stratum">Of a server, its distance from a reference clock.</param>
    public Packet Ntp(
        byte mode = 3, ulong transmitTimestamp = 0, ulong originTimestamp = 0, ulong receiveTimestamp = 0,
        byte version = 4, byte stratum = 0)
    {
        var message = new byte[48];
        (message[0], message[1]) = ((byte)(version << 3 | mode), stratum);
        BinaryPrimitives.WriteUInt64BigEndian(message.AsSpan(24), originTimestamp);
        BinaryPrimitives.WriteUInt64BigEndian(message.AsSpan(32), receiveTimestamp);
        BinaryPrimitives.WriteUInt64BigEndian(message.AsSpan(40), transmitTimestamp);
        return Payload(message);
    }
}
