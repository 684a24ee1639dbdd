using System.IO.Compression;

namespace Emu.Tool.Tests;

/// <summary>The packages, from a folder into an empty home.</summary>
[Collection(nameof(Builds))]
[Slow("packing")]
public sealed class PackagesTests : IDisposable
{
    private readonly EmptyHome _home = new();

    public void Dispose() => _home.Dispose();

    [Fact]
    public void Each_has_its_manual_its_symbols_and_its_license()
    {
        var packages = Directory.GetFiles(_home.Feed, "*.nupkg");
        string[] libraries =
        [
            "Emu.Core", "Emu.Protocols", "Emu.Hosting", "Emu.Clocked", "Emu.Compiler", "Emu.Simulation", "Emu.Testing",
            "Emu.Direction",
        ];
        Assert.Equal(libraries.Length + 2, packages.Length);
        foreach (var package in packages)
        {
            using var zip = ZipFile.OpenRead(package);
            var files = zip.Entries.Select(entry => entry.FullName).ToList();
            Assert.Contains("README.md", files);
            Assert.Contains("icon.png", files);
            using var text = new StreamReader(zip.Entries.Single(entry => entry.Name.EndsWith(".nuspec")).Open());
            var specification = text.ReadToEnd();
            Assert.Contains("<license type=\"expression\">Apache-2.0</license>", specification);
            Assert.Contains("<readme>README.md</readme>", specification);
            var name = libraries.FirstOrDefault(library => files.Contains($"lib/net10.0/{library}.dll"));
            if (name is null) continue;
            Assert.Contains($"<id>{name}</id>", specification);
            Assert.Contains($"lib/net10.0/{name}.xml", files);
            Assert.Contains($"lib/net10.0/{name}.pdb", files);
        }
    }

    /// <summary>Whoever refers to Emu.Core has the compiler's refusals in the editor and in a build.</summary>
    [Fact]
    public void A_build_says_what_will_not_compile()
    {
        Directory.CreateDirectory(_home["Mine"]);
        File.WriteAllText(_home["Mine/Mine.csproj"], """
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
              <ItemGroup><PackageReference Include="Emu.Core" Version="*-*" /></ItemGroup>
            </Project>
            """);
        File.WriteAllText(_home["Mine/Mine.cs"], """
            public sealed class Mine : Emu.Service
            {
                public override void Process(ref Emu.Frame frame)
                {
                    var copy = new byte[frame.Length];
                    frame.ForwardTo(Emu.PortSet.Of(new Emu.PortId((byte)copy.Length)));
                }
            }
            """);
        Assert.Matches(@"Mine\.cs\(5,\d+\): warning EMU0011", _home.Run("dotnet build Mine").Succeeded().Output);
    }

    [Fact]
    public void An_installed_command_has_inside_itself_what_it_uses()
    {
        _home.Run("dotnet tool install --global emu").Succeeded();
        Assert.Contains("LearningSwitch", _home.Run("emu list").Succeeded().Output);
        Assert.Contains("opennic", _home.Run("emu board --list").Succeeded().Output);
        _home.Run("emu test").Refused(1, "works on the repository", "clone it");
        _home.Run("emu new Mine --template mininet").Succeeded();
        Assert.True(File.Exists(_home["Mine/emu.py"]));
        Assert.Contains("'emu'", File.ReadAllText(_home["Mine/experiment.py"]));
    }

    [Fact]
    [Campaign("time")]
    public void The_command_and_the_templates_work_from_an_empty_home()
    {
        _home.Run("dotnet tool install --global emu").Succeeded();
        _home.Run("emu board LearningSwitch --board sume --out card").Succeeded();
        _home.Run("emu new Exp --template mininet").Succeeded();

        _home.Run("emu new Mine").Succeeded();
        Assert.False(File.Exists(_home["Mine/nuget.config"]));
        _home.Run("dotnet new install Emu.Templates").Succeeded();
        _home.Run("dotnet new emu-service --name Mine --output Same").Succeeded();
        _home.Run("diff -r Mine Same").Succeeded();
        _home.Run("dotnet new emu-block --name Mine2 && cd Mine2 && dotnet build -v q").Succeeded();
        Assert.True(File.Exists(_home["Mine2/tests/bin/Debug/net10.0/Mine2.Tests.dll"]));
        _home.Run("dotnet new emu-mininet --name Exp --output Exp2 && diff -r Exp Exp2").Succeeded();

        Assert.Contains("succeeded: 3", _home.Run("cd Same && dotnet test").Succeeded().Output);
        Assert.Contains(
            "6 frames in, 4 out, 2 dropped; Passed 4; Blocked 2",
            _home.Run("cd Same && emu run . --port pcap:frames.pcap --port pcap:,out.pcap").Succeeded().Error);
        _home.Run("cd Same && emu compile . --out build/verilog").Succeeded();
        Assert.Contains("\nmodule mine\n", File.ReadAllText(_home["Same/build/verilog/mine.v"]));
        _home.Run("cd Same && emu simulate . --port pcap:frames.pcap --port pcap:,hardware.pcap").Succeeded();
        _home.Run("cd Same && cmp out.pcap hardware.pcap").Succeeded();
    }
}
