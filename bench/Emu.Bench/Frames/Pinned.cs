using Emu.Testing;

namespace Emu.Bench;

/// <summary>Programs on one core each, before everything else that wants it.</summary>
internal static class Pinned
{
    /// <summary>The core of what is measured.</summary>
    public const int ServiceCore = 0;

    /// <summary>The core of the generator.</summary>
    public const int GeneratorCore = 1;

    /// <summary>The program that takes <see cref="Arguments"/>.</summary>
    public const string Program = "sh";

    /// <summary>The programs that measuring on a core takes.</summary>
    public static readonly string[] Programs = ["ethtool", "taskset", "nice"];

    /// <summary>
    /// Two cores, the programs that pin to them, and others; null when all is there, otherwise what is missing.
    /// </summary>
    public static string? WhyNotWith(params string[] programs) => TestNetwork.WhyNotWith([.. Programs, .. programs])
        ?? (Environment.ProcessorCount > GeneratorCore ? null : "needs two cores");

    // If the kernel groups processes by session (sched(7), autogroup),
    // a nice value counts within the group only, and the group has one too.
    private const string Script =
        "echo -20 >/proc/self/autogroup; core=$1; shift; exec taskset -c $core nice -n -20 \"$@\"";

    /// <summary>A command line that runs another on a core.</summary>
    public static string[] Arguments(int core, params IEnumerable<string> command) =>
        ["-c", $"{{ {Script}; }} 2>&1", "pinned", $"{core}", .. command];
}
