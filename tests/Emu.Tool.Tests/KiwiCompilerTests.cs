namespace Emu.Tool.Tests;

/// <summary>
/// <c>emu compile SERVICE --with kiwic</c>: the program is written, and stand-ins for mcs and KiwiC show with which
/// command lines they are called. What KiwiC makes of it no test here says.
/// </summary>
[Slow("time")]
public sealed class KiwiCompilerTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Without_a_copy_of_KiwiC_the_program_is_written_and_the_reason_said()
    {
        var output = Commands.Run(
            "env", "-u", "KIWIC", "dotnet", Commands.EmuAssembly, "compile", "Mirror", "--with", "kiwic", "--out",
            _folder["out"]).Succeeded().Output;
        Assert.Contains("KiwiC was not run: KIWIC does not name a folder", output);
        Assert.Contains("Kiwi.Pause();", File.ReadAllText(_folder["out/Mirror.cs"]));
    }

    [Fact]
    public void Mcs_and_KiwiC_are_called_with_the_program()
    {
        StandIns(exitCode: 0);
        var output = WithStandIns().Succeeded().Output;
        var verilog = _folder["out/Mirror.v"];
        Assert.Contains($"Verilog of KiwiC: {verilog}", output);
        Assert.Equal(
            [
                $"mcs -target:exe -r:{_folder["home/support/Kiwi.dll"]} -out:Mirror.exe Mirror.cs",
                "kiwic Mirror.exe -bevelab-default-pause-mode=hard -vnl-resets=synchronous -vnl-roundtrip=disable "
                + "-restructure2=disable -conerefine=enable -compose=disable -kiwife-dynpoly=disable "
                + "-cil-uwind-budget=1000000 -vnl Mirror.v",
            ],
            File.ReadAllLines(_folder["calls"]));
    }

    /// <summary>The C# compiler of Mono takes the programs: what they need of Kiwi.dll is declared here.</summary>
    [Theory]
    [InlineData("LearningSwitch")]
    [InlineData("IcmpEcho", "--", "--address", "10.0.0.2")]
    [InlineData("TcpPing", "--", "--address", "10.0.0.2", "--listen", "80")]
    public void Mcs_compiles_the_programs(string service, params string[] arguments)
    {
        Assert.SkipWhen(!HasMcs, "mcs is not on the PATH; apt-get install mono-mcs");
        const string Declarations = """
            namespace KiwiSystem
            {
                public static class Kiwi
                {
                    public class HardwareEntryPoint : System.Attribute { }
                    public class InputBitPort : System.Attribute { public InputBitPort(string name) { } }
                    public class OutputBitPort : System.Attribute { public OutputBitPort(string name) { } }
                    public class InputWordPort : System.Attribute { public InputWordPort(string name) { } }
                    public class OutputWordPort : System.Attribute { public OutputWordPort(string name) { } }
                    public static void Pause() { }
                }
            }
            """;
        var library = _folder["Kiwi.dll"];
        Commands.Run("mcs", "-target:library", $"-out:{library}", _folder.Write("Kiwi.cs", Declarations)).Succeeded();
        Commands.Emu(["compile", service, "--with", "kiwic", "--out", _folder["out"], .. arguments]).Succeeded();
        Commands.Run(
            "mcs", "-target:exe", $"-r:{library}", $"-out:{_folder["out/program.exe"]}",
            _folder[$"out/{service}.cs"]).Succeeded();
    }

    private static bool HasMcs => Environment.GetEnvironmentVariable("PATH")!.Split(Path.PathSeparator)
        .Any(folder => File.Exists(Path.Combine(folder, "mcs")));

    [Fact]
    public void A_failure_of_KiwiC_is_told_with_its_last_lines()
    {
        StandIns(exitCode: 3);
        var outcome = WithStandIns();
        Assert.Equal(1, outcome.ExitCode);
        Assert.Contains("kiwic failed with 3: what it says", outcome.Error);
    }

    [Fact]
    public void A_service_with_ticks_is_refused_by_number() =>
        Commands.Emu("compile", "TrafficReport", "--example", "--with", "kiwic", "--out", _folder["out"])
            .ErrorEndsWith(1, "EMU0037", "TickInterval");

    [Fact]
    public void Another_compiler_is_none() =>
        Commands.Emu("compile", "Mirror", "--with", "hls").ErrorEndsWith(2, "--with: 'hls' is not kiwic");

    private Outcome WithStandIns() => Commands.Run(
        "env", $"KIWIC={_folder["home"]}", $"PATH={_folder["bin"]}:{Environment.GetEnvironmentVariable("PATH")}",
        "dotnet", Commands.EmuAssembly, "compile", "Mirror", "--with", "kiwic", "--out", _folder["out"]);

    /// <summary>Programs that note how they are called.</summary>
    private void StandIns(int exitCode)
    {
        _folder.Write("home/support/Kiwi.dll", "");
        Program("bin/mono", "");
        Program("bin/mcs", $"echo mcs \"$@\" >> {_folder["calls"]}");
        Program(
            "home/bin/kiwic",
            $"echo kiwic \"$@\" >> {_folder["calls"]}; echo what it says; touch Mirror.v; "
            + $"exit {exitCode}");
    }

    private void Program(string file, string command) =>
        Commands.Run("chmod", "+x", _folder.Write(file, $"#!/bin/sh\n{command}\n")).Succeeded();
}
