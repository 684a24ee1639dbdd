namespace Emu.Tool.Tests;

/// <summary><c>emu new</c> in a clone.</summary>
[Collection(nameof(Builds))]
public sealed class NewTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Theory]
    [InlineData("", "cannot be the name of a class")]
    [InlineData("myService", "a capital letter")]
    [InlineData("My-Service", "cannot be the name of a class")]
    [InlineData("../Mine", "cannot be the name of a class")]
    [InlineData("Ünder", "cannot be the name of a class")]
    [InlineData("Frame", "take another, MyFrame")]
    [InlineData("Packet", "take another, MyPacket")]
    [InlineData("Services", "take another, MyServices")]
    public void A_name_that_no_class_can_have_is_wrong_use(string name, string why)
    {
        Commands.Emu("new", name, "--out", _folder["made"]).Refused(2, why);
        Assert.False(Directory.Exists(_folder["made"]));
    }

    [Fact]
    public void An_unknown_template_is_wrong_use() =>
        Commands.Emu("new", "Mine", "--template", "host", "--out", _folder["made"])
            .Refused(2, "--template: 'host'", "service, block, mininet");

    [Fact]
    public void What_is_there_stays_as_it_is()
    {
        var own = _folder.Write("made/mine.txt", "mine");
        Commands.Emu("new", "Mine", "--template", "mininet", "--out", _folder["made"]).Refused(1, "not empty", "--out");
        Commands.Emu("new", "Mine", "--template", "mininet", "--out", own).Refused(1, "is a file", "--out");
        Assert.Equal([own], Directory.GetFileSystemEntries(_folder["made"]));
        Assert.Equal([_folder["made"]], Directory.GetFileSystemEntries(_folder["."]).Select(Path.GetFullPath));
    }

    [Fact]
    public void An_empty_folder_is_filled_and_nothing_else_is_left()
    {
        Directory.CreateDirectory(_folder["made"]);
        Commands.Emu("new", "Mine", "--template", "mininet", "--out", _folder["made"]).Succeeded();
        Assert.True(File.Exists(_folder["made/emu.py"]));
        Assert.Contains("class Mine(Topo)", File.ReadAllText(_folder["made/experiment.py"]));
        Assert.Contains($"'{Commands.Root}/emu'", File.ReadAllText(_folder["made/experiment.py"]));
        Assert.Single(Directory.GetFileSystemEntries(_folder["."]));
    }

    [Theory]
    [InlineData("service")]
    [InlineData("block")]
    public void Every_file_is_about_the_class_and_none_about_the_template(string template)
    {
        Commands.Emu("new", "Mine", "--template", template, "--out", _folder["made"]).Succeeded();
        var files = Directory.GetFiles(_folder["made"], "*", SearchOption.AllDirectories);
        Assert.Contains(_folder["made/tests/Mine.Tests.csproj"], files);
        Assert.Contains(_folder["made/.gitignore"], files);
        Assert.DoesNotContain(files, file => file.Contains(".template.config", StringComparison.Ordinal));
        Assert.All(files, file =>
        {
            Assert.DoesNotContain("1", Path.GetFileNameWithoutExtension(file));
            foreach (var placeholder in (string[])["EmuService1", "EmuBlock1", "EMU_VERSION", "EMU_COMMAND"])
                Assert.DoesNotContain(placeholder, File.ReadAllText(file));
        });
        Assert.Contains($"value=\"{Commands.Root}/build/packages\"", File.ReadAllText(_folder["made/nuget.config"]));
    }

    [Theory]
    [Slow("a build")]
    [InlineData("service", 3)]
    [InlineData("block", 2)]
    public void In_the_folder_of_a_project_dotnet_test_finds_its_tests(string template, int tests)
    {
        Commands.Emu("new", "Mine", "--template", template, "--out", _folder["made"]).Succeeded();
        Assert.Contains(
            $"succeeded: {tests}", Commands.Run("env", "-C", _folder["made"], "dotnet", "test").Succeeded().Output);
    }

    [Fact]
    [Slow("a build")]
    public void A_new_service_builds_from_the_packages_of_the_clone_and_runs()
    {
        Commands.Emu("new", "Mine", "--out", _folder["made"]).Succeeded();
        var outcome = Commands.Emu(
            "run", _folder["made"], "--port", $"pcap:{_folder["made/frames.pcap"]}", "--port",
            $"pcap:,{_folder["out.pcap"]}").Succeeded();
        Assert.Contains("6 frames in, 4 out, 2 dropped; Passed 4; Blocked 2", outcome.Error);
        Assert.Equal(4, CaptureFiles.Read(_folder["out.pcap"]).Count);
    }
}
