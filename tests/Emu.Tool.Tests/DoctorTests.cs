using System.Text.Json;

namespace Emu.Tool.Tests;

/// <summary><c>emu doctor</c></summary>
public sealed class DoctorTests
{
    [Fact]
    public void It_says_what_is_missing_for_which_verb_and_how_to_get_it()
    {
        var outcome = WithoutPrograms("doctor");
        Assert.Equal(0, outcome.ExitCode);
        Assert.Contains("missing  iverilog, vvp: iverilog, vvp not found", outcome.Output);
        Assert.Contains("         for simulate, fuzz, board, test: --with icarus", outcome.Output);
        Assert.Contains("         apt-get install iverilog;", outcome.Output);
    }

    [Fact]
    public void A_named_verb_that_lacks_something_is_told_by_the_exit_code()
    {
        Assert.Equal(1, WithoutPrograms("doctor", "fuzz").ExitCode);
        Assert.DoesNotContain("vivado", WithoutPrograms("doctor", "fuzz").Output);
    }

    [Fact]
    public void As_JSON_each_row_has_its_verbs_and_a_remedy_where_it_is_missing()
    {
        using var json = JsonDocument.Parse(Commands.Emu("doctor", "--json").Succeeded().Output);
        var rows = json.RootElement.EnumerateArray().ToList();
        Assert.Contains(rows, row => row.GetProperty("name").GetString() == ".NET SDK 10");
        Assert.All(rows, row =>
        {
            Assert.NotEqual(0, row.GetProperty("verbs").GetArrayLength());
            var kind = row.GetProperty("there").GetBoolean() ? JsonValueKind.Null : JsonValueKind.String;
            Assert.Equal(kind, row.GetProperty("missing").ValueKind);
            Assert.Equal(kind, row.GetProperty("remedy").ValueKind);
        });
    }

    [Fact]
    public void Each_verb_that_a_row_names_can_be_asked_for_and_is_a_verb()
    {
        var verbs = Requirements.Look().SelectMany(row => row.Verbs).Distinct().Order(StringComparer.Ordinal);
        Assert.Equal(verbs, Requirements.Verbs);
        Assert.All(Requirements.Verbs, verb => Commands.Emu(verb, "--help").Succeeded());
    }

    [Fact]
    public void An_unknown_verb_is_wrong_use() => Commands.Emu("doctor", "cure").Refused(2, "'cure'", "simulate");

    private static Outcome WithoutPrograms(params string[] arguments) =>
        Commands.WithoutPrograms(Commands.EmuAssembly, arguments);
}
