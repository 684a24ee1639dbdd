using Emu.Testing;

namespace Emu.Bench;

/// <summary>
/// Memcached on a packet socket, beside the real one on a socket of the kernel, on equal pairs of virtual interfaces:
/// keys of 6 bytes, values of 8, all there.
/// </summary>
internal static class MemcachedBenchmark
{
    /// <summary>The program beside it.</summary>
    public const string Program = "memcached";

    private const int Items = 4096;
    private const int Verified = 16;
    private const ushort ClientPort = 20000;
    private const ushort Port = 11211;
    private const string Client = "10.0.0.1";
    private const string Server = "10.0.0.2";

    private static readonly MacAddress s_clientMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_serverMac = MacAddress.Parse("02:00:00:00:00:fe");

    public static IEnumerable<Ratio> Run(int rounds, double seconds)
    {
        using var real = new Side(s_clientMac);
        using var emu = new Side(s_clientMac);
        using var spinning = new Side(s_clientMac);
        real.Address(s_serverMac, Server);
        real.Know(0, Client, s_clientMac);
        real.StartServer([Program, "-u", "root", "-l", Server, "-p", "0", "-U", $"{Port}", "-t", "1"]);
        real.WaitForAnswer(Server, Port, Packet.Bare.MemcachedFrame(1).Payload("version\r\n"));
        string[] arguments =
            ["--address", Server, "--mac", $"{s_serverMac}", "--chunks", $"{2 * Items}", "--rate", "0"];
        emu.Serve("Memcached", [], arguments);
        spinning.Serve("Memcached", Comparison.Spin, arguments);

        var comparison = new Comparison(rounds, seconds, 1.5, emu, spinning, (Program, real));
        comparison.Send("sets", Enumerable.Range(0, Items).Select(item => Request(item, Set(item))));
        foreach (var side in (Side[])[real, emu, spinning]) Verify(side);
        var gets = Enumerable.Range(0, Items).Select(item => Request(item, Get(item)));
        foreach (var ratio in comparison.Rates($"memcached, {Items} items, get", gets)) yield return ratio;
        foreach (var ratio in comparison.Delays($"memcached, {Items} items, get", Hit(0))) yield return ratio;
    }

    /// <summary>Asks for some items: a miss would be answered, too.</summary>
    private static void Verify(Side side)
    {
        for (var item = 0; item < Items; item += Items / Verified) side.Ask(new RoundTrip(0.001), Hit(item));
    }

    private static Exchange Hit(int item) => new(
        Request(item, Get(item)),
        Exchange.Form(
            $"{s_clientMac.Bits:x12}{s_serverMac.Bits:x12}", 17, Server, Client,
            $"{Port:x4}{ClientPort:x4}........{item:x4}000000010000"
            + Convert.ToHexString(Packet.Bare.Payload($"VALUE {Key(item)} 0 8\r\n{Value(item)}\r\nEND\r\n"))));

    private static string Key(int item) => $"{item:d6}";

    private static string Value(int item) => $"{item:x8}";

    private static string Get(int item) => $"get {Key(item)}\r\n";

    private static string Set(int item) => $"set {Key(item)} 0 0 8\r\n{Value(item)}\r\n";

    private static byte[] Request(int item, string text) => Packet.Ethernet(s_clientMac, s_serverMac)
        .IPv4(IPv4Address.Parse(Client), IPv4Address.Parse(Server))
        .Udp(ClientPort, Port).MemcachedFrame((ushort)item).Payload(text);
}
