namespace Emu.Tool.Tests;

/// <summary>
/// A service that does not compile, or cannot even be constructed,
/// ends with one line and exit code 1, whatever the user's class does.
/// </summary>
[Collection(nameof(Builds))]
[Slow("time")]
public sealed class RefusalTests(RefusalTests.OwnServices own) : IClassFixture<RefusalTests.OwnServices>
{
    [Fact]
    public void What_does_not_compile_is_named_with_its_line_and_the_calls_that_led_there()
    {
        var outcome = Compile("Halves");
        outcome.Refused(
            1, "EMU", $"{own.Source}:{OwnServices.LineOf("x / 2.0")}: ", "in ",
            $"called from {own.Source}:{OwnServices.LineOf("Half(frame.Length)")} (");
        Assert.Matches(@"^emu: EMU\d{4} \S+:\d+: .+; in .+\n$", outcome.Error);
    }

    [Theory]
    [InlineData("NeverEnds", "its constructor has not ended after 60 seconds")]
    [InlineData("Throws", "its constructor failed", "InvalidOperationException", "not today")]
    [InlineData("Crashes", "its constructor has ended the process")]
    [InlineData("Recurses", "its constructor has ended the process")]
    [InlineData("Leaves", "its constructor has ended the process")]
    public void A_constructor_that_goes_wrong_is_told_as_any_other_mistake(string service, params string[] words)
    {
        Compile(service).Refused(1, [service, .. words]);
    }

    [Fact]
    public void What_a_constructor_prints_is_no_output_of_the_command() =>
        Assert.StartsWith(
            "{", Commands.Emu("compile", own.Of("Module"), "--json", "--out", own.Folder).Succeeded().Output);

    [Fact]
    public void A_class_with_the_name_of_a_reserved_word_gets_an_underscore()
    {
        Commands.Emu("compile", own.Of("Module"), "--out", own.Folder).Succeeded();
        Assert.Contains("\nmodule module_\n", File.ReadAllText(Path.Combine(own.Folder, "module_.v")));
    }

    private Outcome Compile(string service) => Commands.Emu("compile", own.Of(service), "--out", own.Folder);

    /// <summary>A project with services that are wrong, built once.</summary>
    public sealed class OwnServices : IDisposable
    {
        private const string Code = """
            using System;
            using Emu;

            namespace Mine;

            public sealed class Module : Service
            {
                public Module() => Console.WriteLine("hello from a constructor");

                public override void Process(ref Frame frame) => frame.Flood();
            }

            public sealed class Halves : Service
            {
                private int _half;

                public override void Process(ref Frame frame)
                {
                    _half = Half(frame.Length);
                    frame.ForwardTo(new PortId(_half));
                }

                private static int Half(int x)
                {
                    return (int)(x / 2.0);
                }
            }

            public abstract class Dropping : Service
            {
                public override void Process(ref Frame frame) => frame.Drop();
            }

            public sealed class NeverEnds : Dropping
            {
                public NeverEnds()
                {
                    while (true) System.Threading.Thread.Sleep(10);
                }
            }

            public sealed class Throws : Dropping
            {
                public Throws() => throw new InvalidOperationException("not\ntoday".Replace('\n', ' '));
            }

            public sealed class Crashes : Dropping
            {
                public Crashes() => Environment.FailFast("enough");
            }

            public sealed class Recurses : Dropping
            {
                public Recurses() => Deeper(1);

                private static int Deeper(int depth) => Deeper(depth + 1) + depth;
            }

            public sealed class Leaves : Dropping
            {
                public Leaves() => Environment.Exit(0);
            }
            """;

        private readonly TemporaryFolder _folder = new();
        private readonly string _assembly;

        public OwnServices()
        {
            var source = Path.Combine(Commands.Root, "src");
            Source = _folder.Write("Mine.cs", Code);
            var project = _folder.Write("Mine.csproj", $"""
                <Project Sdk="Microsoft.NET.Sdk">
                  <PropertyGroup>
                    <TargetFramework>net10.0</TargetFramework>
                  </PropertyGroup>
                  <ItemGroup>
                    <ProjectReference Include="{source}/Emu.Core/Emu.Core.csproj" />
                  </ItemGroup>
                </Project>
                """);
            Commands.Run("dotnet", "build", project, "-c", "Release", "-v", "q", "--nologo").Succeeded();
            _assembly = _folder["bin/Release/net10.0/Mine.dll"];
        }

        /// <summary>The file with the classes.</summary>
        public string Source { get; }

        /// <summary>The folder that Verilog may go to.</summary>
        public string Folder => _folder["out"];

        /// <summary>The number of the line with a text.</summary>
        public static int LineOf(string text) =>
            Code.Split('\n').Index().First(line => line.Item.Contains(text, StringComparison.Ordinal)).Index + 1;

        /// <summary>A service as the command names it.</summary>
        public string Of(string service) => $"{_assembly}:{service}";

        public void Dispose() => _folder.Dispose();
    }
}
