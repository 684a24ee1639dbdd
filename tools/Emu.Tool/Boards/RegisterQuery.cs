using System.Globalization;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>A register of a project, with all its words; of a table, one entry of it.</summary>
/// <param name="Name">The name, with the entry in brackets where there is one.</param>
/// <param name="Words">
/// The addresses of its words, the lowest first, which keeps the others while they are read.
/// </param>
/// <param name="Entry">The entry; null for what is no table's.</param>
internal sealed record RegisterQuery(string Name, IReadOnlyList<int> Words, uint? Entry)
{
    private const string TableIndex = "table_index";

    /// <summary>The accesses that read it.</summary>
    /// <param name="manifest">The project.</param>
    public IEnumerable<RegisterAccess> Accesses(BoardManifest manifest)
    {
        if (Entry is { } entry) yield return new RegisterAccess(manifest.Registers[TableIndex], entry);
        foreach (var word in Words) yield return new RegisterAccess(word);
    }

    /// <summary>Its value.</summary>
    /// <param name="words">As many words as it has, the lowest first.</param>
    public static UInt128 ValueOf(IEnumerable<uint> words) =>
        words.Reverse().Aggregate(UInt128.Zero, (value, word) => value << 32 | word);

    /// <summary>The registers that a user named; all when none is, tables aside.</summary>
    /// <param name="manifest">The project.</param>
    /// <param name="names">Names, with the entry of a table in brackets.</param>
    /// <exception cref="CommandException">There is none of a name.</exception>
    public static IReadOnlyList<RegisterQuery> Of(BoardManifest manifest, IReadOnlyList<string> names) =>
        names.Count > 0
            ? [.. names.Select(name => Find(manifest, name))]
            : [.. manifest.Registers.Where(r => Stem(r.Key) == r.Key && !manifest.Tables.Contains(r.Key))
                .Select(r => Find(manifest, r.Key))];

    private static RegisterQuery Find(BoardManifest manifest, string name)
    {
        var (stem, entry) = (name, (uint?)null);
        if (name.EndsWith(']') && name.LastIndexOf('[') is > 0 and var open)
        {
            stem = name[..open];
            entry = uint.TryParse(name[(open + 1)..^1], NumberStyles.None, null, out var index)
                ? index
                : throw CommandException.Usage($"registers: '{name}': an entry is a number");
        }
        if (!manifest.Registers.ContainsKey(stem))
            throw CommandException.Usage(
                $"registers: there is no '{stem}'; there are "
                + string.Join(", ", manifest.Registers.Keys.Where(k => Stem(k) == k)));
        if (manifest.Tables.Contains(stem) != entry is not null)
            throw CommandException.Usage(
                entry is null
                    ? $"registers: {stem} is a table's: name an entry, {stem}[0]"
                    : $"registers: {stem} is no table's");
        var words = manifest.Registers.Where(r => Stem(r.Key) == stem).Select(r => r.Value).Order();
        return new RegisterQuery(name, [.. words], entry);
    }

    private static bool IsNumbered(string word) =>
        word.StartsWith("word", StringComparison.Ordinal) && word.Length > 4 && word[4..].All(char.IsAsciiDigit);

    /// <summary>The name of a value, of the name of one of its words.</summary>
    private static string Stem(string name)
    {
        var dot = name.LastIndexOf('.');
        if (dot < 0) return name;
        var word = name[(dot + 1)..];
        return word == "high" || IsNumbered(word) ? name[..dot] : name;
    }
}
