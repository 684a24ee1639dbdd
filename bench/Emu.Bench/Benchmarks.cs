using Emu.Hosting;

namespace Emu.Bench;

/// <summary>The benchmarks by name, and what they have in common.</summary>
internal static class Benchmarks
{
    /// <summary>Until the runtime has compiled the frame path for good.</summary>
    public const double WarmUpSeconds = 2;

    /// <summary>The shortest and the longest frame of Ethernet, without FCS.</summary>
    public static IReadOnlyList<int> Lengths => [60, 1514];

    /// <summary>Ports of the switch.</summary>
    public static IReadOnlyList<int> PortCounts => [2, 4];

    /// <summary>The names, in the order in which all run.</summary>
    public static IReadOnlyList<string> Names =>
        ["tap", "bridge", "tcpping", "nat", "filter", "dns", "memcached", "micro"];

    private static Progress? s_progress;

    /// <summary>The rounds of one figure; each is told to who waits.</summary>
    /// <param name="figure">The figure, in few words.</param>
    /// <param name="count">The number of rounds.</param>
    public static IEnumerable<int> Rounds(string figure, int count)
    {
        for (var round = 1; round <= count; round++)
        {
            s_progress?.Note($"{figure}, round {round} of {count}");
            yield return round;
        }
    }

    /// <summary>Runs one; says on standard error why it cannot.</summary>
    public static IReadOnlyList<Ratio> Run(string name, int rounds, double seconds)
    {
        Console.Error.WriteLine($"measuring: {name}");
        using var progress = Progress.Of($"measuring {name}");
        s_progress = progress;
        try
        {
            if (name == "micro") return [.. MicroBenchmarks.Run()];
            if (Pinned.WhyNotWith(Beside(name)) is { } reason) throw CommandException.Failure(reason);
            return [.. name switch
            {
                "tap" => TapBenchmark.Run(rounds, seconds),
                "bridge" => BridgeBenchmark.Run(rounds, seconds),
                "tcpping" => TcpPingBenchmark.Run(rounds, seconds),
                "filter" => FilterBenchmark.Run(rounds, seconds),
                "dns" => DnsBenchmark.Run(rounds, seconds),
                "memcached" => MemcachedBenchmark.Run(rounds, seconds),
                _ => NatBenchmark.Run(rounds, seconds),
            }];
        }
        catch (CommandException exception)
        {
            Console.Error.WriteLine($"skipped: {name}: {exception.Message}");
            return [];
        }
    }

    /// <summary>The programs that set up what a benchmark measures beside.</summary>
    private static string[] Beside(string name) => name switch
    {
        "nat" => ["nft"],
        "filter" => [FilterBenchmark.Legacy, FilterBenchmark.Nftables],
        "dns" => [DnsBenchmark.Nsd, DnsBenchmark.Knot],
        "memcached" => [MemcachedBenchmark.Program],
        _ => [],
    };
}
