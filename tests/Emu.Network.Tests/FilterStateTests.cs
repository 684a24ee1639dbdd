using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>
/// The filter's memory of earlier packets compared with the kernel's: connections, rates, and counts of rules.
/// </summary>
public sealed class FilterStateTests(FilterTests.Kernel kernel) : IClassFixture<FilterTests.Kernel>
{
    private const int Packets = 300;

    private static readonly MacAddress[] s_macs = [new(0x0200_0000_0001), new(0x0200_0000_0002)];
    private static readonly IPv4Address[] s_addresses = [IPv4Address.Parse("10.8.0.1"), IPv4Address.Parse("10.8.0.2")];

    /// <summary>Rules that count each state and do nothing else.</summary>
    private static readonly string[] s_count =
    [
        .. new[] { "NEW", "ESTABLISHED", "RELATED", "INVALID", "UNTRACKED" }
            .Select(state => $"-A FORWARD -m conntrack --ctstate {state}"),
    ];

    public static TheoryData<IPFamily, int, string[]> Rules
    {
        get
        {
            var data = new TheoryData<IPFamily, int, string[]>();
            string[][] sets =
            [
                ["-P FORWARD ACCEPT"],
                [
                    "-P FORWARD DROP",
                    "-A FORWARD -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT",
                    "-A FORWARD -i port0 -m state --state NEW -j ACCEPT",
                ],
                [
                    "-A FORWARD -m conntrack --ctstate INVALID -j DROP",
                    "-A FORWARD -m conntrack ! --ctstate NEW,INVALID -m length --length 70:80 -j DROP",
                ],
                [
                    "-P FORWARD DROP",
                    "-A FORWARD -p udp -m state --state NEW -m length --length 40: -j ACCEPT",
                    "-A FORWARD -p tcp --dport 80 -j ACCEPT",
                    "-A FORWARD -p icmp -j ACCEPT", "-A FORWARD -p icmpv6 -j ACCEPT",
                    "-A FORWARD -m conntrack --ctstate ESTABLISHED -j ACCEPT"],
            ];
            for (var i = 0; i < sets.Length; i++)
            {
                foreach (var family in (IPFamily[])[IPFamily.IPv4, IPFamily.IPv6])
                    data.Add(family, 100 + 2 * i + (int)family, sets[i]);
            }
            return data;
        }
    }

    [Theory, MemberData(nameof(Rules))]
    public void Conversations_are_followed_as_by_the_kernel(IPFamily family, int number, string[] rules)
    {
        string[] commands = [.. s_count, .. rules];
        kernel.Load(family, commands);
        var filter = family == IPFamily.IPv4
            ? new Filter(rule: commands, countRules: true)
            : new Filter(rule6: commands, countRules: true);
        var run = new ServiceRun(filter, ports: 2);
        var conversations = new Conversations(new Random(number), family == IPFamily.IPv6, number);
        for (var i = 0; i < Packets; i++)
        {
            var (from, frame) = conversations.Next();
            var passes = run.Receive(from, frame).Count > 0;
            Assert.True(
                passes == kernel.Passes(from, frame),
                $"frame {i}: the kernel {(passes ? "drops" : "lets pass")} what the filter does not:\n"
                + $"{PacketAssert.Describe(frame)}\n{Counts(filter, family)}\n"
                + $"{kernel.Tool(family, ["-S", "-v"]).Output}");
        }
        Assert.Equal(
            FilterTests.CountsIn(kernel.Tool(family, ["-S", "-v"]).EnsureSuccess().Output),
            FilterTests.CountsIn(Counts(filter, family)));
        Assert.Equal(0UL, filter.Malformed.Value);
    }

    /// <summary>Segments with right numbers and any flags, of which no window is looked at there either.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Segments_in_any_order_are_what_they_are_to_the_kernel(int seed)
    {
        kernel.Load(IPFamily.IPv4, s_count);
        kernel.IgnoreWindows();
        var filter = new Filter(rule: s_count, countRules: true);
        var run = new ServiceRun(filter, ports: 2);
        var random = new Random(seed);
        var said = "";
        for (ushort conversation = 0; conversation < 40; conversation++)
        {
            foreach (var (from, frame) in AnySegments(random, (ushort)(1000 * seed + conversation)))
            {
                said += PacketAssert.Describe(frame).Split('\n')[0] + "\n";
                Assert.True(run.Receive(from, frame).Count > 0 == kernel.Passes(from, frame));
            }
            var expected = kernel.Tool(IPFamily.IPv4, ["-S", "-v"]).EnsureSuccess().Output;
            var actual = Counts(filter, IPFamily.IPv4);
            var areSame = FilterTests.CountsIn(expected).SequenceEqual(FilterTests.CountsIn(actual));
            Assert.True(areSame, $"{said}the kernel:\n{expected}the filter:\n{actual}");
            said = "";
        }
    }

    /// <summary>
    /// A SYN or a segment of a connection that was there before, then others of either side; nothing behind a RST, and
    /// no FIN at its place.
    /// </summary>
    private static IEnumerable<(int From, byte[] Frame)> AnySegments(Random random, ushort port)
    {
        const byte syn = Packet.Syn, ack = Packet.Ack, fin = Packet.Fin, rst = Packet.Rst;
        var numbers = new uint[] { (uint)random.Next(), (uint)random.Next() };
        var first = random.Next(2);
        for (var i = random.Next(3, 12); i > 0; i--)
        {
            var side = i > 9 ? 0 : random.Next(2);
            byte[] kinds = [syn, syn | ack, ack, ack, fin | ack, rst | ack];
            var flags = kinds[random.Next(kinds.Length)];
            var (source, destination) = side == 0 ? (port, (ushort)80) : ((ushort)80, port);
            var acknowledged = (flags & ack) != 0 ? numbers[1 - side] : 0;
            var (from, to) = (side ^ first, 1 - side ^ first);
            Packet frame = Packet.Ethernet(s_macs[from], s_macs[to]).IPv4(s_addresses[from], s_addresses[to])
                .Tcp(source, destination, numbers[side], acknowledged, flags).PaddedTo(60);
            if ((flags & (syn | fin)) != 0) numbers[side]++;
            yield return (from, frame.ToArray());
            if (flags == (rst | ack)) yield break;
        }
    }

    [Theory]
    [InlineData(IPFamily.IPv4)]
    [InlineData(IPFamily.IPv6)]
    public void A_burst_is_as_large_as_the_kernels(IPFamily family)
    {
        // So slow that no credit comes back while this runs; the chain is reached twice,
        // and what fails the first match costs nothing.
        string[] commands =
        [
            "-N slow", "-A slow -m length --length 50: -m limit --limit 1/hour --limit-burst 9 -j ACCEPT",
            "-A slow -m limit --limit 2/hour -j RETURN", "-A slow -j DROP",
            "-A FORWARD -p tcp -g slow", "-A FORWARD -p udp -m limit --limit 1/day --limit-burst 1",
            "-A FORWARD -p udp -j slow",
        ];
        kernel.Load(family, commands);
        var filter = family == IPFamily.IPv4
            ? new Filter(rule: commands, countRules: true)
            : new Filter(rule6: commands, countRules: true);
        var run = new ServiceRun(filter, ports: 2);
        var conversations = new Conversations(new Random(3), family == IPFamily.IPv6, 99);
        for (var i = 0; i < Packets / 3; i++)
        {
            var (from, frame) = conversations.Next();
            Assert.Equal(kernel.Passes(from, frame), run.Receive(from, frame).Count > 0);
        }
        Assert.Equal(kernel.Tool(family, ["-S", "-v"]).EnsureSuccess().Output, Counts(filter, family));
        var rules = family == IPFamily.IPv4 ? filter.Rules : filter.Rules6;
        Assert.Equal(kernel.Tool(family, ["-n", "-v", "-x", "-L"]).EnsureSuccess().Output, rules.Execute("-nvxL"));
        Assert.Equal(kernel.Tool(family, ["-n", "-v", "-L"]).EnsureSuccess().Output, rules.Execute("-nvL"));
    }

    private static string Counts(Filter filter, IPFamily family) =>
        (family == IPFamily.IPv4 ? filter.Rules : filter.Rules6).Execute("-S -v");
}
