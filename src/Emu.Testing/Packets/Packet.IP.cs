namespace Emu.Testing;

public sealed partial class Packet
{
    /// <summary>An IPv4 header (RFC 791 §3.1).</summary>
    /// <param name="source">Who sends.</param>
    /// <param name="destination">Whom it is for.</param>
    /// <param name="ttl">Time to live.</param>
    /// <param name="protocol">The number of the next header when left out, 253 in front of bare payload.</param>
    /// <param name="identification">Of the datagram whose fragment this is.</param>
    /// <param name="trafficClass">The octet of DSCP and ECN.</param>
    /// <param name="dontFragment">The flag DF.</param>
    /// <param name="moreFragments">The flag MF.</param>
    /// <param name="fragmentOffset">The offset in bytes, a multiple of 8.
    /// The content behind the header is taken as it is: a later fragment is written as payload.</param>
    /// <param name="options">At most 40 bytes; bytes of 0 are added up to a multiple of 4.</param>
    /// <param name="totalLength">The true one when left out.</param>
    /// <param name="checksum">The right one when left out.</param>
    /// <param name="version">4, unless a wrong one is wanted.</param>
    /// <param name="headerWords">The header's length in 32-bit words; the true one when left out.</param>
    public Packet IPv4(
        IPv4Address source, IPv4Address destination, byte ttl = 64, byte? protocol = null, ushort identification = 0,
        byte trafficClass = 0, bool dontFragment = false, bool moreFragments = false, int fragmentOffset = 0,
        byte[]? options = null, ushort? totalLength = null, ushort? checksum = null, byte version = 4,
        byte? headerWords = null)
    {
        var fragment = (ushort)((dontFragment ? 0x4000 : 0) | (moreFragments ? 0x2000 : 0) | fragmentOffset / 8);
        var padded = PacketBytes.PadToWords(options);
        return With(new PacketLayer(Build, etherType: 0x0800, protocol: 4, pseudoHeader: PseudoHeader));

        byte[] Build(LayerContext c)
        {
            byte[] header = [
                (byte)(version << 4 | (headerWords ?? 5 + padded.Length / 4)), trafficClass,
                .. PacketBytes.Of(totalLength ?? (ushort)(20 + padded.Length + c.Content.Length)),
                .. PacketBytes.Of(identification), .. PacketBytes.Of(fragment), ttl, protocol ?? c.Protocol, 0, 0,
                .. PacketBytes.Of(source), .. PacketBytes.Of(destination), .. padded];
            return [.. header.With(10, checksum ?? PacketBytes.Checksum(header)), .. c.Content];
        }

        byte[] PseudoHeader(int length, byte next) =>
            [.. PacketBytes.Of(source), .. PacketBytes.Of(destination), 0, next, .. PacketBytes.Of((ushort)length)];
    }

    /// <summary>An IPv6 header (RFC 8200 §3).</summary>
    /// <param name="source">Who sends.</param>
    /// <param name="destination">Whom it is for.</param>
    /// <param name="hopLimit">Hops left.</param>
    /// <param name="nextHeader">The number of the next header when left out, 253 in front of bare payload.</param>
    /// <param name="trafficClass">The octet of DSCP and ECN.</param>
    /// <param name="flowLabel">20 bits.</param>
    /// <param name="payloadLength">The true one when left out.</param>
    /// <param name="version">6, unless a wrong one is wanted.</param>
    public Packet IPv6(
        IPv6Address source, IPv6Address destination, byte hopLimit = 64, byte? nextHeader = null, byte trafficClass = 0,
        uint flowLabel = 0, ushort? payloadLength = null, byte version = 6)
    {
        return With(new PacketLayer(Build, etherType: 0x86DD, protocol: 41, pseudoHeader: PseudoHeader));

        byte[] Build(LayerContext c) => [
            .. PacketBytes.Of((uint)version << 28 | (uint)trafficClass << 20 | flowLabel),
            .. PacketBytes.Of(payloadLength ?? (ushort)c.Content.Length), nextHeader ?? c.Protocol, hopLimit,
            .. PacketBytes.Of(source), .. PacketBytes.Of(destination), .. c.Content];

        byte[] PseudoHeader(int length, byte next) =>
            [.. PacketBytes.Of(source), .. PacketBytes.Of(destination), .. PacketBytes.Of((uint)length), 0, 0, 0, next];
    }
}
