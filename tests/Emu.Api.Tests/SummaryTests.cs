using System.Text.RegularExpressions;

namespace Emu.Api.Tests;

/// <summary>A summary says what a member is or does, in a sentence that has a subject or a verb of its own.</summary>
public sealed partial class SummaryTests
{
    [Fact]
    public void No_summary_begins_with_a_question_word()
    {
        var files = Sources.All().ToList();
        Assert.NotEmpty(files);
        Assert.Empty(files.SelectMany(file => Headless().Matches(File.ReadAllText(file))
            .Select(match => $"{Path.GetRelativePath(Sources.Root, file)}: {match.Groups[1].Value}")));
    }

    [Theory]
    [InlineData("/// <summary>" + "What comes in.</summary>", true)]
    [InlineData("    /// <summary>\n    /// Whether it is\n    /// there.\n", true)]
    [InlineData("/// <summary>The bytes that come in.</summary>", false)]
    [InlineData("/// <summary>True if it is known what comes.</summary>", false)]
    public void So_a_summary_is_told(string text, bool isHeadless) =>
        Assert.Equal(isHeadless, Headless().IsMatch(text));

    [GeneratedRegex(@"///\s*<summary>(?:\s*///)?\s*((?:What|Which|Whether|Where|How|When|Why|Who)\b[^\n]*)")]
    private static partial Regex Headless();
}
