namespace Emu.Services;

/// <summary>Rules that are tried one after the other.</summary>
internal sealed class Chain(string name, string policy)
{
    public string Name { get; } = name;

    /// <summary>What becomes of packets that no rule decided on; empty for chains of the user, from which these go back.</summary>
    public string Policy { get; set; } = policy;

    public bool IsBuiltIn => Policy.Length > 0;

    public List<Rule> Rules { get; } = [];

    /// <summary>A copy with other rules, of a name perhaps other.</summary>
    public Chain Copy(string? name = null)
    {
        var copy = new Chain(name ?? Name, Policy);
        copy.Rules.AddRange(Rules);
        return copy;
    }
}
