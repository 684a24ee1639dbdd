using System.Text.RegularExpressions;

namespace Emu.Tool;

/// <summary>
/// The source of a program as today's C# compiler takes it: older ones took a length that is a constant of any whole
/// type before the elements of an array, today's only an <c>int</c>. The elements say the length.
/// </summary>
internal static partial class ClockedSource
{
    /// <summary>The text of a file; messages name its own lines.</summary>
    public static string Of(string file) =>
        $"#line 1 \"{file}\"\n" + Length().Replace(File.ReadAllText(file), "new$1[]$2");

    [GeneratedRegex(@"\bnew(\s+\w+\s*)\[\s*[A-Za-z_][\w.]*\s*\](\s*\{)")]
    private static partial Regex Length();
}
