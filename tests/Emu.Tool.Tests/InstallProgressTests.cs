namespace Emu.Tool.Tests;

/// <summary>Lines about an installation.</summary>
public sealed class InstallProgressTests
{
    private static readonly string[] s_apt =
    [
        "Reading package lists...", "dlstatus:1:50.0:Retrieving file 1 of 2", "pmstatus:tcl:10.5:Unpacking tcl (amd64)",
        "pmstatus:tcl:55.0:Installing tcl (amd64)", "pmstatus:tcl:60.0:Configuring tcl",
        "pmstatus:tcl:100.0:Installed tcl", "pmerror:x",
    ];

    [Fact]
    public void A_log_has_a_line_for_a_quarter() =>
        Assert.Equal("emu: installing, 55 %\nemu: installing, 100 %\n", Shown(isTerminal: false));

    [Fact]
    public void A_terminal_has_one_line_which_goes()
    {
        var shown = Shown(isTerminal: true);
        Assert.Contains("\remu: fetching, 50 %: Retrieving file 1 of 2", shown);
        Assert.Contains("\remu: installing, 55 %: Installing tcl (amd64)", shown);
        Assert.EndsWith(" \r", shown);
        Assert.DoesNotContain("\n", shown);
    }

    private static string Shown(bool isTerminal)
    {
        using var output = new StringWriter { NewLine = "\n" };
        var progress = new InstallProgress(output, isTerminal);
        foreach (var line in s_apt) progress.Read(line);
        progress.End();
        return output.ToString();
    }
}
