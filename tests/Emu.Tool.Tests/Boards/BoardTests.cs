using System.Text.Json;

namespace Emu.Tool.Tests.Boards;

/// <summary><c>emu board</c> as a person calls it.</summary>
[Slow("Icarus, compiling")]
public sealed class BoardTests : IDisposable
{
    /// <summary>The files of a project that no other of its files has inside.</summary>
    private static readonly string[] s_tops =
    [
        "hdl/emu_250mhz.v", "hdl/emu_output_port_lookup.v", "hdl/mqnic_app_block.v",
        "plugin/box_250mhz/box_250mhz_address_map.v",
    ];

    private static readonly string s_standIns = Path.Combine(Commands.Root, "netfpga/test/vivado_standins.tcl");

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>A board of each set of templates: those of one set differ by the name of the card alone.</summary>
    public static TheoryData<string> Boards =>
        [.. BoardCatalog.All.DistinctBy(board => string.Join(' ', board.Folders)).Select(board => board.Name)];

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

        HasNoWarning(_folder["one"]);
        HoldsRates(board, Commands.Emu("board", "test", _folder["one"], "--stall", "5", "--json").Succeeded().Output);
        HasFramesOfAllPorts(BoardCatalog.Find(board).Ports[0]);
        ScriptsRun(_folder["one"]);
    }

    /// <summary>Frames of the host are left out then, and none goes there.</summary>
    [Theory]
    [InlineData("sume", 4)]
    [InlineData("plus-au280", 2)]
    public void A_project_for_MACs_alone_does_what_a_run_does(string board, int ports)
    {
        Tools.Need("iverilog", "vvp", "verilator");
        Commands.Emu(
            "board", "LearningSwitch", "--board", board, "--ports", $"{ports}", "--over-clock", "--out", _folder["one"])
            .Succeeded();
        HasNoWarning(_folder["one"]);
        Assert.Contains(
            $"by {ports} ports, as a run has them",
            Commands.Emu("board", "test", _folder["one"], "--no-rates").Succeeded().Output);
        HasFramesOfAllPorts(ports);
        Assert.Contains("frames of the host are left out", File.ReadAllText(_folder["one/README.md"]));
    }

    [Fact]
    public void The_script_of_a_project_changes_that_of_the_shell()
    {
        Tools.Need("tclsh");
        if (Environment.GetEnvironmentVariable("EMU_NETFPGA_PLUS") is not { } clone)
        {
            Assert.Skip("needs a clone of NetFPGA-PLUS: its path in EMU_NETFPGA_PLUS");
            return;
        }
        Commands.Emu(
            "board", "LearningSwitch", "--board", "plus-au280", "--over-clock", "--out", _folder["one"]).Succeeded();
        var calls = Commands.Run(
            "env", "-C", _folder["one/hw"], $"NFPLUS_FOLDER={clone}", "DEVICE=xcu280-fsvh2892-2L-e", "BOARD=any",
            "BOARD_NAME=au280", "BOARD_FILE_PATH=/", "NF_PROJECT_NAME=emu_learning_switch", "tclsh", s_standIns,
            "tcl/emu_project.tcl").Succeeded().Output;
        Assert.Contains("create_ip\t-name emu_output_port_lookup ", calls);
        Assert.Contains("C_NF_DATA_WIDTH=512", calls);
        Assert.Contains($"read_verilog\t{_folder["one/hdl/nf_datapath.v"]}", calls);
        Assert.DoesNotContain("switch_output_port_lookup ", calls);
        Assert.True(Directory.Exists(_folder["one/hw/ip_repo/std/emu_output_port_lookup_v1_0_0"]));
    }

    /// <summary>As the Makefile calls it: in a copy of the shell's project.</summary>
    [Fact]
    public void The_script_of_a_project_changes_that_of_SUME()
    {
        Tools.Need("tclsh");
        if (Environment.GetEnvironmentVariable("EMU_NETFPGA_SUME") is not { } clone)
        {
            Assert.Skip("needs a clone of NetFPGA-SUME-live: its path in EMU_NETFPGA_SUME");
            return;
        }
        Commands.Emu("board", "LearningSwitch", "--board", "sume", "--over-clock", "--out", _folder["one"]).Succeeded();
        var copy = _folder["one/hw/project.part"];
        Directory.CreateDirectory(copy);
        Commands.Run("cp", "-r", Path.Combine(clone, "projects/reference_switch/hw"), copy).Succeeded();
        // A clone that was built has a project of Vivado's in it.
        Commands.Run("rm", "-rf", $"{copy}/hw/project", $"{copy}/hw/ip_repo").Succeeded();
        var calls = Commands.Run(
            "env", "-C", $"{copy}/hw", $"SUME_FOLDER={clone}", $"CONSTRAINTS={clone}/lib/hw/std/constraints",
            "XILINX_PATH=/", "NF_PROJECT_NAME=emu_learning_switch", "NF_DESIGN_DIR=/", "tclsh", s_standIns,
            _folder["one/hw/tcl/emu_project.tcl"], "vivado_version", "2016.4").Succeeded().Output;
        Assert.Contains("create_project\t-name emu_learning_switch ", calls);
        Assert.Contains("create_ip\t-name emu_output_port_lookup ", calls);
        Assert.Contains("-module_name emu_output_port_lookup_ip", calls);
        Assert.Contains($"read_verilog\t{_folder["one/hdl/nf_datapath.v"]}", calls);
        Assert.DoesNotContain("switch_output_port_lookup ", calls);
        Assert.True(File.Exists(
            $"{copy}/hw/ip_repo/contrib/cores/emu_output_port_lookup_v1_0_0/emu_output_port_lookup.tcl"));
    }

    [Theory]
    [InlineData("plus-au280", "EMU_NETFPGA_PLUS")]
    [InlineData("opennic", "EMU_OPEN_NIC_SHELL")]
    [InlineData("corundum", "EMU_CORUNDUM")]
    [InlineData("sume", "EMU_NETFPGA_SUME")]
    public void A_project_elaborates_in_the_tree_of_its_shell(string board, string variable)
    {
        Tools.Need("verilator", "iverilog", "vvp");
        if (Environment.GetEnvironmentVariable(variable) is not { } clone)
        {
            Assert.Skip($"needs a clone of the shell of {board}: its path in {variable}");
            return;
        }
        Commands.Emu("board", "LearningSwitch", "--board", board, "--over-clock", "--out", _folder["one"]).Succeeded();
        var output = Commands.Emu("board", "test", _folder["one"], "--tree", clone).Succeeded().Output;
        Assert.Contains($"elaborates in {clone}", output);
        Assert.Equal(BoardCatalog.Find(board).Queues > 0, output.Contains("the shell's own arbiter and queues"));
        Commands.Emu("board", "test", _folder["one"], "--tree", _folder["."])
            .ErrorEndsWith(2, "is not there", "a clone of");
    }

    [Fact]
    public void Registers_are_read_by_name_on_a_mapped_window_and_in_simulation()
    {
        Tools.Need("iverilog", "vvp");
        Commands.Emu(
            "board", "LearningSwitch", "--board", "opennic", "--over-clock", "--out", _folder["one"]).Succeeded();
        var manifest = BoardManifest.Read(_folder["one"]);
        var window = new byte[MappedRegisters.Size];
        void Put(string name, uint value) => BitConverter.TryWriteBytes(window.AsSpan(manifest.Registers[name]), value);
        Put("frames_in", 7);
        Put("Flooded", 1);
        Put("Flooded.high", 2);
        Put("Stations.ways.Value.Bits", 5);
        File.WriteAllBytes(_folder["window"], window);
        Assert.Equal(
            """{"frames_in":"7","Flooded":"8589934593","Stations.ways.Value.Bits[3]":"5"}""" + "\n",
            Commands.Emu(
                "registers", _folder["one"], "frames_in", "Flooded", "Stations.ways.Value.Bits[3]", "--json", "--via",
                $"uio:{_folder["window"]}").Succeeded().Output);
        // The entry was written before the column was read.
        Assert.Equal(
            3U, BitConverter.ToUInt32(File.ReadAllBytes(_folder["window"]), manifest.Registers["table_index"]));

        Assert.Contains("frames_in                        24", Commands.Emu(
            "registers", _folder["one"], "frames_in", "--via", "sim").Succeeded().Output);
        Commands.Emu("registers", _folder["one"], "Floded", "--via", "sim").ErrorEndsWith(2, "there is no 'Floded'");
        Commands.Emu("registers", _folder["one"], "Stations.ways.Value.Bits", "--via", "sim")
            .ErrorEndsWith(2, "name an entry");
        Commands.Emu("registers", _folder["one"], "--via", "pcie:no:such").ErrorEndsWith(1, "cannot be mapped");
        File.WriteAllBytes(_folder["window"], new byte[16]);
        Commands.Emu("registers", _folder["one"], "--via", $"uio:{_folder["window"]}")
            .ErrorEndsWith(1, "is that the card");
    }

    [Fact]
    public void To_build_without_Vivado_is_refused()
    {
        Commands.Emu(
            "board", "LearningSwitch", "--board", "opennic", "--over-clock", "--out", _folder["one"]).Succeeded();
        if (Environment.GetEnvironmentVariable("PATH")!.Split(':').Any(f => File.Exists(Path.Combine(f, "vivado"))))
            Assert.Skip("Vivado is here");
        Commands.Emu("board", "build", _folder["one"]).ErrorEndsWith(1, "vivado is not on the PATH", "2022.1");
    }

    [Fact]
    public void A_board_is_refused_that_cannot_carry_the_service()
    {
        Commands.Emu("board", "LearningSwitch", "--board", "opennic", "--ports", "3", "--out", _folder["x"])
            .ErrorEndsWith(1, "opennic cannot carry LearningSwitch", "4 or 2 ports, not 3");
        Commands.Emu("board", "PortIsolation", "--board", "opennic", "--example", "--out", _folder["x"])
            .ErrorEndsWith(1, "opennic cannot carry PortIsolation", "SerialWords.Read has the pins miso, sclk");
        Commands.Emu("board", "LearningSwitch", "--board", "abacus").ErrorEndsWith(2, "'abacus' is none of opennic");
        Commands.Emu("board", "LearningSwitch").ErrorEndsWith(2, "--board is needed");
        Assert.False(Directory.Exists(_folder["x"]));
    }

    [Fact]
    public void A_service_that_draws_what_it_is_not_given_is_refused()
    {
        string[] command =
        [
            "board", "TcpPing", "--board", "sume", "--over-clock", "--out", _folder["x"], "--", "--address", "10.0.0.2",
            "--listen", "80",
        ];
        Commands.Emu(command).ErrorEndsWith(1, "another circuit each time", "--key");
        Assert.False(Directory.Exists(_folder["x"]));
        Commands.Emu([.. command, "--key", "0x1b1a1918131211100b0a090803020100"]).Succeeded();
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
            Assert.Equal(
                board.Tree is null ? ["simulated"] : ["simulated", "elaborated in the shell's tree"], board.State);
            Assert.Equal(board.Name == "sume" ? null : 40, board.Commit?.Length);
            if (board.Commit is null) Assert.Contains($"its repository is not open; read in {board.Copy})", output);
        }
        Assert.DoesNotContain("built,", output);
    }

    /// <summary>
    /// SUME carries all that its lines bring. A stream of 512 bits at 250 MHz carries less than two lines of 100 Gb/s:
    /// the switch takes a short frame every two cycles, and a long one in as many as it has beats.
    /// </summary>
    private static void HoldsRates(string board, string json)
    {
        using var result = JsonDocument.Parse(json);
        var rates = result.RootElement.GetProperty("rates").EnumerateArray().ToList();
        Assert.Equal([60, 1514], rates.Select(rate => rate.GetProperty("frame_bytes").GetInt32()));
        double Figure(int i, string name) => rates[i].GetProperty(name).GetDouble();
        for (var i = 0; i < 2; i++)
        {
            Assert.Equal(
                board == "sume" ? Figure(i, "offered_mfps") : new[] { 125, 250 / 24.0 }[i],
                Figure(i, "carried_mfps"),
                Figure(i, "carried_mfps") * 0.01);
            Assert.Equal(Figure(i, "offered"), Figure(i, "sent") + Figure(i, "lost_before"));
            Assert.Equal(0, Figure(i, "lost_behind"));
            if (board == "sume") Assert.Equal(0, Figure(i, "lost_before"));
        }
        Assert.Equal(board == "sume" ? 59.52 : 297.62, Figure(0, "offered_mfps"), 0.01);
    }

    /// <summary>Frames have come by each port, the host's as well, and have left by each.</summary>
    private void HasFramesOfAllPorts(int ports)
    {
        for (var port = 0; port < ports; port++)
            foreach (var file in new[] { "stim", "log" })
                Assert.NotEmpty(AxiStimulus.Read(_folder[$"one/sim/icarus/nf_interface_{port}_{file}.axi"]));
        Assert.False(File.Exists(_folder[$"one/sim/icarus/nf_interface_{ports}_stim.axi"]));
    }

    /// <summary>All Verilog of a project but its bench: the wrapper with all below it, and the plug-in's.</summary>
    internal static void HasNoWarning(string project)
    {
        var files = s_tops.Select(file => Path.Combine(project, file)).Where(File.Exists).ToList();
        Assert.NotEmpty(files);
        foreach (var file in files)
        {
            var lint = Commands.Run("verilator", "--lint-only", "-Wall", "-y", Path.Combine(project, "hdl"), file)
                .Succeeded();
            Assert.Empty(lint.Output + lint.Error);
        }
    }

    /// <summary>Each script of a project that needs no clone runs with stand-ins for Vivado's commands.</summary>
    private static void ScriptsRun(string project)
    {
        Tools.Need("tclsh");
        foreach (var script in Directory.GetFiles(project, "*", SearchOption.AllDirectories)
            .Where(file => Path.GetExtension(file) is ".tcl" or ".xdc" && !file.EndsWith("emu_project.tcl")))
        {
            var calls = Commands.Run(
                "env", "-C", Path.GetDirectoryName(script)!, "DEVICE=any", "tclsh", s_standIns, script).Succeeded();
            Assert.Empty(calls.Error);
        }
    }

    private List<(string Name, string Text)> Bytes(string project) =>
        [.. Directory.GetFiles(_folder[project], "*", SearchOption.AllDirectories).Order()
            .Where(file => !file.Contains("/sim/icarus/"))
            .Select(file => (Path.GetRelativePath(_folder[project], file), File.ReadAllText(file)))];

    // A mark of a template that nothing has replaced.
    private static IEnumerable<string> Marks(string text) =>
        System.Text.RegularExpressions.Regex.Matches(text, "@[A-Z0-9_]+@").Select(m => m.Value);
}
