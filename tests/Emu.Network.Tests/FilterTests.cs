using System.Buffers.Binary;
using System.Text.RegularExpressions;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>
/// The filter beside the kernel's: a bridge between two hosts, whose packets pass the same rules in the chain FORWARD.
/// Ports of the bridge are named there by the match physdev, as port0 and port1 are here.
/// </summary>
public sealed partial class FilterTests(FilterTests.Kernel kernel) : IClassFixture<FilterTests.Kernel>
{
    private const int Packets = 400;

    private static readonly string[] s_rates =
    [
        "3/second", "100", "90/minute", "60/min", "120/m", "5/hour", "7/H", "3333/s", "10000/sec",
    ];
    private static readonly MacAddress[] s_macs = [new(0x0200_0000_0001), new(0x0200_0000_0002)];

    /// <summary>Numbers of each kind, in ways in which C writes them.</summary>
    private static readonly string[] s_numbers =
    [
        .. new[] { "010", "0x10", "0X1f", "00", "010:020", "0x10:", ":" }
            .Select(ports => $"-A FORWARD -p tcp --dport {ports}"),
        .. new[] { "010", "08", "010:020", ":" }.Select(ports => $"-A FORWARD -p udp --sport {ports}"),
        .. new[] { "tcp", "udp" }
            .Select(protocol => $"-A FORWARD -p {protocol} -m multiport --dports 010,0x11,020:0x30"),
        .. new[] { "010", "0x10:0x20", "010:", ":" }.Select(length => $"-A FORWARD -m length --length {length}"),
        "-A FORWARD -m ttl --ttl-eq 010", "-A FORWARD -m ttl --ttl-gt 0x10", "-A FORWARD -m limit --limit-burst 010",
        "-A FORWARD -m limit --limit-burst 0x10",
        "-A FORWARD -m limit --limit 010/sec", "-A FORWARD -m limit --limit 08/sec", "-A FORWARD -p 06",
        "-A FORWARD -p 0x11", "-A FORWARD -p 00",
        "-A FORWARD -p ALL", "-A FORWARD -s 10.0.0.0/010", "-A FORWARD -s 10.0.0.0/0x10", "-A FORWARD -s 10.0.0.0/024",
        "-A FORWARD -d 010.0.0.1",
        "-A FORWARD -d 10.0.0.0/255.0.0.010", "-A FORWARD -m iprange --src-range 010.0.0.1-10.0.0.2",
        "-A FORWARD -p icmp --icmp-type 010/0x1",
        "-A FORWARD -p icmp --icmp-type 0x8", "-I FORWARD 010 -p tcp", "-I FORWARD 0x2 -p udp", "-D FORWARD 03",
    ];

    /// <summary>Rule sets, each a row: the program, and commands.</summary>
    public static TheoryData<IPFamily, string[]> RuleSets => new()
    {
        {
            IPFamily.IPv4,
            ["-P FORWARD DROP", "-A FORWARD -p tcp --dport 80:90 -j ACCEPT", "-A FORWARD -p udp ! --sport 53 -j ACCEPT",
                "-A FORWARD -f -j ACCEPT"] },
        { IPFamily.IPv4, [
            "-A FORWARD -s 10.0.0.0/255.0.255.0 -j DROP",
            "-A FORWARD ! -d 10.0.0.0/30 -p icmp -j DROP",
            "-A FORWARD -i port0 -p 50 -j DROP",
        ] },
        { IPFamily.IPv4, [
            "-A FORWARD -p tcp --syn -j DROP",
            "-A FORWARD -p tcp ! --tcp-flags SYN,ACK,FIN,RST ACK -m length --length 40:60 -j DROP",
            "-A FORWARD -m ttl --ttl-lt 20 -j DROP", "-A FORWARD -m ttl --ttl-gt 200 -j DROP",
            "-A FORWARD -p tcp --tcp-flags ALL NONE -j DROP"] },
        { IPFamily.IPv4, [
            "-A FORWARD -p tcp -m multiport --dports 22,80,100:200 -j DROP",
            "-A FORWARD -p udp -m multiport ! --ports 53,60:90 -j DROP",
            "-A FORWARD -m iprange --src-range 10.0.0.1-10.0.0.2 --dst-range 10.0.0.2-10.0.0.3 -p icmp -j DROP"] },
        { IPFamily.IPv4, [
            "-N a", "-N b", "-A a -p tcp -j RETURN", "-A a -m length --length :50 -j b", "-A a -j DROP",
            "-A b -s 10.0.0.1 -j ACCEPT",
            "-A b -p udp --dport 53 -j RETURN", "-A FORWARD -i port0 -j a", "-A FORWARD -d 10.0.0.2 -g b",
            "-A FORWARD -p tcp -j DROP"] },
        {
            IPFamily.IPv4,
            ["-A FORWARD -p icmp --icmp-type echo-request -j DROP", "-A FORWARD -p icmp --icmp-type 3/1 -j DROP",
                "-A FORWARD -p icmp ! --icmp-type 0 -m mac --mac-source 02:00:00:00:00:01 -j DROP",
                "-A FORWARD ! -p tcp -o port0 -j DROP"] },
        {
            IPFamily.IPv6,
            ["-P FORWARD DROP", "-A FORWARD -p tcp --dport 80:90 -j ACCEPT", "-A FORWARD -p udp ! --sport 53 -j ACCEPT",
                "-A FORWARD -p icmpv6 --icmpv6-type echo-request -j ACCEPT"] },
        { IPFamily.IPv6, [
            "-A FORWARD -s fd00::2/127 -j DROP",
            "-A FORWARD ! -d fd00::/126 -p udp -j DROP",
            "-A FORWARD -m hl --hl-lt 50 -j DROP",
            "-A FORWARD -m iprange ! --src-range fd00::1-fd00::2 -j DROP",
            "-A FORWARD -p tcp -m length --length 60:80 -j DROP"] },
    };

    /// <summary>Commands of which only the text is compared.</summary>
    public static TheoryData<IPFamily, string[]> Texts => new()
    {
        { IPFamily.IPv4, [.. s_rates.Select(rate => $"-A FORWARD -m limit --limit {rate} -j ACCEPT")] },
        { IPFamily.IPv6, [
            "-A FORWARD -m limit",
            "-A FORWARD -m limit --limit 1/day --limit-burst 1",
            "-A FORWARD -m limit --limit-burst 10 -j DROP",
        ] },
        { IPFamily.IPv4, ["-A FORWARD -m conntrack --ctstate new,ESTABLISHED,RELATED -j ACCEPT",
            "-A FORWARD -m conntrack ! --ctstate UNTRACKED,INVALID -j DROP",
            "-A FORWARD -m state --state NEW -j ACCEPT", "-A FORWARD -m state ! --state NEW,INVALID"] },
        { IPFamily.IPv4, s_numbers },
        { IPFamily.IPv6, ["-A FORWARD -s fd00::/010", "-A FORWARD -s fd00::/0x10", "-A FORWARD -m hl --hl-eq 010",
            "-A FORWARD -m hl --hl-lt 0x10",
            "-A FORWARD -p icmpv6 --icmpv6-type 010", "-A FORWARD -p icmpv6 --icmpv6-type 0x80/0x1",
            "-A FORWARD ! -p ah", "-A FORWARD -6 ! -p 063"] },
        { IPFamily.IPv4, ["-p tcp -A FORWARD", "--append=FORWARD -4 --prot udp",
            "-A FORWARD -w 5 -t filter --dest 10.0.0.1",
            "-A FORWARD -p tcp --dp 80 --sy", "-A FORWARD -p tcp -m multiport --dport 80",
            "-A FORWARD -p tcp -m multiport -m tcp --dport 80 --dports 81",
            "-A FORWARD -m comment --comment -nv", "-A FORWARD -m comment --comment=--a=b",
            "-A FORWARD -m comment --comment !",
            "-A FORWARD -j REJECT --rej host-unr", "-A FORWARD -j REJECT --reject-with tcp-reset -p tcp",
            "-A FORWARD -m tcp --dport 80 -p tcp",
            "-N one", "-A one -i port0 -o port0", "-A OUTPUT -j one",
            "-A INPUT -m mac --mac-source 02:00:00:00:00:01"] },
    };

    [Theory, MemberData(nameof(RuleSets))]
    public void Who_arrives_is_the_same_as_with_the_kernels_rules(IPFamily family, string[] commands) =>
        Compare(family, commands, least: 10);

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void Who_arrives_is_the_same_with_random_rules(int seed)
    {
        var random = new Random(seed);
        var family = seed % 3 == 0 ? IPFamily.IPv6 : IPFamily.IPv4;
        string[] chains = ["FORWARD", "one", "two"];
        string Rule(int chain) =>
            string.Join(
                ' ',
                ["-A", chains[chain], .. RandomMatches(random, family), "-j", RandomTarget(random, chain, chains)]);
        var policy = $"-P FORWARD {(seed % 2 == 0 ? "ACCEPT" : "DROP")}";
        Compare(
            family,
            ["-N one", "-N two", .. Enumerable.Range(0, 24).Select(_ => Rule(random.Next(3))), policy],
            least: 0);
    }

    /// <summary>
    /// Packets and bytes that rules and policies have counted, in the order in which <c>-S -v</c> prints them.
    /// </summary>
    internal static IReadOnlyList<string> CountsIn(string commands) =>
        [.. Count().Matches(commands).Select(match => match.Value)];

    [GeneratedRegex(@"-c \d+ \d+")]
    private static partial Regex Count();

    /// <summary>Words of matches, none to three.</summary>
    private static IEnumerable<string> RandomMatches(Random random, IPFamily family)
    {
        string[] both =
        [
            "-i port0", "! -o port0", "-p tcp --dport 0:100", "-p tcp ! --sport 80", "-p udp --sport 53",
            "-p tcp --syn", "-p tcp --tcp-flags SYN,ACK,PSH ACK", "-p udp -m multiport --dports 53,80,1000:60000",
            "-p tcp -m multiport ! --ports 53,80", "-m length --length 60:90", "-m length ! --length :70",
            "-m mac ! --mac-source 02:00:00:00:00:01", "-m comment --comment word",
        ];
        string[] own = family == IPFamily.IPv4
            ? [
                "-s 10.0.0.0/30",
                "! -s 10.0.0.1",
                "-d 10.0.1.0/24",
                "-f",
                "! -f",
                "-p icmp --icmp-type 8",
                "-p icmp ! --icmp-type 3/1",
                "-p 50",
                "-m ttl --ttl-lt 100",
                "-m iprange --src-range 10.0.0.2-10.0.0.3", "-m iprange ! --dst-range 10.0.0.2-10.0.1.3"]
            : [
                "-s fd00::2/127",
                "! -s fd00::1",
                "! -d fd00::4",
                "-p icmpv6 --icmpv6-type 128",
                "-p icmpv6 ! --icmpv6-type 129/0",
                "-m hl --hl-gt 100",
                "-m iprange --src-range fd00::2-fd00::3", "-m iprange ! --dst-range fd00::2-fd00::3"];
        var kinds = new HashSet<string>();
        foreach (var _ in Enumerable.Range(0, random.Next(1, 4)))
        {
            var match = random.Next(2) == 0 ? both[random.Next(both.Length)] : own[random.Next(own.Length)];
            // Each option once.
            string[] words = match.Replace("! ", "", StringComparison.Ordinal).Split(' ');
            if (kinds.Add(words.Contains("-p") ? "-p" : words[0] == "-m" ? words[1] : words[0])) yield return match;
        }
    }

    private static string RandomTarget(Random random, int chain, string[] chains) => random.Next(5) switch
    {
        0 or 1 => "ACCEPT",
        2 => "RETURN",
        3 when chain + 1 < chains.Length => chains[random.Next(chain + 1, chains.Length)],
        _ => "DROP",
    };

    private void Compare(IPFamily family, string[] commands, int least)
    {
        kernel.Load(family, commands);
        var filter = family == IPFamily.IPv4
            ? new Filter(rule: commands, countRules: true)
            : new Filter(rule6: commands, countRules: true);
        var run = new ServiceRun(filter, ports: 2);
        var random = new Random(commands.Length + (int)family);
        var (expected, actual, frames) = (new List<bool>(), new List<bool>(), new List<byte[]>());
        for (ushort i = 0; i < Packets; i++)
        {
            var from = random.Next(2);
            var malformed = filter.Malformed.Value;
            var frame = family == IPFamily.IPv4 ? Next(random, from, i) : Next6(random, from, i);
            var passes = run.Receive(from, frame).Count > 0;
            // A packet that is cut off never passes here, whichever rule it meets; there a rule must have looked.
            if (filter.Malformed.Value != malformed) continue;
            (actual, frames) = ([.. actual, passes], [.. frames, frame]);
            expected.Add(kernel.Passes(from, frame));
        }
        for (var i = 0; i < frames.Count; i++)
        {
            var does = expected[i] ? "lets pass" : "drops";
            Assert.True(
                expected[i] == actual[i],
                $"the kernel {does} what the filter does not:\n{PacketAssert.Describe(frames[i])}");
        }
        var counts = (family == IPFamily.IPv4 ? filter.Rules : filter.Rules6).Execute("-S -v");
        Assert.Equal(CountsIn(kernel.Tool(family, ["-S", "-v"]).EnsureSuccess().Output), CountsIn(counts));
        Assert.InRange(frames.Count, Packets / 2, Packets);
        Assert.InRange(actual.Count(passes => passes), least, frames.Count - least);
    }

    [Theory, MemberData(nameof(RuleSets)), MemberData(nameof(Texts))]
    public void The_commands_are_printed_as_the_kernels_tool_prints_them(IPFamily family, string[] commands)
    {
        kernel.Tool(family, ["-F"]).EnsureSuccess();
        kernel.Tool(family, ["-X"]).EnsureSuccess();
        kernel.Tool(family, ["-P", "FORWARD", "ACCEPT"]).EnsureSuccess();
        var rules = new RuleSet(family);
        foreach (var command in commands)
        {
            kernel.Tool(family, command.Split(' ')).EnsureSuccess();
            rules.Execute(command);
        }
        Assert.Equal(kernel.Tool(family, ["-S"]).EnsureSuccess().Output, rules.Execute("-S"));
        Assert.Equal(kernel.Tool(family, ["-n", "-L"]).EnsureSuccess().Output, rules.Execute("-n -L"));
        var saved = kernel.Save(family);
        var restored = new RuleSet(family);
        restored.Restore(saved, "saved");
        Assert.Equal(rules.Save(), restored.Save());
    }

    [Fact]
    public void Counts_that_are_given_are_those_of_the_kernel()
    {
        string[] commands =
        [
            "-A FORWARD -p tcp -s 10.0.0.1,10.0.0.2 -c 3 180 -j DROP", "-I FORWARD --set-c 7,010 -p udp",
            "-R FORWARD 2 -c 9 10 -p udp", "-P INPUT DROP -c 5 6",
        ];
        kernel.Load(IPFamily.IPv4, commands);
        var rules = new RuleSet(IPFamily.IPv4);
        foreach (var command in commands) rules.Execute(command);
        Assert.Equal(kernel.Tool(IPFamily.IPv4, ["-S", "-v"]).EnsureSuccess().Output, rules.Execute("-S -v"));
        kernel.Tool(IPFamily.IPv4, ["-P", "INPUT", "ACCEPT"]).EnsureSuccess();
    }

    /// <summary>Commands, in which the option after the hyphens is cut short to every length.</summary>
    [Theory]
    [InlineData(IPFamily.IPv4, "--append FORWARD", "--list-rules FORWARD", "--policy FORWARD ACCEPT",
        "-A FORWARD --source 10.0.0.1", "-A FORWARD --src 10.0.0.2",
        "-A FORWARD --destination 10.0.0.3", "-A FORWARD --dst 10.0.0.4", "-A FORWARD --protocol tcp",
        "-A FORWARD --in-interface port0",
        "-A FORWARD --out-interface port0", "-A FORWARD --fragments", "-A FORWARD --jump ACCEPT", "-A FORWARD --ipv4",
        "-A FORWARD --wait")]
    [InlineData(IPFamily.IPv4, "-A FORWARD -p tcp --source-port 1:2",
        "-A FORWARD -p tcp -m tcp --destination-port 1:2", "-A FORWARD -p tcp --dport 1:2",
        "-A FORWARD -p tcp --syn", "-A FORWARD -p tcp --tcp-flags SYN SYN",
        "-A FORWARD -p tcp -m multiport --destination-ports 1:2",
        "-A FORWARD -p tcp -m multiport --sports 80", "-A FORWARD -p tcp --sport 1 -m multiport --dports 80",
        "-A FORWARD -p udp -m multiport --ports 80")]
    [InlineData(IPFamily.IPv4, "-A FORWARD -m ttl --ttl-eq 5", "-A FORWARD -m limit --limit-burst 7",
        "-A FORWARD -m conntrack --ctstate NEW",
        "-A FORWARD -m state --state NEW", "-A FORWARD -m iprange --src-range 10.0.0.1",
        "-A FORWARD -m mac --mac-source 02:00:00:00:00:01",
        "-A FORWARD -m length --length 5", "-A FORWARD -m comment --comment x", "-A FORWARD -p icmp --icmp-type 8",
        "-A FORWARD -j REJECT --reject-with host-unr")]
    [InlineData(IPFamily.IPv6, "-A FORWARD -m hl --hl-eq 5", "-A FORWARD -p icmpv6 --icmpv6-type 128",
        "-A FORWARD --fragments", "-A FORWARD --ipv6")]
    public void Options_cut_short_are_what_they_are_to_the_kernels_tool(IPFamily family, params string[] commands)
    {
        kernel.Load(family, []);
        var rules = new RuleSet(family);
        foreach (var command in commands)
        {
            var option = command.LastIndexOf("--", StringComparison.Ordinal);
            var end = command.IndexOf(' ', option) is var space and >= 0 ? space : command.Length;
            for (var length = option + 3; length <= end; length++)
            {
                var cut = command[..length] + command[end..];
                var isTaken = kernel.Tool(family, cut.Split(' ')).ExitCode == 0;
                var isTakenHere = Record.Exception(() => rules.Execute(cut)) is null;
                Assert.True(isTaken == isTakenHere, $"{cut}: the kernel's tool {(isTaken ? "takes" : "refuses")} it");
            }
        }
        Assert.Equal(kernel.Tool(family, ["-S"]).EnsureSuccess().Output, rules.Execute("-S"));
    }

    [Fact]
    public void Rules_of_the_other_program_in_a_file_are_left_out_as_by_the_kernels()
    {
        const string text = "*filter\n-A FORWARD -6 -s fd00::1 -j nosuch\n-4 -A FORWARD -p udp\n"
            + "[3:4] -A FORWARD -p tcp -c 7 8\n-I FORWARD -4\n-6 -p esp -A FORWARD\n"
            + "-A FORWARD -s fd00::1 -6 -j DROP\n-A FORWARD -s 10.0.0.1 -4 -j DROP\nCOMMIT\n";
        var file = Path.GetTempFileName();
        try
        {
            File.WriteAllText(file, text);
            foreach (var family in (IPFamily[])[IPFamily.IPv4, IPFamily.IPv6])
            {
                var rules = new RuleSet(family);
                // The word behind the option is not read by the other program.
                var isIPv6 = family == IPFamily.IPv6;
                if (isIPv6) File.WriteAllText(file, text.Replace("nosuch", "DROP", StringComparison.Ordinal));
                kernel.Load(family, []); // the file says nothing of policies
                kernel.Restore(family, file);
                rules.Restore(File.ReadAllText(file), file);
                Assert.Equal(kernel.Tool(family, ["-S", "-v"]).EnsureSuccess().Output, rules.Execute("-S -v"));
            }
        }
        finally
        {
            File.Delete(file);
        }
    }

    [Theory]
    [InlineData("-A FORWARD -p tcpp -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp --dport 65536 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp --dport 90:80 -j ACCEPT")]
    [InlineData("-A FORWARD --dport 80 -j ACCEPT")]
    [InlineData("-A FORWARD -p udp --syn -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp --tcp-flags SYN -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp --tcp-flags SYN,FOO SYN -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp --dport 1 --dport 2 -j ACCEPT")]
    [InlineData("-A FORWARD -s 10.0.0.0/33 -j ACCEPT")]
    [InlineData("-A FORWARD -s 10.0.0.256 -j ACCEPT")]
    [InlineData("-A FORWARD ! -s 10.0.0.1,10.0.0.2 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp --dport 08 -j ACCEPT")]
    [InlineData("-A FORWARD -p udp --dport 0x10 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports 080 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports 80: -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports :80 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports 90:80 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports 80:80 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports 80, -j ACCEPT")]
    [InlineData("-A FORWARD -m length --length 08 -j ACCEPT")]
    [InlineData("-A FORWARD -m ttl --ttl-eq 08 -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit-burst 08 -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit 0x10/sec -j ACCEPT")]
    [InlineData("-A FORWARD -p 08 -j ACCEPT")]
    [InlineData("-A FORWARD ! -p 00 -j ACCEPT")]
    [InlineData("-A FORWARD -s 10.0.0.0/08 -j ACCEPT")]
    [InlineData("-A FORWARD -s 10.0.0.08 -j ACCEPT")]
    [InlineData("-A FORWARD -p icmp --icmp-type 08 -j ACCEPT")]
    [InlineData("-I FORWARD 08 -j ACCEPT")]
    [InlineData("-A INPUT -o port0 -j ACCEPT")]
    [InlineData("-I OUTPUT ! -i port0 -j ACCEPT")]
    [InlineData("-D OUTPUT -i port0 -j ACCEPT")]
    [InlineData("-A OUTPUT -m mac --mac-source 02:00:00:00:00:01 -j ACCEPT")]
    [InlineData("-A sent -m mac --mac-source 02:00:00:00:00:01 -j ACCEPT")]
    [InlineData("-A OUTPUT -j received")]
    [InlineData("-A FORWARD -6 -j ACCEPT")]
    [InlineData("-A FORWARD -c 3 -j ACCEPT")]
    [InlineData("-A FORWARD -c x 3 -j ACCEPT")]
    [InlineData("-A FORWARD -c 3 4 -c 5 6 -j ACCEPT")]
    [InlineData("-A FORWARD ! -c 3 4 -j ACCEPT")]
    [InlineData("-D FORWARD -c 3 4 -j chain")]
    [InlineData("-C FORWARD -c 3 4 -j chain")]
    [InlineData("-N other -c 3 4")]
    [InlineData("-F FORWARD -p tcp")]
    [InlineData("-P FORWARD ACCEPT -p tcp")]
    [InlineData("-A FORWARD -p tcp -F")]
    [InlineData("! -A FORWARD")]
    [InlineData("-Lnv")]
    [InlineData("-A FORWARD -p tcp -m tcp --syn=1")]
    [InlineData("-A FORWARD -j NOSUCH")]
    [InlineData("-A NOSUCH -j ACCEPT")]
    [InlineData("-A FORWARD -m nosuch -j ACCEPT")]
    [InlineData("-A FORWARD -m multiport --dports 80 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport --dports 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16 -j ACCEPT")]
    [InlineData("-A FORWARD -p tcp -m multiport -j ACCEPT")]
    [InlineData("-A FORWARD -m iprange -j ACCEPT")]
    [InlineData("-A FORWARD -m mac --mac-source 02:00 -j ACCEPT")]
    [InlineData("-A FORWARD -m ttl --ttl-eq 256 -j ACCEPT")]
    [InlineData("-A FORWARD -m ttl -j ACCEPT")]
    [InlineData("-A FORWARD -m length --length 65536 -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit 0/sec -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit 10001/sec -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit 5/foo -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit 5/ -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit 1/day -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit-burst 0 -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit-burst 10001 -j ACCEPT")]
    [InlineData("-A FORWARD -m limit ! --limit 5/sec -j ACCEPT")]
    [InlineData("-A FORWARD -m conntrack -j ACCEPT")]
    [InlineData("-A FORWARD -m conntrack --ctstate OLD -j ACCEPT")]
    [InlineData("-A FORWARD -m state --state NEW, -j ACCEPT")]
    [InlineData("-A FORWARD -p icmp --icmp-type nosuch -j ACCEPT")]
    [InlineData("-A FORWARD -p icmp --icmp-type 256 -j ACCEPT")]
    [InlineData("-A FORWARD -p icmp --icmp-type 3/256 -j ACCEPT")]
    [InlineData("-A FORWARD -p udp -j REJECT --reject-with tcp-reset")]
    [InlineData("-A FORWARD -j REJECT --reject-with nosuch")]
    [InlineData("-A FORWARD -j ACCEPT -j DROP")]
    [InlineData("-A FORWARD -p tcp -p udp -j ACCEPT")]
    [InlineData("-A FORWARD -i port0 -i port1 -j ACCEPT")]
    [InlineData("-A FORWARD -i a-name-of-sixteen -j ACCEPT")]
    [InlineData("-A FORWARD ! -p all -j ACCEPT")]
    [InlineData("-A FORWARD ! -j ACCEPT")]
    [InlineData("-A FORWARD -p")]
    [InlineData("-A FORWARD --nosuch")]
    [InlineData("-A FORWARD word")]
    [InlineData("-P FORWARD REJECT")]
    [InlineData("-P chain DROP")]
    [InlineData("-N chain")]
    [InlineData("-N ACCEPT")]
    [InlineData("-X full")]
    [InlineData("-X chain")]
    [InlineData("-X FORWARD")]
    [InlineData("-D FORWARD 2")]
    [InlineData("-D FORWARD -p tcp -j ACCEPT")]
    [InlineData("-R FORWARD 2 -j ACCEPT")]
    [InlineData("-I FORWARD 3 -j ACCEPT")]
    [InlineData("-R FORWARD 1 -s 10.0.0.1,10.0.0.2 -j ACCEPT")]
    [InlineData("-g ACCEPT")]
    [InlineData("-F nosuch")]
    [InlineData("-t nosuch -S")]
    [InlineData("-S nosuch")]
    [InlineData("-E nosuch other")]
    [InlineData("")]
    public void What_the_kernels_tool_refuses_is_refused(string command) =>
        Assert.NotEqual(0, ExitCodeOfRefused(command));

    [Theory]
    [InlineData("-A full -j full")]
    [InlineData("-A FORWARD -m length --length 9:1 -j ACCEPT")]
    [InlineData("-A FORWARD -m iprange --src-range 10.0.0.2-10.0.0.1 -j ACCEPT")]
    [InlineData("-A FORWARD -m conntrack --ctstate SNAT -j ACCEPT")]
    [InlineData("-A FORWARD -m limit --limit 1/hour --limit-burst 40 -j ACCEPT")]
    public void What_is_a_mistake_or_not_done_is_refused_though_the_kernels_tool_takes_it(string command) =>
        Assert.Equal(0, ExitCodeOfRefused(command));

    /// <summary>
    /// The exit code that the kernel's tool has for a command that is refused here, and changes nothing.
    /// </summary>
    private int ExitCodeOfRefused(string command)
    {
        kernel.Tool(IPFamily.IPv4, ["-F"]).EnsureSuccess();
        kernel.Tool(IPFamily.IPv4, ["-X"]).EnsureSuccess();
        var rules = new RuleSet(IPFamily.IPv4);
        const string mac = "-m mac --mac-source 02:00:00:00:00:02";
        string[] others = ["-N sent", "-A OUTPUT -j sent", "-N received", $"-A received {mac}", "-A INPUT -j received"];
        string[] chains = ["-N chain", "-N full", "-A full -p udp -j DROP", "-A FORWARD -j chain"];
        foreach (var before in (string[])[.. chains, .. others])
        {
            kernel.Tool(IPFamily.IPv4, before.Split(' ')).EnsureSuccess();
            rules.Execute(before);
        }
        var saved = rules.Save();
        var refused = Assert.Throws<RuleException>(() => rules.Execute(command));
        Assert.NotEmpty(refused.Message);
        Assert.Equal(saved, rules.Save());
        return kernel.Tool(IPFamily.IPv4, command.Split(' ', StringSplitOptions.RemoveEmptyEntries)).ExitCode;
    }

    private static byte[] Next(Random random, int from, ushort id)
    {
        var later = random.Next(12) == 0;
        byte[]? options = random.Next(5) == 0 ? [.. Enumerable.Repeat((byte)1, 4 * random.Next(1, 11))] : null;
        var packet = Packet.Ethernet(s_macs[from], s_macs[1 - from])
            .IPv4(Address(random), Address(random), ttl: (byte)random.Next(1, 256), identification: id,
                options: options, moreFragments: random.Next(12) == 0,
                fragmentOffset: later ? 8 * random.Next(2, 180) : 0);
        return Changed(
            random,
            Above(random, packet, p => p.Icmp((byte)(random.Next(2) == 0 ? 8 : random.Next(5)), (byte)random.Next(3))));
    }

    private static byte[] Next6(Random random, int from, ushort id)
    {
        var packet = Packet.Ethernet(s_macs[from], s_macs[1 - from])
            .IPv6(Address6(random), Address6(random), hopLimit: (byte)random.Next(1, 256), flowLabel: id);
        return WithExtensions(
            random, Above(random, packet, p => p.Icmpv6((byte)random.Next(127, 130), 0)).PaddedTo(60).ToArray());
    }

    /// <summary>Some extension headers put before the upper layer: options, or a fragment header.</summary>
    private static byte[] WithExtensions(Random random, byte[] frame)
    {
        const int ip = 14, lengthOffset = ip + 4, nextHeader = ip + 6, behind = ip + 40;
        for (var count = random.Next(2) == 0 ? 0 : random.Next(1, 4); count > 0; count--)
        {
            const byte destinationOptions = 60, fragment = 44;
            var isFragment = random.Next(3) == 0;
            var offset = isFragment && random.Next(2) == 0 ? 8 * random.Next(2, 100) : 0;
            byte[] header = isFragment
                ? [frame[nextHeader], 0, (byte)(offset >> 8), (byte)offset, 0, 0, 0, 7]
                : [frame[nextHeader], 0, 1, 4, 0, 0, 0, 0];
            frame[nextHeader] = isFragment ? fragment : destinationOptions;
            frame = [.. frame[..behind], .. header, .. frame[behind..]];
            BinaryPrimitives.WriteUInt16BigEndian(
                frame.AsSpan(lengthOffset),
                (ushort)(BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(lengthOffset)) + 8));
        }
        return frame;
    }

    private static Packet Above(Random random, Packet packet, Func<Packet, Packet> icmp) => (random.Next(4) switch
    {
        0 => icmp(packet),
        1 => packet.Udp(Port(random), Port(random)),
        _ => packet.Tcp(Port(random), Port(random), flags: (byte)random.Next(64)),
    }).Payload(new byte[random.Next(40)]);

    /// <summary>Another protocol at times, or a packet that is cut off; its header's checksum right again.</summary>
    private static byte[] Changed(Random random, Packet packet)
    {
        var frame = packet.PaddedTo(60).ToArray();
        const int ip = 14, protocol = ip + 9, length = ip + 2, checksum = ip + 10;
        if (random.Next(6) == 0) frame[protocol] = (byte)(random.Next(2) == 0 ? 50 : random.Next(256));
        var total = frame.AsSpan(length, 2);
        if (random.Next(10) == 0)
            BinaryPrimitives.WriteUInt16BigEndian(
                total, (ushort)random.Next(20, BinaryPrimitives.ReadUInt16BigEndian(total)));
        var header = frame.AsSpan(ip, 4 * (frame[ip] & 15));
        frame.AsSpan(checksum, 2).Clear();
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(checksum), InternetChecksum.Compute(header));
        return frame;
    }

    private static IPv4Address Address(Random random) =>
        new(0x0A00_0000U + (uint)random.Next(1, 5) + (random.Next(4) == 0 ? 0x100U : 0));

    private static IPv6Address Address6(Random random) =>
        new(new UInt128(0xFD00_0000_0000_0000, (ulong)random.Next(1, 5)));

    private static ushort Port(Random random) => random.Next(3) switch
    {
        0 => (ushort)(random.Next(2) == 0 ? 53 : 80),
        1 => (ushort)random.Next(200),
        _ => (ushort)random.Next(65_536),
    };

    /// <summary>A host with a bridge between the two others, and iptables.</summary>
    public sealed partial class Kernel : IDisposable
    {
        private TestNetwork? _network;
        private Station[] _stations = [];

        private TestNetwork Network
        {
            get
            {
                if (_network is not null) return _network;
                Needs.Network("iptables-legacy", "ip6tables-legacy", "bridge", "sysctl");
                if (!Directory.Exists("/proc/sys/net/bridge"))
                    Assert.Skip("the kernel's bridge asks no iptables: the module br_netfilter is not loaded");
                _network = new TestNetwork();
                Build(_network);
                return _network;
            }
        }

        public void Dispose()
        {
            foreach (var station in _stations) station.Dispose();
            _network?.Dispose();
        }

        private static string Program(IPFamily family) =>
            family == IPFamily.IPv4 ? "iptables-legacy" : "ip6tables-legacy";

        internal CommandResult Tool(IPFamily family, IEnumerable<string> arguments) => Run(Program(family), arguments);

        /// <summary>The output of iptables-save.</summary>
        internal string Save(IPFamily family) =>
            Run(Program(family) + "-save", ["-t", "filter"]).EnsureSuccess().Output;

        /// <summary>Reads a file of rules.</summary>
        internal void Restore(IPFamily family, string file) =>
            Run(Program(family) + "-restore", [file]).EnsureSuccess();

        /// <summary>Rules for the bridge: its ports have no names of their own in -i and -o.</summary>
        internal void Load(IPFamily family, string[] commands)
        {
            Tool(family, ["-F"]).EnsureSuccess();
            Tool(family, ["-X"]).EnsureSuccess();
            Tool(family, ["-P", "FORWARD", "ACCEPT"]).EnsureSuccess();
            Tool(family, ["-Z"]).EnsureSuccess();
            foreach (var command in commands) Tool(family, Bridged(command).Split(' ')).EnsureSuccess();
        }

        /// <summary>Segments belong to their connection wherever its windows are, as here.</summary>
        internal void IgnoreWindows() =>
            Run("sysctl", ["-w", "net.netfilter.nf_conntrack_tcp_be_liberal=1"]).EnsureSuccess();

        /// <summary>
        /// True if a frame sent by one host arrives at the other; what follows it tells that it would have by now.
        /// </summary>
        internal bool Passes(int from, byte[] frame)
        {
            _ = Network;
            var to = _stations[1 - from];
            var before = to.Received.Count;
            byte[] mark = Packet.Ethernet(s_macs[from], s_macs[1 - from], 0x88B5)
                .Payload([.. frame.AsSpan(14, 20)]).PaddedTo(60);
            _stations[from].Send(frame);
            _stations[from].Send(mark);
            bool IsMark(byte[] received) => received.AsSpan(12, 2).SequenceEqual(mark.AsSpan(12, 2));
            Until.Holds(() => to.Received.Skip(before).Any(IsMark), "a frame that no rule sees crosses the bridge");
            return to.Received.Skip(before).Any(received => !IsMark(received));
        }

        private void Build(TestNetwork network)
        {
            string[] ports =
            [
                network.Connect(network.AddHost("h1", mac: s_macs[0])),
                network.Connect(network.AddHost("h2", mac: s_macs[1])),
            ];
            var stop = TestContext.Current.CancellationToken;
            void Do(params string[] words) =>
                network.Device.Run(words[0], words[1..], cancellationToken: stop).EnsureSuccess();
            Do("ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0");
            for (var i = 0; i < ports.Length; i++)
            {
                Do("ip", "link", "set", ports[i], "down");
                Do("ip", "link", "set", ports[i], "name", $"port{i}");
                Do("ip", "link", "set", $"port{i}", "master", "br0");
                Do("ip", "link", "set", $"port{i}", "up");
            }
            Do("ip", "link", "set", "br0", "up");
            Do("sysctl", "-w", "net.bridge.bridge-nf-call-iptables=1", "net.bridge.bridge-nf-call-ip6tables=1");
            // A port forwards once the kernel has noticed its carrier, which it may do a second later.
            string Ports() => network.Device.Run("bridge", ["link"], cancellationToken: stop).EnsureSuccess().Output;
            Until.Holds(
                () => Ports().Split("state forwarding").Length > ports.Length, "the ports of the bridge forward");
            _stations = [.. network.Hosts.Select(host => new Station(host))];
        }

        private CommandResult Run(string program, IEnumerable<string> arguments) =>
            Network.Device.Run(program, arguments, cancellationToken: TestContext.Current.CancellationToken);

        private static string Bridged(string command) =>
            BridgePort().Replace(command, match =>
                $"-m physdev {match.Groups[1].Value}--physdev-{(match.Groups[2].Value == "i" ? "in" : "out")} port");

        [GeneratedRegex("(! )?-(i|o) port")]
        private static partial Regex BridgePort();
    }
}
