using System.Reflection;

namespace Emu.Tool.Tests;

/// <summary>Programs that verbs install before they use them.</summary>
public sealed class PrerequisitesTests
{
    private const BindingFlags Any = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>Name servers serve from when they are installed: who measures beside them installs them.</summary>
    private static readonly string[] s_notInstalled = ["nsd", "knotd"];

    /// <summary>A benchmark without one of its programs is skipped.</summary>
    [Fact]
    public void The_programs_that_benchmarks_need_are_installed_for_them()
    {
        var bench = Assembly.LoadFrom(Commands.Built("bench/Emu.Bench", "Emu.Bench"));
        var benchmarks = bench.GetType("Emu.Bench.Benchmarks", throwOnError: true)!;
        var beside = benchmarks.GetMethod("Beside", Any)!;
        var names = (IEnumerable<string>)benchmarks.GetProperty("Names", Any)!.GetValue(null)!;
        var pinned = bench.GetType("Emu.Bench.Pinned", throwOnError: true)!;
        List<string> needed =
        [
            .. (string[])pinned.GetField("Programs", Any)!.GetValue(null)!,
            .. names.SelectMany(name => (string[])beside.Invoke(null, [name])!),
        ];
        var installed = ((IEnumerable<(string Program, string Package)>)Assembly.LoadFrom(Commands.EmuAssembly)
            .GetType("Emu.Tool.Prerequisites", throwOnError: true)!.GetField("Benchmarks", Any)!.GetValue(null)!)
            .Select(one => one.Program).ToList();
        Assert.Contains("iptables-legacy-restore", needed);
        Assert.All(needed.Except(s_notInstalled), program => Assert.Contains(program, installed));
        Assert.Empty(installed.Intersect(s_notInstalled));
    }
}
