using System.Diagnostics;
using System.Runtime.InteropServices;
using Emu.Testing;

namespace Emu.Tool;

/// <summary>All that verbs need besides the command itself, as it is on this machine.</summary>
internal static class Requirements
{
    private const string Sudo = "run the command as root: sudo";

    /// <summary>The library's names on the systems that have it.</summary>
    private static readonly string[] s_libpcap = ["libpcap.so.0.8", "libpcap.so.1", "libpcap.dylib", "wpcap"];

    /// <summary>The verbs that need something.</summary>
    public static IReadOnlyList<string> Verbs { get; } =
        ["bench", "board", "check", "compile", "demo", "direct", "fuzz", "new", "run", "simulate", "test"];

    /// <summary>Looks for each.</summary>
    public static IReadOnlyList<Requirement> Look() =>
    [
        new(
            ".NET SDK 10", ["new", "run", "compile", "check", "simulate", "test", "bench", "fuzz"],
            "projects of your own, and the repository's tests", WhyNoSdk(), "install the package dotnet-sdk-10.0"),
        new(
            "a clone of the repository", ["test", "bench", "fuzz"], "all of it",
            Repository.Clone is null ? "this command is installed" : null, "clone it, and start ./emu there"),
        new(
            "Linux", ["run", "simulate", "direct", "demo"], "interfaces; captures work everywhere",
            OperatingSystem.IsLinux() ? null : "this is another system", "run it in a virtual machine"),
        new(
            "root", ["run", "simulate", "direct", "demo", "test"], "interfaces and namespaces; captures work without",
            Environment.IsPrivilegedProcess ? null : $"this is {Environment.UserName}", Sudo),
        new(
            "/dev/net/tun", ["run", "simulate", "demo"], "tap: ports",
            File.Exists("/dev/net/tun") ? null : "it is not there",
            "modprobe tun; in a container: --device /dev/net/tun"),
        new(
            "libpcap", ["run", "simulate"], "device: ports",
            s_libpcap.Any(name => NativeLibrary.TryLoad(name, out _)) ? null : "it is not there",
            "apt-get install libpcap0.8; on Windows: Npcap, npcap.com"),
        new("network namespaces", ["demo", "test"], "hosts around a service", TestNetwork.WhyNotWith("ip"), Sudo),
        .. Programs("hosts of the demo", ["demo", "test"], Prerequisites.Demo),
        .. Programs("--with icarus", ["simulate", "fuzz", "board", "test"], Prerequisites.Icarus),
        .. Programs("--with verilator", ["simulate", "fuzz", "board", "test"], Prerequisites.Verilator),
        .. Programs("sizes after synthesis", ["bench", "test"], [("yosys", "yosys")]),
        .. Programs("Mininet", ["test"], [("mn", "mininet")]),
        new(
            "vivado", ["board"], "board build: a bitstream",
            Prerequisites.IsThere("vivado") ? null : "it is not on the PATH", "AMD's own installer"),
        .. Programs("tests beside outside programs", ["test"], Rest(Prerequisites.Tests)),
        .. Programs("measurements", ["bench"], Rest(Prerequisites.Benchmarks)),
    ];

    /// <summary>A row for the programs of one package.</summary>
    private static IEnumerable<Requirement> Programs(
        string what, string[] verbs, IEnumerable<(string Program, string Package)> programs) =>
        programs.GroupBy(one => one.Package).Select(package =>
        {
            var missing = package.Where(one => !Prerequisites.IsThere(one.Program)).Select(one => one.Program).ToList();
            return new Requirement(
                string.Join(", ", package.Select(one => one.Program)), verbs, what,
                missing.Count == 0 ? null : $"{string.Join(", ", missing)} not found",
                $"apt-get install {package.Key}; as root ./emu does it when it is needed");
        });

    /// <summary>Programs that have no row above.</summary>
    private static IEnumerable<(string Program, string Package)> Rest((string Program, string Package)[] programs) =>
        programs.Except([.. Prerequisites.Demo, .. Prerequisites.Icarus, .. Prerequisites.Verilator])
            .Where(one => one.Program is not ("yosys" or "mn"));

    private static string? WhyNoSdk()
    {
        try
        {
            using var dotnet = Process.Start(
                new ProcessStartInfo("dotnet", ["--list-sdks"]) { RedirectStandardOutput = true })!;
            var sdks = dotnet.StandardOutput.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries);
            dotnet.WaitForExit();
            if (sdks.Any(sdk => sdk.StartsWith("10.", StringComparison.Ordinal))) return null;
            return $"dotnet has {(sdks.Length == 0 ? "no SDK" : string.Join(", ", sdks))}";
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "dotnet is not on the PATH";
        }
    }
}
