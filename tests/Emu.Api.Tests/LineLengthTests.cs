using System.Globalization;
using System.Text.RegularExpressions;

namespace Emu.Api.Tests;

/// <summary>The limit that .editorconfig names, which editors show and no analyser checks.</summary>
public sealed partial class LineLengthTests
{
    [Fact]
    public void No_line_of_CSharp_is_longer_than_the_limit()
    {
        var limit = int.Parse(
            Limit().Match(File.ReadAllText(Path.Combine(Sources.Root, ".editorconfig"))).Groups[1].Value,
            CultureInfo.InvariantCulture);
        var files = Sources.All().ToList();
        Assert.NotEmpty(files);
        Assert.Empty(files.SelectMany(file =>
            TooLong(file, limit).Select(line => $"{Path.GetRelativePath(Sources.Root, file)}:{line}")));
    }

    private static IEnumerable<int> TooLong(string file, int limit) =>
        File.ReadLines(file).Select((text, i) => (text.Length, Number: i + 1))
            .Where(line => line.Length > limit).Select(line => line.Number);

    [GeneratedRegex(@"^max_line_length\s*=\s*(\d+)$", RegexOptions.Multiline)]
    private static partial Regex Limit();
}
