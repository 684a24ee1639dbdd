namespace Emu.Tool.Tests.Boards;

/// <summary>Tests in the form of NetFPGA's <c>run.py</c>, over the names of a project's own <c>NFTest.py</c>.</summary>
[Slow("Icarus, compiling")]
public sealed class NetFpgaTests : IDisposable
{
    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>
    /// A project has such a test, of what a run makes of frames. It passes, and fails where another frame, none, or
    /// another value of a register is expected.
    /// </summary>
    [Theory]
    [InlineData("sume")]
    [InlineData("plus-au280")]
    public void The_test_of_a_project_passes_and_finds_what_is_not_as_expected(string board)
    {
        Tools.Need("iverilog", "vvp", "python3");
        Make("Mirror", board, "--mirror", "2");
        var script = _folder["one/test/both_emu_frames/run.py"];
        Assert.Contains("as expected, ", RunScript(script).Succeeded().Output);
        // The host is a port of the service on NetFPGA-PLUS alone.
        Assert.Equal(board != "sume", File.ReadAllText(script).Contains("nftest_send_dma('nf0'"));

        var lines = File.ReadAllLines(script).ToList();
        var expectation = lines.FindIndex(line => line.StartsWith("nftest_expect_phy"));
        // Its first byte.
        var other = lines[expectation + 1].Replace("    '0", "    'f");
        File.WriteAllLines(script, [.. lines[..(expectation + 1)], other, .. lines[(expectation + 2)..]]);
        RunScript(script).ErrorEndsWith(1, "port ", "run.py expects ", "the board");
        File.WriteAllLines(script, [.. lines[..expectation], .. lines[(expectation + 2)..]]);
        RunScript(script).ErrorEndsWith(1, "frame ", "run.py expects ");
        File.WriteAllLines(script, lines.Select(line => line.Replace("FRAMES_IN(), ", "FRAMES_IN(), 1")));
        RunScript(script).ErrorEndsWith(1, "of the register at");
    }

    /// <summary>A script is refused before anything is simulated.</summary>
    [Fact]
    public void A_script_that_asks_for_what_is_not_there_is_refused()
    {
        Tools.Need("python3");
        Make("Mirror", "sume", "--mirror", "2");
        var script = _folder["run.py"];
        void Refused(string text, params string[] words)
        {
            File.WriteAllText(script, "from NFTest import *\n" + text);
            RunScript(script).ErrorEndsWith(1, words);
        }
        Refused("nftest_init()\nnftest_send_phy('nf4', b'x' * 60)", "nf4 is none of nf0 to nf3");
        Refused("nftest_init()\nnftest_expect_phy('nf0', b'x' * 60, mask=b'x')", "a mask has no place");
        Refused("nftest_init(sim_loop=['nf0'])", "no port of this bench is looped back");
        Refused("nftest_send_phy('nf0', b'x' * 60)", "nftest_init comes first");
        Refused("nonsense", "NameError");
        Refused("pass", "nftest_init and nftest_finish");
        Refused(
            "nftest_init()\nnftest_send_dma('nf0', b'x' * 60)\nnftest_finish()", "the host is no port of Mirror");
        Commands.Emu("board", "test", _folder["one"], "--run", _folder["none.py"]).ErrorEndsWith(2, "is not there");
    }

    private void Make(string service, string board, params string[] arguments) =>
        Commands.Emu([
            "board", service, "--board", board, "--over-clock", "--out", _folder["one"], "--", .. arguments,
        ]).Succeeded();

    private Outcome RunScript(string script) => Commands.Emu("board", "test", _folder["one"], "--run", script);
}
