using Emu.Hosting;

namespace Emu.Tool.Tests.Boards;

/// <summary><c>emu board</c> as a person calls it.</summary>
[Slow("Icarus, compiling")]
public sealed class BoardTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>The boards.</summary>
    public static TheoryData<string> Boards => [.. BoardCatalog.All.Select(board => board.Name)];

    [Theory]
    [MemberData(nameof(Boards))]
    public void A_project_is_the_same_twice_has_no_warning_and_does_what_a_run_does(string board)
    {
        Tools.Need("iverilog", "vvp", "verilator");
        string[] command = ["board", "LearningSwitch", "--board", board, "--over-clock", "--out"];
        Commands.Emu([.. command, _folder["one"]]).Succeeded();
        Commands.Emu([.. command, _folder["two"]]).Succeeded();
        Assert.Equal(Bytes("one"), Bytes("two"));
        Assert.DoesNotContain(Bytes("one"), file => file.Text.Contains('@') && Marks(file.Text).Any());

        var wrapper = Directory.GetFiles(_folder["one/hdl"], "*.v").Select(Path.GetFileName)
            .Single(f => f is "emu_250mhz.v" or "emu_output_port_lookup.v" or "mqnic_app_block.v");
        var lint = Commands.Run(
            "verilator", "--lint-only", "-Wall", "-y", _folder["one/hdl"], _folder[$"one/hdl/{wrapper}"]).Succeeded();
        Assert.Empty(lint.Output + lint.Error);

        Assert.Contains(
            "as a run has them", Commands.Emu("board", "test", _folder["one"], "--stall", "5").Succeeded().Output);
    }

    [Fact]
    public void A_board_is_refused_that_cannot_carry_the_service()
    {
        Commands.Emu("board", "LearningSwitch", "--board", "opennic", "--ports", "3", "--out", _folder["x"])
            .ErrorEndsWith(1, "opennic cannot carry LearningSwitch", "4 or 2 ports, not 3");
        Commands.Emu("board", "LearningSwitch", "--board", "abacus").ErrorEndsWith(2, "'abacus' is none of opennic");
        Commands.Emu("board", "LearningSwitch").ErrorEndsWith(2, "--board is needed");
        Assert.False(Directory.Exists(_folder["x"]));
    }

    [Fact]
    public void A_folder_that_holds_something_else_is_not_touched()
    {
        Directory.CreateDirectory(_folder["mine"]);
        File.WriteAllText(_folder["mine/thesis.tex"], "");
        Commands.Emu("board", "LearningSwitch", "--board", "opennic", "--out", _folder["mine"])
            .ErrorEndsWith(2, "holds something else");
        Assert.Equal([_folder["mine/thesis.tex"]], Directory.GetFiles(_folder["mine"]));
        Commands.Emu("board", "test", _folder["mine"]).ErrorEndsWith(2, "there is no board.json");
    }

    [Fact]
    public void The_list_claims_what_is_tested_and_no_more()
    {
        var output = Commands.Emu("board", "--list").Succeeded().Output;
        foreach (var board in BoardCatalog.All)
        {
            Assert.Contains(board.Name, output);
            Assert.All(board.State, state => Assert.Contains(state, (string[])["simulated", "elaborated in the shell's tree"]));
            Assert.Equal(40, board.Commit.Length);
        }
        Assert.DoesNotContain("built,", output);
    }

    private List<(string Name, string Text)> Bytes(string project) =>
        [.. Directory.GetFiles(_folder[project], "*", SearchOption.AllDirectories).Order()
            .Where(file => !file.Contains("/sim/icarus/"))
            .Select(file => (Path.GetRelativePath(_folder[project], file), File.ReadAllText(file)))];

    // A mark of a template that nothing has replaced.
    private static IEnumerable<string> Marks(string text) =>
        System.Text.RegularExpressions.Regex.Matches(text, "@[A-Z0-9_]+@").Select(m => m.Value);
}
