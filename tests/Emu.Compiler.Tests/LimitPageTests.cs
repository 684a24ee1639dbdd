using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;
using Emu.Compiler.Reports;

namespace Emu.Compiler.Tests;

/// <summary>
/// docs/layouts.md lists what a layout cannot do: each reason that the compiler gives is found on the page.
/// </summary>
public sealed partial class LimitPageTests
{
    public static TheoryData<string> Reasons => [.. Refusals().Concat(Deferrals()).Distinct()];

    [Fact]
    public void Reasons_are_found_in_the_compiler() => Assert.InRange(Reasons.Count, 15, 60);

    [Theory]
    [MemberData(nameof(Reasons))]
    public void A_reason_is_on_the_page(string reason)
    {
        var page = File.ReadAllText(Path.Combine(Root(), "docs", "layouts.md"));
        Assert.Contains(reason, Blanks().Replace(page[page.IndexOf("## Limits", StringComparison.Ordinal)..], " "));
    }

    [Theory]
    [MemberData(nameof(Reasons))]
    public void A_reason_comes_with_what_can_be_done_about_it(string reason) =>
        Assert.NotNull(WaysFaster.For(reason));

    /// <summary>The reasons that forbid a pipeline, or one of an interval.</summary>
    private static IEnumerable<string> Refusals() =>
        Sources("Pipelines", "Scheduling", "Units")
            .SelectMany(text => Refusal().Matches(text)).Select(refusal => Prose(refusal.Value)).OfType<string>();

    /// <summary>The reasons that leave a frame to the slow path: sentences of the passes that say so.</summary>
    private static IEnumerable<string> Deferrals() =>
        Sources("Passes").Where(text => text.Contains("FrameLengths", StringComparison.Ordinal))
            .SelectMany(text => Literal().Matches(text)).Select(literal => Prose(literal.Value)).OfType<string>();

    /// <summary>
    /// The longest run of words, since a name or a number may stand between them; null when there is none.
    /// </summary>
    private static string? Prose(string text) =>
        Words().Matches(text).Select(run => run.Value).MaxBy(run => run.Length);

    private static IEnumerable<string> Sources(params string[] folders) =>
        folders.SelectMany(folder => Directory.GetFiles(Path.Combine(Root(), "src", "Emu.Compiler", folder), "*.cs"))
            .Select(File.ReadAllText);

    private static string Root([CallerFilePath] string thisFile = "") =>
        Path.Combine(Path.GetDirectoryName(thisFile)!, "..", "..");

    [GeneratedRegex("""new PipelineObstacle\([^;]*?"[^;]*?;""")]
    private static partial Regex Refusal();

    // Finish is told what a step of the pass did.
    [GeneratedRegex("""(?<!Finish\()"[^"\n]*\x22""")]
    private static partial Regex Literal();

    [GeneratedRegex("[a-z]+[,:]?( [a-z']+[,:]?){2,}")]
    private static partial Regex Words();

    [GeneratedRegex("\\s+")]
    private static partial Regex Blanks();
}
