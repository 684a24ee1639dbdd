namespace Emu.Tool.Tests;

/// <summary>A project of the user's own, outside the repository, works with all verbs.</summary>
[Collection(nameof(Builds))]
[Slow("time")]
public sealed class OwnProjectTests : IDisposable
{
    private const string Service = """
        using Emu;
        using Emu.Protocols;

        namespace Mine;

        /// <summary>Swaps the addresses of every frame and sends it back.</summary>
        /// <example>--times 2</example>
        /// <param name="times">How often a frame is sent back.</param>
        public sealed class Mirror(int times = 1) : Service
        {
            /// <summary>Frames sent back.</summary>
            public Counter Mirrored { get; } = new();

            /// <inheritdoc/>
            public override void Process(ref Frame frame)
            {
                var ethernet = new Ethernet(frame);
                (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
                for (var i = 1; i < times; i++) frame.Send(PortSet.Of(frame.Ingress));
                Mirrored.Increment();
                frame.Reply();
            }
        }
        """;

    private readonly TemporaryFolder _folder = new();
    private readonly CaptureFixture _captures = new();

    public void Dispose()
    {
        _captures.Dispose();
        _folder.Dispose();
    }

    [Fact]
    public void A_program_with_a_service_runs_by_the_path_of_its_project_and_by_itself()
    {
        var project = Write("Mirror", "Exe");
        _folder.Write("Mirror/Program.cs", "return Emu.Hosting.ServiceCommand.Run<Mine.Mirror>(args);");

        var help = Commands.Emu("run", project, "--help").Succeeded();
        Assert.Contains("Swaps the addresses of every frame", help.Output);
        Assert.Contains("--times N", help.Output);
        Assert.Contains("How often a frame is sent back. [default: 1]", help.Output);
        Assert.Contains("Example (--example): -- --times 2", help.Output);

        MirrorsTwice(Commands.Emu("run", project, "--port", Ports, "--example"));
        MirrorsTwice(Commands.Emu("run", Path.GetDirectoryName(project)!, "--port", Ports, "--", "--times", "2"));
        MirrorsTwice(Commands.Run(
            "dotnet", "run", "--no-build", "-c", "Release", "--project", project, "--", "--port", Ports, "--",
            "--times", "2"));
    }

    [Fact]
    public void A_project_compiles_to_Verilog_and_runs_as_simulated_hardware_by_its_path()
    {
        var project = Write("MirrorHardware", "Library");

        Commands.Emu("compile", project, "--out", _folder["verilog"], "--example").Succeeded();
        Assert.Contains("\nmodule mirror\n", File.ReadAllText(_folder["verilog/mirror.v"]));

        var (expected, actual) = (_captures.New(".pcap"), _captures.New(".pcap"));
        Commands.Emu("run", project, "--port", $"pcap:{_captures.Requested},{expected}", "--example").Succeeded();
        var simulated =
            Commands.Emu("simulate", project, "--in", _captures.Requested, "--out", actual, "--example").Succeeded();
        Assert.Contains(
            $"{CaptureFixture.Requests} frames in, {2 * CaptureFixture.Requests} out, 0 dropped", simulated.Error);
        Assert.Equal(File.ReadAllBytes(expected), File.ReadAllBytes(actual));
    }

    [Fact]
    public void A_test_holds_a_service_to_the_ladder_and_is_told_which_simulators_are_missing()
    {
        var project = Write("MirrorOnTheLadder", "Exe", "Emu.Testing");
        _folder.Write("MirrorOnTheLadder/Program.cs", """
            using Emu.Testing;

            Console.WriteLine(Ladder.Check(() => new Mine.Mirror(2), FrameSequence.Random(60, seed: 7)));
            """);
        Commands.Run("dotnet", "build", project, "-c", "Release", "-v", "q").Succeeded();

        var held = Commands.WithoutPrograms(
            _folder["MirrorOnTheLadder/bin/Release/net10.0/MirrorOnTheLadder.dll"]).Succeeded();
        // Two for each, but for those that were cut below a header.
        Assert.Matches(
            "^60 frames in, 1[01][02468] out, the same on:\n  \\.NET\n  the interpreter\n  the optimised IR\n"
            + "  the engine on 256 bits\n",
            held.Output);
        Assert.Contains("not on Verilator: ", held.Output);
        Assert.Contains("Mirror is not held to Icarus: ", held.Error);
        Assert.Contains("  the pipeline on 256 bits\n", held.Output);
    }

    [Fact]
    [Campaign("time")]
    public void A_library_with_services_runs_and_its_service_is_chosen_by_name()
    {
        var project = Write("Mirrors", "Library");
        _folder.Write("Mirrors/Other.cs", Service.Replace("Mirror(int", "Other(int", StringComparison.Ordinal));

        Commands.Emu("run", project, "--port", Ports) // builds, and so prints a line more
            .ErrorEndsWith(2, "Mirrors.csproj:Mirror or ", "Mirrors.csproj:Other");
        MirrorsTwice(Commands.Emu("run", $"{project}:Other", "--port", Ports, "--", "--times", "2"));
        MirrorsTwice(Commands.Emu(
            "run", _folder["Mirrors/bin/Release/net10.0/Mirrors.dll"] + ":Mirror", "--port", Ports, "--example"));
    }

    [Fact]
    public void A_project_that_does_not_build_says_why()
    {
        var project = Write("Broken", "Library");
        _folder.Write("Broken/Wrong.cs", "public class Wrong { int _ = Nothing; }");
        Commands.Emu("run", project, "--port", Ports).ErrorEndsWith(1, "does not build", "CS0103");
    }

    private string Ports => $"pcap:{_captures.Requested},{_captures.New(".pcap")}";

    private static void MirrorsTwice(Outcome outcome) => Assert.Contains(
        $"{CaptureFixture.Requests} frames in, {2 * CaptureFixture.Requests} out, 0 dropped; "
        + $"Mirrored {CaptureFixture.Requests}", outcome.Succeeded().Error);

    private string Write(string name, string outputType, string library = "Emu.Hosting")
    {
        _folder.Write($"{name}/Service.cs", Service);
        return _folder.Write($"{name}/{name}.csproj", $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
                <OutputType>{outputType}</OutputType>
                <Nullable>enable</Nullable>
                <ImplicitUsings>enable</ImplicitUsings>
                <GenerateDocumentationFile>true</GenerateDocumentationFile>
              </PropertyGroup>
              <ItemGroup>
                <ProjectReference Include="{Commands.Root}/src/Emu.Protocols/Emu.Protocols.csproj" />
                <ProjectReference Include="{Commands.Root}/src/{library}/{library}.csproj" />
              </ItemGroup>
            </Project>
            """);
    }
}
