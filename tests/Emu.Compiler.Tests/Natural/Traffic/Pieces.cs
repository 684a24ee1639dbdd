using System.Text;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Parts that the frames of traffic are made of.</summary>
internal static class Pieces
{
    public static readonly MacAddress Left = MacAddress.Parse("02:00:00:00:00:01");
    public static readonly MacAddress Right = MacAddress.Parse("02:00:00:00:00:02");

    public static IPv4Address IP(string text) => IPv4Address.Parse(text);

    public static IPv6Address IP6(string text) => IPv6Address.Parse(text);

    public static Packet Link => Packet.Ethernet(Left, Right);

    public static Packet Back => Packet.Ethernet(Right, Left);

    public static byte[] U16(int value) => [(byte)(value >> 8), (byte)value];

    public static byte[] U24(int value) => [(byte)(value >> 16), .. U16(value)];

    public static byte[] U32(uint value) => [.. U16((int)(value >> 16)), .. U16((int)value)];

    public static byte[] U64(ulong value) => [.. U32((uint)(value >> 32)), .. U32((uint)value)];

    public static byte[] Text(string text) => Encoding.ASCII.GetBytes(text);

    public static byte[] Noise(int length, int seed)
    {
        var bytes = new byte[length];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    /// <summary>Frames that every network has besides.</summary>
    public static byte[] Background(int i) => (i % 4) switch
    {
        0 => Packet.Ethernet(Left, MacAddress.Broadcast).ArpRequest(Left, IP("10.0.0.1"), IP("10.0.0.2")).PaddedTo(60),
        1 => Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Udp(5000, 6000).Payload(Noise(20 + i * 37 % 700, i))
            .PaddedTo(60),
        2 => Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Tcp(40000, 80, flags: Packet.Ack)
            .Payload(Noise(i * 53 % 1400, i)).PaddedTo(60),
        _ => Link.IPv6(IP6("2001:db8::1"), IP6("2001:db8::2")).Udp(546, 547).Payload(Noise(60, i)),
    };
}
