namespace Emu.Services;

/// <summary>The counts of rules and policies while the filter runs, chain by chain.</summary>
public sealed class RuleCounts : IControlTable
{
    private readonly RuleSet[] _sets;

    internal RuleCounts(params RuleSet[] sets) => _sets = sets;

    /// <inheritdoc/>
    IReadOnlyList<string> IControlTable.Columns => ["family", "chain", "number", "packets", "bytes", "rule"];

    /// <inheritdoc/>
    IEnumerable<IReadOnlyList<string>> IControlTable.Rows(ulong nanoseconds) =>
        from set in _sets
        from chain in Listing.InOrder(set)
        from row in Rows(set.Family, chain)
        select row;

    private static IEnumerable<string[]> Rows(IPFamily family, Chain chain)
    {
        for (var i = 0; i < chain.Rules.Count; i++)
            yield return Row(family, chain, $"{i + 1}", chain.Rules[i].Count, chain.Rules[i].Save().TrimStart());
        if (chain.IsBuiltIn) yield return Row(family, chain, "policy", chain.Count, chain.Policy);
    }

    private static string[] Row(IPFamily family, Chain chain, string number, RuleCount count, string rule) =>
        [$"{family}", chain.Name, number, $"{count.Packets}", $"{count.Bytes}", rule];
}
