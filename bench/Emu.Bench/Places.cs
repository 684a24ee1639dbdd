namespace Emu.Bench;

/// <summary>The paths of the benchmarks' files.</summary>
internal static class Places
{
    /// <summary>The repository; this program runs from bench/Emu.Bench/bin/Release/net10.0.</summary>
    public static string Root { get; } = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "../../../../.."));

    /// <summary>The C programs' sources.</summary>
    public static string Native => Path.Combine(Root, "bench", "native");

    /// <summary>The C programs, built.</summary>
    public static string Build => Path.Combine(Root, "build", "bench");

    /// <summary>The ratios that later runs are shown beside.</summary>
    public static string Recorded => Path.Combine(Root, "bench", "recorded.json");

    /// <summary>This program.</summary>
    public static string Self => typeof(Places).Assembly.Location;

    /// <summary>A service of the repository that is a program of its own.</summary>
    public static string Service(string name) =>
        Path.Combine(Root, "services", name, "bin/Release/net10.0", name + ".dll");
}
