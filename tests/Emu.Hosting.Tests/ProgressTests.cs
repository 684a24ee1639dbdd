namespace Emu.Hosting.Tests;

/// <summary>The line about what takes long.</summary>
public sealed class ProgressTests
{
    [Fact]
    public void On_a_terminal_it_is_one_line_that_goes_at_the_end()
    {
        using var terminal = new StringWriter();
        var progress = new Progress("compiling Nat", TextWriter.Synchronized(terminal), isTerminal: true);
        progress.Note("narrowing");
        progress.Show();
        progress.Dispose();
        Assert.Contains("\remu: compiling Nat: narrowing, ", terminal.ToString(), StringComparison.Ordinal);
        Assert.EndsWith(" \r", terminal.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("\n", terminal.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void On_a_narrow_terminal_it_does_not_wrap()
    {
        using var terminal = new StringWriter();
        var progress = new Progress("compiling Nat", terminal, isTerminal: true, () => "narrowing", width: 21);
        progress.Show(seconds: 2);
        Assert.EndsWith("\remu: compiling Nat: n", terminal.ToString(), StringComparison.Ordinal);
        progress.Dispose();
    }

    [Fact]
    public void In_a_log_it_is_lines_at_growing_distances()
    {
        using var log = new StringWriter();
        using var progress = new Progress("simulating", log, isTerminal: false, () => "3 frames");
        for (var second = 2; second <= 300; second++) progress.Show(second);
        Assert.Equal(
            [2, 4, 8, 16, 32, 64, 124, 184, 244],
            log.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries)
                .Select(line => int.Parse(line["emu: simulating: 3 frames, ".Length..^2])));
    }

    [Fact]
    public void Behind_the_end_there_is_no_line()
    {
        using var terminal = new StringWriter();
        var progress = new Progress("compiling Nat", TextWriter.Synchronized(terminal), isTerminal: true);
        progress.Dispose();
        progress.Show();
        Assert.DoesNotContain("compiling", terminal.ToString(), StringComparison.Ordinal);
    }
}
