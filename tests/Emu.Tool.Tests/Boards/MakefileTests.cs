namespace Emu.Tool.Tests.Boards;

/// <summary>
/// The targets of a project's Makefile with a stand-in for Vivado: one that begins what the real one makes, and fails.
/// </summary>
[Slow("compiling")]
public sealed class MakefileTests : IDisposable
{
    private static readonly string[] s_folders = ["one", "shell"];

    private readonly TemporaryFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    /// <summary>By the board: what Vivado begins in its working folder, by its calls.</summary>
    public static TheoryData<string, string[]> Boards => new()
    {
        { "opennic", ["../build/au280_emu_mirror/half"] },
        { "corundum", ["half"] },
        { "plus-au280", ["synth/half component.xml", "project/half"] },
        { "sume", ["synth/half component.xml", "half"] },
    };

    [Theory]
    [MemberData(nameof(Boards))]
    public void Where_Vivado_fails_nothing_of_a_target_is_left(string board, string[] begun)
    {
        Tools.Need("make");
        Commands.Emu(
            "board", "Mirror", "--board", board, "--over-clock", "--out", _folder["one"], "--", "--mirror", "2")
            .Succeeded();
        MakeShell();
        var before = Files();
        for (var failing = begun.Length; failing > 0; failing--)
        {
            StandIn(begun, failing);
            Assert.NotEqual(0, Make("bitstream").ExitCode);
            Assert.Equal(failing, File.ReadAllLines(_folder["called"]).Length);
            // A core that was packaged before is whole, and stays; the step that has failed takes back what it began.
            if (failing > 1) Make("clean").Succeeded();
            Assert.Equal(before, Files());
        }
        StandIn(begun, failing: begun.Length + 1);
        Make("bitstream").Succeeded();
        Assert.NotEqual(before, Files());
        Make("clean").Succeeded();
        Assert.Equal(before, Files());
    }

    [Fact]
    public void A_template_that_is_another_leaves_nothing_in_the_shell()
    {
        Tools.Need("make");
        Commands.Emu(
            "board", "Mirror", "--board", "corundum", "--over-clock", "--out", _folder["one"], "--", "--mirror", "2")
            .Succeeded();
        MakeShell();
        File.WriteAllText(_folder[Template + "/Makefile"], "all:\n");
        var before = Files();
        Assert.NotEqual(0, Make("project").ExitCode);
        Assert.Equal(before, Files());
    }

    /// <summary>Its script is run by tclsh, with stand-ins for a design of three LUTs and a flip-flop.</summary>
    [Theory]
    [InlineData("0.125", 0)]
    [InlineData("-0.5", 1)]
    public void A_build_says_resources_and_slack_beside_the_estimate(string slack, int exitCode)
    {
        Tools.Need("make", "tclsh");
        Commands.Emu(
            "board", "Mirror", "--board", "opennic", "--over-clock", "--out", _folder["one"], "--", "--mirror", "2")
            .Succeeded();
        MakeShell();
        File.WriteAllText(_folder["design.tcl"], $$"""
            proc open_checkpoint {file} { if {![file exists $file]} { error "$file is not there" } }
            proc get_cells {args} {
                set filter [lindex $args end]
                if {[string match *ORIG_REF_NAME* $filter]} { return box/core }
                return [lrange {a b c} 0 [dict get {LUT* 2 FD* 0 DSP* -1 RAMB* -1} [lindex $filter end]]]
            }
            proc get_timing_paths {args} { return path }
            proc get_property {name object} { return {{slack}} }
            set argv [lrange $argv end end]
            source {{_folder["one/tcl/emu_resources.tcl"]}}
            """);
        Directory.CreateDirectory(_folder["bin"]);
        File.WriteAllText(_folder["bin/vivado"], $"""
            #!/bin/sh
            case "$*" in
            *emu_resources.tcl*) exec tclsh {_folder["design.tcl"]} "$@";;
            *) mkdir -p ../build/run && touch ../build/run/top_routed.dcp;;
            esac
            """.ReplaceLineEndings("\n") + "\n");
        Commands.Run("chmod", "+x", _folder["bin/vivado"]).Succeeded();
        var built = Commands.Run(
            "env", $"PATH={_folder["bin"]}:{Environment.GetEnvironmentVariable("PATH")}", "dotnet",
            Commands.EmuAssembly, "board", "build", _folder["one"], "--tree", _folder["shell"]);
        Assert.Equal(exitCode, built.ExitCode);
        var estimate = BoardManifest.Read(_folder["one"]);
        Assert.Contains(
            $"mirror: 3 LUT (estimated {estimate.EstimatedLuts}), 1 FF, 0 DSP (estimated 0), 0 block RAM; "
            + $"slack {slack} ns", built.Output, StringComparison.Ordinal);
        Assert.Equal(exitCode != 0, built.Error.Contains("a clock is not kept", StringComparison.Ordinal));
    }

    private const string Template = "shell/fpga/mqnic/fb2CG/fpga_100g/fpga_app_template";

    /// <summary>As much of each shell as the Makefiles touch before Vivado is called.</summary>
    private void MakeShell()
    {
        Directory.CreateDirectory(_folder["shell/script"]);
        Directory.CreateDirectory(_folder["shell/build"]);
        Directory.CreateDirectory(_folder["shell/projects/reference_switch/hw"]);
        Directory.CreateDirectory(_folder[Template]);
        File.WriteAllText(
            _folder[Template + "/Makefile"], "SOURCES = app/template/rtl/mqnic_app_block.v\nall:\n\tvivado\n");
        File.WriteAllText(_folder[Template + "/config.tcl"], "dict set params APP_DMA_ENABLE \"1\"\n");
    }

    /// <summary>A program that begins its files in its working folder, and fails from its nth call on.</summary>
    private void StandIn(string[] begun, int failing)
    {
        Directory.CreateDirectory(_folder["bin"]);
        File.Delete(_folder["called"]);
        File.WriteAllText(_folder["bin/vivado"], $"""
            #!/bin/sh
            echo call >> {_folder["called"]}
            calls=$(wc -l < {_folder["called"]})
            case $calls in 1) files="{begun[0]}";; *) files="{begun[^1]}";; esac
            for file in $files; do mkdir -p $(dirname $file); touch $file; done
            test $calls -lt {failing}
            """.ReplaceLineEndings("\n") + "\n");
        Commands.Run("chmod", "+x", _folder["bin/vivado"]).Succeeded();
    }

    private Outcome Make(string target) => Commands.Run(
        "env", $"PATH={_folder["bin"]}:{Environment.GetEnvironmentVariable("PATH")}", "make", "-C", _folder["one"],
        target, $"SHELL_FOLDER={_folder["shell"]}", $"NFPLUS_FOLDER={_folder["shell"]}",
        $"SUME_FOLDER={_folder["shell"]}");

    private List<string> Files() =>
    [
        .. s_folders
            .SelectMany(folder => Directory.GetFileSystemEntries(_folder[folder], "*", SearchOption.AllDirectories))
            .Order(),
    ];
}
