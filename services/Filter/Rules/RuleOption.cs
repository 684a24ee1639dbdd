namespace Emu.Services;

/// <summary>An option, as getopt_long(3) knows it.</summary>
/// <param name="Name">Its long form, with the hyphens.</param>
/// <param name="Key">The key of its meaning: the same for synonyms.
/// An option with a short form has that as its key.</param>
/// <param name="Value">The words behind it.</param>
internal sealed record RuleOption(string Name, string Key, OptionValue Value = OptionValue.Needed)
{
    /// <param name="name">The long form; there is no other.</param>
    public RuleOption(string name) : this(name, name)
    {
    }

    /// <summary>It is carried out; others are known, so that they are not taken for abbreviations.</summary>
    public bool IsDone { get; init; } = true;

    /// <summary>The option with that name, or with the only one that begins like that; synonyms are one.</summary>
    /// <param name="known">Those before go before.</param>
    /// <param name="name">With hyphens.</param>
    /// <returns>Null for none or several.</returns>
    public static RuleOption? Find(IEnumerable<RuleOption> known, string name)
    {
        var found = Candidates(known, name);
        if (found.Find(option => option.Name == name) is { } exact) return exact;
        return found.Select(option => option.Key).Distinct().Count() == 1 ? found[0] : null;
    }

    /// <summary>The options whose names begin like that.</summary>
    public static List<RuleOption> Candidates(IEnumerable<RuleOption> known, string name) =>
        [.. known.Where(option => option.Name.StartsWith(name, StringComparison.Ordinal))];
}
