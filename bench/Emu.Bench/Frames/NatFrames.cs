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

    /// <summary>One datagram outwards, from the address outside whatever the port has become, and its answer.</summary>
    public static Exchange ThereAndBack => new(
        Outbound(60, 1)[0],
        Form(InsideMac, Server, Client, $"{ServerPort:x4}{FirstClientPort:x4}"),
        Form(OutsideMac, OutsideAddress, Server, $"....{ServerPort:x4}"));

    /// <summary>A frame of that length from each of as many ports.</summary>
    public static byte[][] Outbound(int length, int flows) =>
        [.. Enumerable.Range(0, flows).Select(i => FromPort(FirstClientPort + i, length))];

    private static byte[] FromPort(int port, int length) => Packet.Ethernet(InsideMac, DeviceMac)
        .IPv4(IPv4Address.Parse(Client), IPv4Address.Parse(Server))
        .Udp((ushort)port, ServerPort).Payload(new byte[length - HeaderLength]);

    private static string Form(MacAddress destination, string from, string to, string ports) =>
        Exchange.Form($"{destination.Bits:x12}{DeviceMac.Bits:x12}", 17, from, to, ports);
}
