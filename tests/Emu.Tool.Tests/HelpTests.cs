using System.Text.Json;

namespace Emu.Tool.Tests;

/// <summary>The first questions of a newcomer.</summary>
public sealed class HelpTests
{
    [Theory]
    [InlineData]
    [InlineData("demo")]
    [InlineData("test")]
    [InlineData("list")]
    [InlineData("new")]
    [InlineData("doctor")]
    [InlineData("docs")]
    [InlineData("completion")]
    [InlineData("run")]
    [InlineData("compile")]
    [InlineData("check")]
    [InlineData("simulate")]
    [InlineData("board")]
    [InlineData("board", "test")]
    [InlineData("board", "build")]
    [InlineData("registers")]
    public void Every_verb_has_help_with_an_example(params string[] verb)
    {
        var help = Commands.Emu([.. verb, "--help"]).Succeeded().Output;
        Assert.Contains("Example: ./emu ", help);
        Assert.Contains("Usage:", help);
    }

    [Theory]
    [InlineData(
        "Filter",
        "--rules TEXT",
        "--rule TEXT",
        "(may be repeated)",
        "--rules6 TEXT",
        "Example (--example): -- --rules rules-64.txt")]
    [InlineData(
        "IcmpEcho",
        "--address IPv4",
        "--mac MAC",
        "--address6 IPv6",
        "(required)",
        "Example (--example): -- --address 10.0.0.2")]
    [InlineData(
        "LearningSwitch",
        "--capacity N",
        "[default: 256]",
        "--ageing-seconds N",
        "--static STATIC-ENTRY",
        "(may be repeated)")]
    [InlineData(
        "Nat", "--inside IPv4", "--outside IPv4", "--forward STATIC-FORWARD", "(may be repeated)", "--filtering",
        "[default: 4096]", "[default: endpoint-independent]", "--passive", "--udp-seconds N", "(120 or more)",
        "(a power of two, 2 to 16)")]
    [InlineData(
        "TcpPing", "--address IPv4", "--listen N", "(may be repeated)", "--key N", "--complete-handshakes",
        "Example (--example): -- --address 10.0.0.2 --listen 80")]
    public void Help_of_run_with_a_service_shows_its_arguments(string service, params string[] words)
    {
        var help = Commands.Emu("run", service, "--help").Succeeded().Output;
        var own = Commands.Service(service, "--help").Succeeded().Output;
        Assert.All(words, word => Assert.Contains(word, help));
        Assert.All(words, word => Assert.Contains(word, own));
    }

    [Fact]
    public void List_has_a_line_for_each_service()
    {
        var lines = Commands.Emu("list").Succeeded().Output.Split('\n', StringSplitOptions.RemoveEmptyEntries);
        var heading = Array.IndexOf(lines, "samples, a page each:");
        Assert.Equal(Directory.GetDirectories(Path.Combine(Commands.Root, "services")).Length, heading);
        Assert.Contains(lines[heading..], line => line.StartsWith("TimeServer ", StringComparison.Ordinal));
        Assert.Contains(lines, line =>
            line.StartsWith("IcmpEcho ", StringComparison.Ordinal) && line.Contains("ping", StringComparison.Ordinal));
    }

    [Fact]
    public void List_as_JSON_has_names_summaries_and_arguments()
    {
        using var json = JsonDocument.Parse(Commands.Emu("list", "--json").Succeeded().Output);
        var echo = json.RootElement.EnumerateArray()
            .Single(service => service.GetProperty("name").GetString() == "IcmpEcho");
        Assert.NotEmpty(echo.GetProperty("summary").GetString()!);
        Assert.Equal(
            ["--address", "--mac", "--address6"],
            echo.GetProperty("arguments").EnumerateArray().Select(argument => argument.GetString()));
    }
}
