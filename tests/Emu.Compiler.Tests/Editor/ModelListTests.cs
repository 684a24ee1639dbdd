extern alias Editor;

using System.Runtime.CompilerServices;
using Editor::Emu.Analyzers;
using Emu.Compiler.Frontend;

namespace Emu.Compiler.Tests.Editor;

/// <summary>
/// The list of the members of .NET that an editor knows to compile is the compiler's. After a change on purpose:
/// EMU_RECORD=1.
/// </summary>
public sealed class ModelListTests
{
    [Fact]
    public void The_editor_knows_the_members_that_have_models()
    {
        var lines = Translator.Models.Concat(LibraryBodies.Names)
            .Concat(Translator.TranslatedTypes.Select(type => type.FullName!))
            .Distinct().Order(StringComparer.Ordinal).ToList();
        Record(lines);
        using var stream = typeof(ServiceAnalyzer).Assembly.GetManifestResourceStream("models.txt")!;
        using var reader = new StreamReader(stream);
        Assert.Equal(lines, reader.ReadToEnd().Split('\n', StringSplitOptions.RemoveEmptyEntries));
    }

    private static void Record(IEnumerable<string> lines, [CallerFilePath] string thisFile = "")
    {
        if (Environment.GetEnvironmentVariable("EMU_RECORD") != "1") return;
        var file = Path.Combine(
            Path.GetDirectoryName(thisFile)!, "..", "..", "..", "src", "Emu.Analyzers", "models.txt");
        File.WriteAllText(file, string.Concat(lines.Select(line => line + "\n")));
    }
}
