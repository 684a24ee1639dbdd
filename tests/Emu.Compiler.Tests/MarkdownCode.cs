using System.Text.RegularExpressions;

namespace Emu.Compiler.Tests;

/// <summary>The code on a page of docs/, which is real: tests compile it.</summary>
internal static partial class MarkdownCode
{
    /// <summary>The texts between fences of a language.</summary>
    public static IEnumerable<string> Blocks(string page, string language) =>
        Block().Matches(page).Where(m => m.Groups[1].Value == language).Select(m => m.Groups[2].Value);

    [GeneratedRegex("^```(\\w+)\n(.*?)^```$", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Block();
}
