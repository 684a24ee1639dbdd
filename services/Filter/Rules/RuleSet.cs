namespace Emu.Services;

/// <summary>
/// The table <c>filter</c> of iptables or ip6tables: chains of rules, changed by commands as these programs take them.
/// A command that is refused changes nothing.
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
    /// <param name="command">
    /// Such as <c>-A FORWARD -p tcp --dport 80 -j ACCEPT</c>; quotation marks hold words together.
    /// </param>
    /// <returns>The output: of <c>-S</c> and <c>-L</c>; empty for others.</returns>
    /// <exception cref="RuleException">The program would refuse it, or knows more than there is here.</exception>
    public string Execute(string command) => Execute(command, isInFile: false);

    /// <summary>Reads what <see cref="Save"/>, or iptables-save, has written; what was there before is gone.</summary>
    /// <param name="text">The lines. A table other than <c>filter</c> is refused.</param>
    /// <param name="name">The file's name, for messages.</param>
    /// <exception cref="RuleException">
    /// A line is refused; the message begins with file and line, and the rules are as they were.
    /// </exception>
    public void Restore(string text, string name) => SavedRules.Restore(this, text, name);

    /// <summary>All chains and rules in the form of iptables-save, which <see cref="Restore"/> reads.</summary>
    /// <param name="withCounts">True to add the counts of the rules, as <c>iptables-save -c</c> does.</param>
    public string Save(bool withCounts = false) => SavedRules.Save(this, withCounts);

    /// <param name="command">Likewise.</param>
    /// <param name="isInFile">True if it is a line of a file, in which rules of the other program are left out.</param>
    internal string Execute(string command, bool isInFile) =>
        new RuleCommand(this, new CommandLine(this, RuleWords.Split(command), isInFile)).Execute();

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

    /// <summary>
    /// Refuses what makes no sense on the ways that packets can take: jumps in a circle, and MAC addresses of what the
    /// host itself sends.
    /// </summary>
    /// <param name="changed">A chain as it is to be, in place of the one of its name.</param>
    internal void CheckWays(Chain changed)
    {
        if (Jumps(changed).Any(target => Reached(target, changed).Contains(changed)))
            throw new RuleException($"the chain {changed.Name} would be reached from itself: a loop of jumps");
        foreach (var chain in Reached(Targets.Output, changed))
        {
            if (chain.Rules.SelectMany(rule => rule.Matches).FirstOrDefault(match => match.IsOfReceived) is { } match)
                throw new RuleException(
                    $"can't use -m {match.Name} in {chain.Name}: packets of {Targets.Output} meet it, "
                    + "and these have not been received");
        }
    }

    internal static RuleException NoChain(string name) => new($"no chain by the name {name}; make it with -N first");

    /// <summary>A chain, and all that it leads to.</summary>
    private HashSet<Chain> Reached(string name, Chain changed)
    {
        var reached = new HashSet<Chain>();
        var open = new Stack<string>([name]);
        while (open.TryPop(out var next))
        {
            var chain = next == changed.Name ? changed : Chain(next);
            if (!reached.Add(chain)) continue;
            foreach (var target in Jumps(chain)) open.Push(target);
        }
        return reached;
    }

    private static IEnumerable<string> Jumps(Chain chain) =>
        chain.Rules.Where(rule => rule.IsJump).Select(rule => rule.Target).Distinct();
}
