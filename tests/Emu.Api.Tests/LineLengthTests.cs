using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace Emu.Api.Tests;

/// <summary>The limit that .editorconfig names, which editors show and no analyser checks.</summary>
public sealed partial class LineLengthTests
{
    [Fact]
    public void No_line_of_CSharp_is_longer_than_the_limit()
    {
        var root = Root();
        var limit = int.Parse(
            Limit().Match(File.ReadAllText(Path.Combine(root, ".editorconfig"))).Groups[1].Value,
            CultureInfo.InvariantCulture);
        var files = Sources(root).ToList();
        Assert.Contains(ThisFile(), files);
        Assert.Empty(files.SelectMany(file =>
            TooLong(file, limit).Select(line => $"{Path.GetRelativePath(root, file)}:{line}")));
    }

    private static IEnumerable<int> TooLong(string file, int limit) =>
        File.ReadLines(file).Select((text, i) => (text.Length, Number: i + 1))
            .Where(line => line.Length > limit).Select(line => line.Number);

    /// <summary>All but what is built and what hidden folders hold.</summary>
    private static IEnumerable<string> Sources(string folder) =>
        Directory.EnumerateFiles(folder, "*.cs").Concat(Directory.EnumerateDirectories(folder)
            .Where(inner => Path.GetFileName(inner) is not ("bin" or "obj" or "build") and not ['.', ..])
            .SelectMany(Sources));

    private static string Root()
    {
        for (var folder = Path.GetDirectoryName(ThisFile()); folder is not null; folder = Path.GetDirectoryName(folder))
        {
            if (File.Exists(Path.Combine(folder, "Emu.sln"))) return folder;
        }
        throw new DirectoryNotFoundException("no folder above this file has Emu.sln");
    }

    private static string ThisFile([CallerFilePath] string thisFile = "") => thisFile;

    [GeneratedRegex(@"^max_line_length\s*=\s*(\d+)$", RegexOptions.Multiline)]
    private static partial Regex Limit();
}
