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
    public static IReadOnlyList<string> Names => ["tap", "bridge", "nat", "micro"];

    /// <summary>Runs one; says on standard error why it cannot.</summary>
    public static IReadOnlyList<Ratio> Run(string name, int rounds, double seconds)
    {
        Console.Error.WriteLine($"measuring: {name}");
        try
        {
            if (name == "micro") return [.. MicroBenchmarks.Run()];
            if (Pinned.WhyNotWith(name == "nat" ? ["nft"] : []) is { } reason) throw CommandException.Failure(reason);
            return [.. name switch
            {
                "tap" => TapBenchmark.Run(rounds, seconds),
                "bridge" => BridgeBenchmark.Run(rounds, seconds),
                _ => NatBenchmark.Run(rounds, seconds),
            }];
        }
        catch (CommandException exception)
        {
            Console.Error.WriteLine($"skipped: {name}: {exception.Message}");
            return [];
        }
    }
}
