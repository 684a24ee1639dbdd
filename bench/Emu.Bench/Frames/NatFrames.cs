using Emu.Testing;

namespace Emu.Bench;

/// <summary>UDP from one host inside to one outside, by a translator between them.</summary>
internal static class NatFrames
{
    public const string Client = "10.0.0.1";
    public const string InsideAddress = "10.0.0.254";
    public const string OutsideAddress = "192.0.2.1";
    public const string Server = "192.0.2.9";

    private const int HeaderLength = 14 + 20 + 8;
    private const ushort FirstClientPort = 20000;
    private const ushort ServerPort = 7;

    public static MacAddress InsideMac { get; } = MacAddress.Parse("02:00:00:00:00:01");

    public static MacAddress OutsideMac { get; } = MacAddress.Parse("02:00:00:00:00:02");

    public static MacAddress DeviceMac { get; } = MacAddress.Parse("02:00:00:00:00:fe");

    /// <summary>What arrives outside of <see cref="Outbound"/>: from the address outside, whatever the port has become.</summary>
    public static string Passed => Pattern(OutsideMac, OutsideAddress, Server, $"....{ServerPort:x4}");

    /// <summary>What comes back inside.</summary>
    public static string Answer => Pattern(InsideMac, Server, Client, $"{ServerPort:x4}{FirstClientPort:x4}");

    /// <summary>A frame of that length from each of as many ports.</summary>
    public static byte[][] Outbound(int length, int flows) => [.. Enumerable.Range(0, flows).Select(i => FromPort(FirstClientPort + i, length))];

    private static byte[] FromPort(int port, int length) => Packet.Ethernet(InsideMac, DeviceMac)
        .IPv4(IPv4Address.Parse(Client), IPv4Address.Parse(Server)).Udp((ushort)port, ServerPort).Payload(new byte[length - HeaderLength]);

    /// <summary>A frame up to its ports, for roundtrip.c: length, identification, TTL and checksum may be any.</summary>
    private static string Pattern(MacAddress destination, string from, string to, string ports) =>
        $"{destination.Bits:x12}{DeviceMac.Bits:x12}080045................11....{IPv4Address.Parse(from).Bits:x8}{IPv4Address.Parse(to).Bits:x8}{ports}";
}
