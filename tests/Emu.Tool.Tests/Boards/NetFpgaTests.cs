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
    [InlineData("sume", "4")]
    [InlineData("plus-au280", "2")]
    public void The_test_of_a_project_passes_and_finds_what_is_not_as_expected(string board, string host)
    {
        Tools.Need("iverilog", "vvp", "python3");
        Make(board, mirror: host);
        var script = _folder["one/test/both_emu_frames/run.py"];
        Assert.Contains("as expected, ", RunScript(script).Succeeded().Output);
        // The host is the port behind the MACs.
        Assert.Contains("nftest_send_dma('nf0'", File.ReadAllText(script));
        Assert.Contains("nftest_expect_dma('nf0'", File.ReadAllText(script));

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
        Make("sume", mirror: "2", "--ports", "4");
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

    /// <summary>
    /// NetFPGA's own library, of a clone, takes the test of a project, and writes the same: comments and times aside,
    /// and the counts of barriers in the registers' file, where its count for the host is another port's.
    /// </summary>
    [Fact]
    public void The_library_of_the_shell_takes_the_test_of_a_project_and_writes_the_same()
    {
        const string Python = "/usr/bin/python3"; // the distribution's, whose packages have scapy
        Tools.Need("gcc");
        if (Environment.GetEnvironmentVariable("EMU_NETFPGA_PLUS") is not { } clone)
        {
            Assert.Skip("needs a clone of NetFPGA-PLUS: its path in EMU_NETFPGA_PLUS");
            return;
        }
        if (!File.Exists(Python) || Commands.Run(Python, "-c", "import scapy").ExitCode != 0)
            Assert.Skip("needs scapy: apt-get install python3-scapy");
        Make("plus-au280", mirror: "2");
        // Its library for cards, which a simulation loads and does not call.
        Directory.CreateDirectory(_folder["sw/hwtestlib"]);
        File.WriteAllText(_folder["sume.c"], "int regread(void) { return 0; } int regwrite(void) { return 0; }");
        Commands.Run("gcc", "-shared", "-fPIC", "-o", _folder["sw/hwtestlib/libsume.so"], _folder["sume.c"])
            .Succeeded();
        var (registers, scripts) = (_folder["one/registers"], Path.Combine(clone, "tools/scripts"));
        Run("theirs", $"{scripts}/NFTest:{scripts}:{registers}");
        Run("ours", $"{_folder["one/sim"]}:{registers}");

        var files = Directory.GetFiles(_folder["ours"], "*.axi").Select(file => Path.GetFileName(file)).ToList();
        Assert.Equal(9, files.Count);
        Assert.All(files, file => Assert.Equal(Lines("theirs", file), Lines("ours", file)));

        void Run(string folder, string path)
        {
            Directory.CreateDirectory(_folder[folder]);
            Commands.Run(
                "env", "-C", _folder[folder], $"PYTHONPATH={path}", $"NFPLUS_FOLDER={_folder["."]}",
                "PYTHONDONTWRITEBYTECODE=1", $"NF_DESIGN_DIR={_folder["one"]}", Python,
                _folder["one/test/both_emu_frames/run.py"]).Succeeded();
        }
        List<string> Lines(string folder, string file) =>
        [
            .. File.ReadLines(_folder[$"{folder}/{file}"]).Where(line =>
                line.Length > 0 && !"#@+".Contains(line[0]) && (file != "reg_stim.axi" || !"NS".Contains(line[0]))),
        ];
    }

    private void Make(string board, string mirror, params string[] options) =>
        Commands.Emu([
            "board", "Mirror", "--board", board, "--over-clock", .. options, "--out", _folder["one"], "--",
            "--mirror", mirror,
        ]).Succeeded();

    private Outcome RunScript(string script) => Commands.Emu("board", "test", _folder["one"], "--run", script);
}
