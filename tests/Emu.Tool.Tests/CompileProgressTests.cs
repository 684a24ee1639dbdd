namespace Emu.Tool.Tests;

/// <summary>The line about a compilation that takes long.</summary>
public sealed class CompileProgressTests
{
    [Fact]
    public void It_names_the_last_pass_and_goes_at_the_end()
    {
        using var terminal = new StringWriter();
        var progress = new CompileProgress("Nat", TextWriter.Synchronized(terminal));
        progress.Note("narrowing", []);
        progress.Show();
        progress.Dispose();
        Assert.Contains("\remu: compiling Nat: narrowing, ", terminal.ToString(), StringComparison.Ordinal);
        Assert.EndsWith(" \r", terminal.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Behind_the_end_there_is_no_line()
    {
        using var terminal = new StringWriter();
        var progress = new CompileProgress("Nat", TextWriter.Synchronized(terminal));
        progress.Dispose();
        progress.Show();
        Assert.DoesNotContain("compiling", terminal.ToString(), StringComparison.Ordinal);
    }
}
