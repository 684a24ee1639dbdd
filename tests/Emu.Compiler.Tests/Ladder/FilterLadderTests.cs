using Emu.Services;
using Emu.Testing;
using static Emu.Compiler.Tests.LadderFrames;

namespace Emu.Compiler.Tests;

/// <summary><see cref="Filter"/> does the same on every rung of the ladder.</summary>
public sealed class FilterLadderTests
{
    [Fact]
    public void On_packets_of_every_kind_changed_at_random()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-N web", "-N odd", "-A web -m ttl --ttl-lt 9 -j RETURN",
            "-A web -m length --length 50:100 -j odd", "-A web -j ACCEPT",
            "-A odd -p tcp --tcp-flags SYN,RST SYN -j RETURN", "-A odd -j DROP",
            "-A FORWARD -p tcp -m multiport --dports 80,443,1000:2000 -j web",
            "-A FORWARD -s 10.0.0.0/31 -i port1 -g web", "-A FORWARD -p icmp ! --icmp-type 3/1 -j ACCEPT",
            "-A FORWARD -f -j ACCEPT",
            "-A FORWARD -m iprange ! --src-range 10.0.0.1-10.0.0.9 -m mac ! --mac-source 02:00:00:00:00:03 -j ACCEPT",
            "-A FORWARD -p udp ! --sport 53 -j ACCEPT",
        ];
        string[] rules6 =
        [
            "-A FORWARD -p tcp --dport 80 -j ACCEPT",
            "-A FORWARD -s fd00::/127 -p icmpv6 -j DROP",
            "-A FORWARD -m hl --hl-gt 200 -j DROP",
        ];
        var result = Check(
            () => new Filter(rule: rules, rule6: rules6), FrameSequence.Like([.. Requests(), .. Segments()], 1000),
            Options with { Outside = TierOptions.Small, OutsideFrames = 40 });
        Assert.InRange(result.Sent, 200, 900);
        Assert.DoesNotContain(result.Skipped, s => s.StartsWith("the pipeline", StringComparison.Ordinal));
    }

    [Fact]
    public void With_limits()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-N some", "-A some -p udp -m limit --limit 100/sec --limit-burst 3 -j ACCEPT",
            "-A some -m limit --limit 10000/sec -m ttl --ttl-gt 9 -j RETURN", "-A some -j DROP",
            "-A FORWARD -p tcp --dport 81 -j ACCEPT", "-A FORWARD ! -f -j some",
            "-A FORWARD -p icmp -m limit --limit 1/day --limit-burst 1 -j ACCEPT", "-A FORWARD -m limit -j some",
            "-A FORWARD -p tcp -j ACCEPT",
        ];
        var result = Check(
            () => new Filter(rule: rules), FrameSequence.Like([.. Requests(), .. Segments()], 600),
            Options with { Outside = TierOptions.Large, OutsideFrames = 40 });
        Assert.InRange(result.Sent, 50, 550);
    }

    /// <summary>
    /// Verdicts that alternate are more bits than a word; a limit behind the first word is asked only where
    /// that has not decided.
    /// </summary>
    [Fact]
    public void With_more_verdicts_than_bits_of_a_word()
    {
        const int Rules = 150, FirstPort = 1000;
        string Rule(int i) => i % 50 == 49
            ? "-A FORWARD -m limit --limit 10000/sec --limit-burst 2 -j ACCEPT"
            : $"-A FORWARD -p udp --sport {FirstPort + i} -j {(i % 2 == 0 ? "ACCEPT" : "DROP")}";
        string[] rules = ["-P FORWARD DROP", .. Enumerable.Range(0, Rules).Select(Rule)];
        var random = new Random(5);
        byte[] Datagram() =>
            Packet.Ethernet(PeerMac, Mac)
                .IPv4(Peer, IP).Udp((ushort)(FirstPort + random.Next(Rules)), 53).PaddedTo(60).ToArray();
        var frames = FrameSequence.Of([.. Enumerable.Range(0, 400).Select(_ => Datagram())]);
        var result = Check(
            () => new Filter(rule: rules), frames, Options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 120, 300);
    }

    [Fact]
    [Slow("time")]
    public void That_follows_connections()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-A FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT",
            "-A FORWARD -m state --state INVALID -j DROP",
            "-A FORWARD -i port0 -m conntrack ! --ctstate INVALID -j ACCEPT",
            "-A FORWARD -p tcp --dport 80 -m conntrack --ctstate NEW -j ACCEPT",
            "-A FORWARD -p icmp -m limit --limit 10/second -j ACCEPT",
        ];
        // Few connections, so that new ones take the places of others.
        var frames = Tier.IsAll ? 600 : 200;
        var result = Check(() => new Filter(rule: rules, rule6: rules, connections: 16),
            FrameSequence.Like([.. Flows(), .. Requests(), .. Segments()], frames, ports: 2),
            Options with { Ports = 2, Outside = TierOptions.Large, OutsideFrames = 40 });
        Assert.InRange(result.Sent, frames / 6, frames * 11 / 12);
    }

    [Fact]
    public void That_counts_its_rules()
    {
        string[] rules =
        [
            "-P FORWARD DROP", "-N web", "-A web -m ttl --ttl-lt 9 -j RETURN", "-A web -j ACCEPT",
            "-A FORWARD -p tcp --dport 80 -j web", "-A FORWARD -p tcp", "-A FORWARD -p tcp --dport 81 -j web",
            "-A FORWARD -p icmp -j ACCEPT",
        ];
        var result = Check(
            () => new Filter(rule: rules, countRules: true), FrameSequence.Like([.. Requests(), .. Segments()], 400),
            Options with { Outside = TierOptions.Large, OutsideFrames = 40 });
        Assert.InRange(result.Sent, 50, 390);
    }

    [Fact]
    [Slow("time")]
    public void That_rejects()
    {
        string[] rules =
        [
            "-A FORWARD -p tcp --dport 80 -j REJECT --reject-with tcp-reset",
            "-A FORWARD -p tcp -j ACCEPT",
            "-A FORWARD -j REJECT",
        ];
        var result = Check(
            () => new Filter(rule: rules, rule6: rules), FrameSequence.Like([.. Requests(), .. Segments()], 400),
            Options with { Outside = OutsideSimulators.None });
        Assert.InRange(result.Sent, 100, 400);
    }
}
