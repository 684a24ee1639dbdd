namespace Emu.Tool.Tests;

/// <summary>The outcome of a program.</summary>
/// <param name="ExitCode">See design §10.</param>
/// <param name="Output">Its standard output.</param>
/// <param name="Error">Its standard error.</param>
internal sealed record Outcome(int ExitCode, string Output, string Error)
{
    /// <summary>It did what was asked.</summary>
    public Outcome Succeeded()
    {
        Assert.True(ExitCode == 0, ToString());
        return this;
    }

    /// <summary>
    /// It ended with this exit code, printed one line <c>emu: …</c> on standard error, with these words,
    /// and nothing else.
    /// </summary>
    public void Refused(int exitCode, params string[] words)
    {
        Assert.True(exitCode == ExitCode, ToString());
        Assert.Empty(Output);
        var line = Assert.Single(Error.Split('\n', StringSplitOptions.RemoveEmptyEntries));
        Assert.StartsWith("emu: ", line);
        foreach (var word in words) Assert.Contains(word, line);
    }

    /// <summary>As <see cref="Refused"/>, but lines of progress may stand before.</summary>
    public void ErrorEndsWith(int exitCode, params string[] words) =>
        (this with { Error = Error.TrimEnd('\n').Split('\n')[^1] }).Refused(exitCode, words);
}
