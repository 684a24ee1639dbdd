using System.Text.RegularExpressions;

namespace Emu.Tool.Tests;

/// <summary>Something that a page tells its reader to do, or says that will be seen.</summary>
/// <param name="Kind">The language of the block: sh is typed, text is seen, csharp is written to a file.</param>
/// <param name="Mark">The comment before the block: a file, or that root is needed; empty for none.</param>
/// <param name="Text">The block.</param>
internal sealed partial record PageStep(string Kind, string Mark, string Text)
{
    /// <summary>True if it is typed by root.</summary>
    public bool NeedsRoot => Mark == "root";

    /// <summary>The file that the block is written to; null for other blocks.</summary>
    public string? File => Mark.StartsWith("file: ", StringComparison.Ordinal) ? Mark["file: ".Length..] : null;

    /// <summary>The steps of a page, in order.</summary>
    public static IReadOnlyList<PageStep> Read(string page) =>
        [.. Block().Matches(page).Select(m => new PageStep(m.Groups[2].Value, m.Groups[1].Value, m.Groups[3].Value))];

    [GeneratedRegex("(?:^<!-- (.*?) -->\n)?^```(\\w+)\n(.*?)^```$", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Block();
}
