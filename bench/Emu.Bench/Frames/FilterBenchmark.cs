using Emu.Testing;

namespace Emu.Bench;

/// <summary>
/// Filter with its file of 64 rules, beside the kernel's filter with the same file: a router, so that the ports of the
/// rules are its interfaces, whose packets iptables-legacy or nftables look at.
/// </summary>
internal static class FilterBenchmark
{
    /// <summary>Programs that load the file, and with it the kernel's old filter and its new one.</summary>
    public const string Legacy = "iptables-legacy-restore";

    /// <inheritdoc cref="Legacy"/>
    public const string Nftables = "iptables-nft-restore";

    private const int FlowCount = 256;
    private const int HeaderLength = 14 + 20 + 8;
    private const ushort FirstClientPort = 20000;
    // The last rule but one accepts what goes there, the last drops what goes elsewhere.
    private const string Server = "192.0.2.254";
    private const ushort Accepted = 7;
    private const ushort Dropped = 9;
    // A host of the world, port 0 of the rules.
    private const string Client = "198.51.100.20";
    private const string AnyMacs = "........................";

    private static readonly MacAddress s_clientMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_serverMac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly MacAddress s_routerMac = MacAddress.Parse("02:00:00:00:00:fe");
    private static readonly string s_rules = Path.Combine(Places.Root, "services/Filter/rules-64.txt");

    public static IEnumerable<Ratio> Run(int rounds, double seconds)
    {
        using var legacy = Route(Legacy);
        using var nftables = Route(Nftables);
        using var emu = Filter([]);
        using var spinning = Filter(Comparison.Spin);
        var comparison = new Comparison(
            rounds, seconds, 1, emu, spinning, ("iptables-legacy", legacy), ("nftables", nftables));
        foreach (var length in Benchmarks.Lengths)
        {
            foreach (var ratio in comparison.Rates($"filter, 64 rules, {length} B, all pass", Frames(length, Accepted)))
                yield return ratio;
        }
        var mixed = Frames(60, Accepted).Zip(Frames(60, Dropped)).SelectMany(pair => new[] { pair.First, pair.Second });
        foreach (var ratio in comparison.Rates("filter, 64 rules, 60 B, half dropped", mixed)) yield return ratio;

        var thereAndBack = new Exchange(
            Datagram(FirstClientPort, Accepted, 60),
            Exchange.Form(AnyMacs, 17, Server, Client, $"{Accepted:x4}{FirstClientPort:x4}"),
            Exchange.Form(AnyMacs, 17, Client, Server, $"{FirstClientPort:x4}{Accepted:x4}"));
        foreach (var ratio in comparison.Delays("filter, 64 rules, 60 B there and back", thereAndBack))
            yield return ratio;
    }

    private static Side Filter(string[] options)
    {
        var side = new Side(s_clientMac, s_serverMac);
        side.Serve("Filter", options, ["--rules", s_rules]);
        return side;
    }

    private static Side Route(string loader)
    {
        var side = new Side(s_clientMac, s_serverMac);
        side.Address(s_routerMac, "198.51.100.1", "192.0.2.1");
        side.Know(0, Client, s_clientMac);
        side.Know(1, Server, s_serverMac);
        side.Do(loader, s_rules);
        return side;
    }

    private static IEnumerable<byte[]> Frames(int length, ushort port) =>
        Enumerable.Range(FirstClientPort, FlowCount).Select(from => Datagram((ushort)from, port, length));

    private static byte[] Datagram(ushort from, ushort to, int length) => Packet.Ethernet(s_clientMac, s_routerMac)
        .IPv4(IPv4Address.Parse(Client), IPv4Address.Parse(Server))
        .Udp(from, to).Payload(new byte[length - HeaderLength]);
}
