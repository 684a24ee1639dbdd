namespace Emu.Protocols.Tests;

/// <summary>
/// Frames whose every byte is known, from 02:00:00:00:00:01 to 02:00:00:00:00:02 unless it needs others.
/// Each call gives a fresh copy.
/// </summary>
internal static class KnownFrames
{
    private const string Ethernet = "020000000002020000000001";

    /// <summary>10.0.0.1 asks who has 10.0.0.2, padded to 60 bytes.</summary>
    public static byte[] ArpRequest => Hex("ffffffffffff020000000001" +
        "0806 0001080006040001 0200000000010a000001 0000000000000a000002" + new string('0', 36));

    /// <summary>10.0.0.1 to 10.0.0.2, identifier 1, sequence number 2, 56 bytes 00 01 02 ….</summary>
    public static byte[] EchoRequest => Hex(Ethernet + "0800" +
        "4500005400010000400166a60a0000010a000002 080000ea00010002000102030405060708090a0b0c0d0e0f1011121314151617" +
        "18191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f3031323334353637");

    /// <summary>10.0.0.1:1024 to 10.0.0.2:53, <c>hello</c>, padded to 60 bytes.</summary>
    public static byte[] UdpHello => Hex(
        Ethernet + "0800 4500002100010000401166c90a0000010a000002 04000035000da3ca 68656c6c6f" + new string('0', 26));

    /// <summary>
    /// 10.0.0.1:1024 to 10.0.0.2:80, with the options of a Linux SYN: MSS 1460, SACK-permitted, timestamps 7 and 0,
    /// NOP, window scale 7.
    /// </summary>
    public static byte[] TcpSyn => Hex(Ethernet + "0800 4500003c00010000400666b90a0000010a000002" +
        "0400005000000001 00000000a002faf034b50000 020405b40402080a000000070000000001030307");

    /// <summary>fe80::1 asks for fe80::2 and gives its own link-layer address.</summary>
    public static byte[] NeighborSolicitation => Hex(Ethernet + "86dd" +
        "6000000000203afffe800000000000000000000000000001ff0200000000000000000001ff000002" +
        "87007a9700000000fe800000000000000000000000000002 0101020000000001");

    /// <summary>fe80::2 answers fe80::1 with its link-layer address, solicited, override.</summary>
    public static byte[] NeighborAdvertisement => Hex(Ethernet + "86dd" +
        "6000000000203afffe800000000000000000000000000002fe800000000000000000000000000001" +
        "8800181a60000000fe800000000000000000000000000002 0201020000000002");

    /// <summary>
    /// fd00::1:1024 to fd00::2:53, <c>hello</c>, behind hop-by-hop options and the fragment header of a whole datagram.
    /// </summary>
    public static byte[] UdpBehindExtensions => Hex(Ethernet + "86dd" +
        "60000000001d0040fd000000000000000000000000000001fd000000000000000000000000000002" +
        "2c00050200000100 1100000000000009 04000035000dbdc868656c6c6f");

    /// <summary>
    /// A configuration BPDU's first bytes to the bridge group address, in length form, padded to 60 bytes.
    /// </summary>
    public static byte[] Bpdu => Hex("0180c2000000020000000001" + "0007 424203 00000000" + new string('0', 78));

    public static byte[] Hex(string digits) => Convert.FromHexString(digits.Replace(" ", ""));
}
