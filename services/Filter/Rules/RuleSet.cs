namespace Emu.Services;

/// <summary>
/// The table <c>filter</c> of iptables or ip6tables: chains of rules, changed by commands as these programs take them. A command that is refused
/// changes nothing.
/// </summary>
/// <example><code>
/// var rules = new RuleSet(IPFamily.IPv4);
/// rules.Execute("-A FORWARD -p tcp --dport 80 -j ACCEPT");
/// rules.Execute("-P FORWARD DROP");
/// Console.Write(rules.Execute("-S"));
/// </code></example>
public sealed class RuleSet
{
    private readonly List<Chain> _chains = [.. Targets.Chains.Select(name => new Chain(name, Targets.Accept))];

    /// <summary>Chains without rules, whose policy is ACCEPT.</summary>
    /// <param name="family">The program that it is like.</param>
    public RuleSet(IPFamily family) => Family = family;

    /// <summary>The program that it is like.</summary>
    public IPFamily Family { get; }

    internal IReadOnlyList<Chain> Chains => _chains;

    /// <summary>Does what the program does with these arguments.</summary>
    /// <param name="command">Such as <c>-A FORWARD -p tcp --dport 80 -j ACCEPT</c>; quotation marks hold words together.</param>
    /// <returns>What it prints: of <c>-S</c> and <c>-L</c>; empty for others.</returns>
    /// <exception cref="RuleException">The program would refuse it, or knows more than there is here.</exception>
    public string Execute(string command) => new RuleCommand(this, RuleWords.Split(command)).Execute();

    /// <summary>Reads what <see cref="Save"/>, or iptables-save, has written; what was there before is gone.</summary>
    /// <param name="text">The lines. A table other than <c>filter</c> is refused.</param>
    /// <param name="name">The file's name, for messages.</param>
    /// <exception cref="RuleException">A line is refused; the message begins with file and line, and the rules are as they were.</exception>
    public void Restore(string text, string name) => SavedRules.Restore(this, text, name);

    /// <summary>All chains and rules in the form of iptables-save, which <see cref="Restore"/> reads.</summary>
    public string Save() => SavedRules.Save(this);

    internal Chain Chain(string name) => TryFind(name) ?? throw NoChain(name);

    internal Chain? TryFind(string name) => _chains.Find(chain => chain.Name == name);

    internal void Add(Chain chain) => _chains.Add(chain);

    internal void Remove(Chain chain) => _chains.Remove(chain);

    internal void Replace(Chain old, Chain chain) => _chains[_chains.IndexOf(old)] = chain;

    internal void ReplaceAll(IEnumerable<Chain> chains)
    {
        List<Chain> all = [.. chains];
        _chains.Clear();
        _chains.AddRange(all);
    }

    /// <summary>Refuses targets that are not there, and jumps in a circle.</summary>
    /// <param name="chain">A chain whose rules have changed.</param>
    internal void CheckJumps(Chain chain)
    {
        foreach (var rule in chain.Rules.Where(rule => rule.IsJump))
        {
            if (TryFind(rule.Target) is null)
                throw new RuleException($"couldn't load target `{rule.Target}': neither ACCEPT, DROP, REJECT or RETURN nor a chain; make it with -N first");
        }
        if (Reaches(chain, chain, [])) throw new RuleException($"the chain {chain.Name} would be reached from itself: a loop of jumps");
    }

    internal static RuleException NoChain(string name) => new($"no chain by the name {name}; make it with -N first");

    private bool Reaches(Chain from, Chain to, HashSet<Chain> seen)
    {
        foreach (var rule in from.Rules.Where(rule => rule.IsJump))
        {
            var next = rule.Target == to.Name ? to : Chain(rule.Target);
            if (next == to || seen.Add(next) && Reaches(next, to, seen)) return true;
        }
        return false;
    }
}
