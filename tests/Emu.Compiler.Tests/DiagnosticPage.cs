using System.Reflection;
using System.Text.RegularExpressions;
using Emu.Compiler.Diagnostics;

namespace Emu.Compiler.Tests;

/// <summary>
/// A page of docs/diagnostics: an example that is refused, the message, and what to write instead. Its C# is
/// real: tests compile it.
/// </summary>
/// <param name="Number">Of the diagnostic.</param>
/// <param name="Text">All of it.</param>
internal sealed partial record DiagnosticPage(int Number, string Text)
{
    private const string Folder = "Diagnostics/";

    /// <summary>
    /// The numbers of the clock level. Its programs are no services: Emu.Clocked.Tests compiles those of its pages.
    /// </summary>
    internal static readonly int[] ClockLevel =
    [
        DiagnosticNumber.ClockedMember, DiagnosticNumber.PauseFreeLoop, DiagnosticNumber.MemoryPort,
        DiagnosticNumber.LongOperation, DiagnosticNumber.ClockedProgram, DiagnosticNumber.TwoWriters,
        DiagnosticNumber.PrintedText, DiagnosticNumber.Dialect,
    ];

    public static IReadOnlyList<DiagnosticPage> All { get; } = [.. Read()];

    /// <summary>The C# that is refused; null where C# cannot show it.</summary>
    public string? Example => Blocks("csharp").FirstOrDefault();

    /// <summary>The C# to write instead.</summary>
    public string? Instead => Blocks("csharp").Skip(1).FirstOrDefault();

    /// <summary>The compiler's message about the example.</summary>
    public string? Message => Blocks("text").FirstOrDefault()?.Trim();

    /// <summary>Statements that are refused under the number too, each with the reason: a list of the page.</summary>
    public IReadOnlyList<(string Code, string Reason)> Others =>
        [.. Entry().Matches(Text).Select(match => (match.Groups[1].Value, match.Groups[2].Value))];

    /// <summary>An entry of that list.</summary>
    public static string EntryOf(string code, string reason) => $"- `{code}`\n  {reason}\n";

    [GeneratedRegex("^- `(.+)`\n  (.+)$", RegexOptions.Multiline)]
    private static partial Regex Entry();

    private IEnumerable<string> Blocks(string language) =>
        ClockLevel.Contains(Number) ? [] : MarkdownCode.Blocks(Text, language);

    private static IEnumerable<DiagnosticPage> Read()
    {
        var assembly = Assembly.GetExecutingAssembly();
        foreach (var name in assembly.GetManifestResourceNames()
            .Where(n => n.StartsWith(Folder, StringComparison.Ordinal)).Order(StringComparer.Ordinal))
        {
            using var reader = new StreamReader(assembly.GetManifestResourceStream(name)!);
            yield return new DiagnosticPage(
                int.Parse(name[(Folder.Length + "EMU".Length)..^".md".Length]),
                reader.ReadToEnd().ReplaceLineEndings("\n"));
        }
    }
}
