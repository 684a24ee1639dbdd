namespace Emu.Services;

/// <summary>Rules that are tried one after the other.</summary>
internal sealed class Chain(string name, string policy)
{
    public string Name { get; } = name;

    /// <summary>
    /// The fate of packets that no rule decided on; empty for chains of the user, from which they go back.
    /// </summary>
    public string Policy { get; set; } = policy;

    public bool IsBuiltIn => Policy.Length > 0;

    public List<Rule> Rules { get; } = [];

    /// <summary>Of the policy.</summary>
    public RuleCount Count { get; private init; } = new();

    /// <summary>A copy with other rules, of a name perhaps other.</summary>
    public Chain Copy(string? name = null)
    {
        var copy = new Chain(name ?? Name, Policy) { Count = Count };
        copy.Rules.AddRange(Rules);
        return copy;
    }
}
