using Emu.Testing;

namespace Emu.Bench;

/// <summary>
/// Dns on a packet socket, beside two name servers on sockets of the kernel, on equal pairs of virtual interfaces:
/// one zone of 1,000 names, a question for the address of each.
/// </summary>
internal static class DnsBenchmark
{
    /// <summary>The programs beside it.</summary>
    public const string Nsd = "nsd", Knot = "knotd";

    private const int Names = 1000;
    private const string Zone = "bench.org";
    private const ushort ClientPort = 20000;
    private const ushort Port = 53;
    private const string Client = "10.0.0.1";
    private const string Server = "10.0.0.2";

    private static readonly MacAddress s_clientMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_serverMac = MacAddress.Parse("02:00:00:00:00:fe");

    public static IEnumerable<Ratio> Run(int rounds, double seconds)
    {
        var folder = Directory.CreateDirectory(Path.Combine(Places.Build, "dns")).FullName;
        var zone = Path.Combine(folder, Zone + ".zone");
        File.WriteAllText(zone, Records());
        using var nsd = new Side(s_clientMac);
        using var knot = new Side(s_clientMac);
        using var emu = new Side(s_clientMac);
        using var spinning = new Side(s_clientMac);
        Start(nsd, Nsd, ["-d"], Path.Combine(folder, "nsd.conf"), NsdConfiguration(folder, zone));
        Start(knot, Knot, [], Path.Combine(folder, "knot.conf"), KnotConfiguration(folder, zone));
        string[] arguments = ["--address", Server, "--mac", $"{s_serverMac}", "--zone", zone];
        emu.Serve("Dns", [], arguments);
        spinning.Serve("Dns", Comparison.Spin, arguments);

        var comparison = new Comparison(rounds, seconds, 1.5, emu, spinning, (Nsd, nsd), (Knot, knot));
        var questions = Enumerable.Range(0, Names).Select(Question).ToArray();
        foreach (var ratio in comparison.Rates($"DNS, {Names} names, A", questions)) yield return ratio;
        foreach (var ratio in comparison.Delays($"DNS, {Names} names, A", new Exchange(questions[0], Answer(0))))
            yield return ratio;
    }

    /// <summary>A master file: a name server, and names with an address each.</summary>
    private static string Records() =>
        $"""
        $ORIGIN {Zone}.
        $TTL 3600
        @ SOA ns hostmaster 1 7200 900 1209600 300
        @ NS ns
        ns A {Server}

        """
        + string.Concat(Enumerable.Range(0, Names).Select(i => $"{Label(i)} A {Address(i)}\n"));

    /// <summary>Starts a server on its core, as <see cref="Server"/>, and waits until it answers.</summary>
    private static void Start(Side side, string program, string[] options, string file, string configuration)
    {
        File.WriteAllText(file, configuration);
        side.Address(s_serverMac, Server);
        side.Know(0, Client, s_clientMac);
        side.StartServer([program, .. options, "-c", file]);
        side.WaitForAnswer(Server, Port, Packet.Bare.Dns(1, $"{Label(0)}.{Zone}"));
    }

    /// <summary>One worker, nothing but answers: no file written, no limit on the rate of answers.</summary>
    private static string NsdConfiguration(string folder, string zone) =>
        $"""
        server:
            ip-address: {Server}
            server-count: 1
            username: ""
            chroot: ""
            database: ""
            pidfile: "{folder}/nsd.pid"
            xfrdfile: "{folder}/xfrd.state"
            zonelistfile: "{folder}/zone.list"
            rrl-ratelimit: 0
            rrl-whitelist-ratelimit: 0
        remote-control:
            control-enable: no
        zone:
            name: {Zone}
            zonefile: "{zone}"

        """;

    private static string KnotConfiguration(string folder, string zone) =>
        $"""
        server:
            rundir: "{folder}"
            listen: {Server}
            udp-workers: 1
            tcp-workers: 1
            background-workers: 1
        database:
            storage: "{folder}"
        zone:
          - domain: {Zone}
            file: "{zone}"
            zonefile-sync: -1
            journal-content: none

        """;

    private static string Label(int name) => $"n{name:d3}";

    private static string Address(int name) => $"192.0.{name >> 8}.{name & 255}";

    /// <summary>74 bytes.</summary>
    private static byte[] Question(int name) => Packet.Ethernet(s_clientMac, s_serverMac)
        .IPv4(IPv4Address.Parse(Client), IPv4Address.Parse(Server))
        .Udp(ClientPort, Port).Dns((ushort)name, $"{Label(name)}.{Zone}");

    /// <summary>One record, with the authority of the zone, to a question that wanted recursion.</summary>
    private static string Answer(ushort name) => Exchange.Form(
        $"{s_clientMac.Bits:x12}{s_serverMac.Bits:x12}", 17, Server, Client,
        $"{Port:x4}{ClientPort:x4}........{name:x4}850000010001");
}
