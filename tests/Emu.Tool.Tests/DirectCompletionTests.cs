namespace Emu.Tool.Tests;

/// <summary>The words that the prompt of <c>emu direct</c> offers.</summary>
public sealed class DirectCompletionTests
{
    private static readonly string[] s_names =
    [
        "Stations[].Value", "Forwarded", "count writes Forwarded", "break Process", "break Filter.cs:38",
        "trace Flooded",
    ];

    [Theory]
    [InlineData("", "pr", "print")]
    [InlineData("", "un", "unbreak unwatch")]
    [InlineData("print", "F", "Forwarded")]
    [InlineData("set ", "", "Stations[].Value Forwarded")]
    [InlineData("break", "", "Process Filter.cs:38")]
    [InlineData("unbreak", "P", "Process")]
    [InlineData("count", "", "writes print clear stop")]
    [InlineData("count print", "", "writes")]
    [InlineData("count writes", "", "Forwarded")]
    [InlineData("trace start", "F", "Flooded")]
    [InlineData("watch", "", "")]
    [InlineData("status", "", "")]
    public void Words_that_may_come_next_are_offered(string prefix, string word, string offered) =>
        Assert.Equal(
            offered.Split(' ', StringSplitOptions.RemoveEmptyEntries),
            new DirectCompletion(() => s_names).GetCompletions(prefix, word, ""));
}
