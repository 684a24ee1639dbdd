namespace Emu.Services;

/// <summary>Carries out one command.</summary>
internal sealed class RuleCommand(RuleSet rules, CommandLine line)
{
    private string ChainName => line.Chain!;

    /// <returns>The output of the command.</returns>
    public string Execute()
    {
        if (line.IsOfOtherFamily) return "";
        switch (line.Command)
        {
            case "-A": return Change(rules.Chain(ChainName), line.Rules(), (chain, list) => chain.Rules.AddRange(list));
            case "-I": return Insert(rules.Chain(ChainName));
            case "-R": return Replace(rules.Chain(ChainName));
            case "-D": return Delete(rules.Chain(ChainName));
            case "-C": return Check(rules.Chain(ChainName));
            case "-F": return Each(chain => chain.Rules.Clear());
            case "-Z": return Each(Zero);
            case "-P": return SetPolicy(rules.Chain(ChainName));
            case "-N": return New();
            case "-X": return DeleteChains();
            case "-E": return Rename(rules.Chain(ChainName));
            case "-S": return Print(Commands, Listing.AllCommands);
            default: return Print(Table, (all, _) => Tables(all));
        }
    }

    private string Insert(Chain chain)
    {
        var at = line.Number ?? 1;
        if (at > chain.Rules.Count + 1) throw TooBig("insertion", chain);
        return Change(chain, line.Rules(), (changed, list) => changed.Rules.InsertRange(at - 1, list));
    }

    private string Replace(Chain chain)
    {
        if (line.Number > chain.Rules.Count) throw TooBig("replacement", chain);
        var list = line.Rules();
        if (list.Count != 1) throw new RuleException("replacement rule does not specify a unique address");
        return Change(chain, list, (changed, _) => changed.Rules[line.Number!.Value - 1] = list[0]);
    }

    private string Delete(Chain chain)
    {
        if (line.Number is { } at)
        {
            if (at > chain.Rules.Count) throw TooBig("deletion", chain);
            chain.Rules.RemoveAt(at - 1);
            return "";
        }
        return Change(chain, line.Rules(), (changed, list) =>
        {
            foreach (var rule in list) changed.Rules.RemoveAt(IndexOf(changed, rule));
        });
    }

    private string Check(Chain chain)
    {
        foreach (var rule in line.Rules()) IndexOf(chain, rule);
        return "";
    }

    /// <summary>Changes a copy, and takes that once nothing has been refused.</summary>
    private string Change(Chain chain, IReadOnlyList<Rule> list, Action<Chain, IReadOnlyList<Rule>> change)
    {
        var changed = chain.Copy();
        change(changed, list);
        rules.CheckWays(changed);
        rules.Replace(chain, changed);
        return "";
    }

    private static int IndexOf(Chain chain, Rule rule)
    {
        var text = rule.Save();
        var index = chain.Rules.FindIndex(other => other.Save() == text);
        return index >= 0
            ? index
            : throw new RuleException($"bad rule (does a matching rule exist in that chain?):{text}");
    }

    private string Each(Action<Chain> change)
    {
        foreach (var one in line.Chain is null ? rules.Chains : [rules.Chain(ChainName)]) change(one);
        return "";
    }

    private void Zero(Chain chain)
    {
        if (line.Number > chain.Rules.Count) throw TooBig("counter", chain);
        if (line.Number is { } at) chain.Rules[at - 1].Count.Clear();
        else
        {
            chain.Count.Clear();
            foreach (var rule in chain.Rules) rule.Count.Clear();
        }
    }

    private string SetPolicy(Chain chain)
    {
        if (!chain.IsBuiltIn)
            throw new RuleException(
                $"bad built-in chain name: {chain.Name} has no policy; add a rule without matches at its end");
        if (line.Name is not (Targets.Accept or Targets.Drop))
            throw new RuleException($"bad policy name `{line.Name}': ACCEPT or DROP");
        chain.Policy = line.Name;
        if (line.Counts is { } counts) chain.Count.Set(counts.Packets, counts.Bytes);
        return "";
    }

    private string New()
    {
        Targets.CheckName(ChainName);
        if (rules.TryFind(ChainName) is not null) throw new RuleException($"chain already exists: {ChainName}");
        rules.Add(new Chain(ChainName, ""));
        return "";
    }

    private string DeleteChains()
    {
        List<Chain> gone = line.Chain is null ? [.. rules.Chains.Where(c => !c.IsBuiltIn)] : [rules.Chain(ChainName)];
        foreach (var one in gone)
        {
            if (one.IsBuiltIn) throw new RuleException($"the chain {one.Name} is built in, and cannot be deleted");
            if (one.Rules.Count > 0)
                throw new RuleException($"directory not empty: the chain {one.Name} has rules; flush it with -F first");
            if (rules.Chains.Any(c => c.Rules.Any(rule => rule.Target == one.Name)))
                throw new RuleException(
                    $"too many links: a rule jumps to the chain {one.Name}; delete that rule first");
        }
        gone.ForEach(rules.Remove);
        return "";
    }

    private string Rename(Chain chain)
    {
        Targets.CheckName(line.Name);
        if (chain.IsBuiltIn) throw new RuleException($"the chain {chain.Name} is built in, and keeps its name");
        if (rules.TryFind(line.Name) is not null) throw new RuleException($"chain already exists: {line.Name}");
        rules.ReplaceAll([.. rules.Chains.Select(other =>
        {
            var copy = other.Copy(other == chain ? line.Name : null);
            for (var i = 0; i < copy.Rules.Count; i++)
                if (copy.Rules[i].Target == chain.Name) copy.Rules[i] = copy.Rules[i] with { Target = line.Name };
            return copy;
        })]);
        return "";
    }

    private string Commands(Chain chain, int? number) => Listing.Commands(chain, number, line.IsVerbose);

    private string Tables(RuleSet all) => string.Join('\n', Listing.InOrder(all).Select(chain => Table(chain, null)));

    private string Table(Chain chain, int? number) =>
        new Listing(rules, line.IsVerbose, line.IsExact, line.HasNumbers).Table(chain, number);

    private string Print(Func<Chain, int?, string> one, Func<RuleSet, bool, string> all) =>
        line.Chain is null ? all(rules, line.IsVerbose) : one(rules.Chain(ChainName), line.Number);

    private static RuleException TooBig(string what, Chain chain) =>
        new($"index of {what} too big: {chain.Name} has {chain.Rules.Count} rules");
}
