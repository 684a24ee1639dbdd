using Emu.Testing;

namespace Emu.Compiler.Tests;

internal static partial class NaturalTraffic
{
    public static readonly MacAddress LeftMac = MacAddress.Parse("02:00:00:00:00:01");
    public static readonly MacAddress RightMac = MacAddress.Parse("02:00:00:00:00:02");
    public static readonly IPv4Address Left = IPv4Address.Parse("10.0.0.1");
    public static readonly IPv4Address Right = IPv4Address.Parse("10.0.0.2");

    public static byte[] U16(int value) => [(byte)(value >> 8), (byte)value];

    public static byte[] U32(uint value) => [.. U16((int)(value >> 16)), .. U16((int)value)];

    public static byte[] U64(ulong value) => [.. U32((uint)(value >> 32)), .. U32((uint)value)];

    private static byte[] Bytes(Random random, int least, int most)
    {
        var bytes = new byte[random.Next(least, most + 1)];
        random.NextBytes(bytes);
        return bytes;
    }

    private static string Lines(int length) =>
        string.Concat(Enumerable.Range(0, length / 9 + 1).Select(i => $"line {i:000}\n"))[..length];

    private static Packet Link => Packet.Ethernet(LeftMac, RightMac);

    private static IPv4Address Host(Random random, int hosts) => new(0x0A00_0010 + (uint)random.Next(hosts));

    /// <summary>Traffic that none of the services is for.</summary>
    public static (int Port, byte[] Bytes) Other(Random random) => random.Next(3) switch
    {
        0 => (random.Next(2),
            Packet.Ethernet(LeftMac, MacAddress.Broadcast).ArpRequest(LeftMac, Left, Right).PaddedTo(60)),
        1 => (random.Next(2), Link.IPv4(Left, Right).Udp(5000, 6000).Payload(Bytes(random, 0, 200)).PaddedTo(60)),
        _ => (random.Next(2), Link.IPv4(Left, Right).Tcp(40000, 80, flags: Packet.Ack)
            .Payload(Bytes(random, 0, 600)).PaddedTo(60)),
    };
}
