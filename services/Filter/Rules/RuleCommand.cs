namespace Emu.Services;

/// <summary>One command: the option that says what to do, with chain and number, and the rule.</summary>
internal sealed class RuleCommand(RuleSet rules, RuleWords words)
{
    private bool _isVerbose, _hasNumbers;

    /// <returns>What it prints.</returns>
    public string Execute()
    {
        TakeGeneral();
        if (words.IsAtEnd) throw new RuleException("no command specified: one of -A -I -D -R -C -F -Z -P -N -X -E -L -S");
        var command = words.Take();
        switch (command)
        {
            case "-A" or "--append": return Change(command, (chain, list) => chain.Rules.AddRange(list));
            case "-I" or "--insert": return Insert(command);
            case "-R" or "--replace": return Replace(command);
            case "-D" or "--delete": return Delete(command);
            case "-C" or "--check": return Check(command);
            case "-F" or "--flush": return Each(chain => chain.Rules.Clear());
            case "-Z" or "--zero": return Each(_ => { }); // counters begin at 0, and count while the filter runs
            case "-P" or "--policy": return SetPolicy(command);
            case "-N" or "--new-chain" or "--new": return New(command);
            case "-X" or "--delete-chain": return DeleteChains();
            case "-E" or "--rename-chain": return Rename(command);
            case "-S" or "--list-rules": return Print(Listing.Commands);
            case "-L" or "--list": return Print((chain, number) => Listing.Table(rules, chain, number, _isVerbose, _hasNumbers));
            default: throw new RuleException($"unknown option \"{command}\" where a command is needed: one of -A -I -D -R -C -F -Z -P -N -X -E -L -S");
        }
    }

    /// <summary>Options that may stand before a command, or behind one that lists.</summary>
    private void TakeGeneral()
    {
        for (; ; words.Take())
        {
            switch (words.Next)
            {
                case "-n" or "--numeric" or "-x" or "--exact" or "-w" or "--wait": break;
                case "-v" or "--verbose": _isVerbose = true; break;
                case "--line-numbers": _hasNumbers = true; break;
                case "-t" or "--table":
                    words.Take();
                    if (words.Next != "filter") throw new RuleException($"can't initialize table `{words.Next}': there is only the table filter");
                    break;
                default: return;
            }
        }
    }

    private string Change(string command, Action<Chain, IReadOnlyList<Rule>> change)
    {
        var chain = rules.Chain(Name(command));
        Apply(chain, ParseRules(), change);
        return "";
    }

    private string Insert(string command)
    {
        var chain = rules.Chain(Name(command));
        var at = TakeNumber(command) ?? 1;
        if (at > chain.Rules.Count + 1) throw new RuleException($"index of insertion too big: {chain.Name} has {chain.Rules.Count} rules");
        Apply(chain, ParseRules(), (changed, list) => changed.Rules.InsertRange(at - 1, list));
        return "";
    }

    private string Replace(string command)
    {
        var chain = rules.Chain(Name(command));
        var at = TakeNumber(command) ?? throw new RuleException("-R requires a rule number");
        if (at > chain.Rules.Count) throw new RuleException($"index of replacement too big: {chain.Name} has {chain.Rules.Count} rules");
        var list = ParseRules();
        if (list.Count != 1) throw new RuleException("replacement rule does not specify a unique address");
        Apply(chain, list, (changed, _) => changed.Rules[at - 1] = list[0]);
        return "";
    }

    private string Delete(string command)
    {
        var chain = rules.Chain(Name(command));
        if (TakeNumber(command) is { } at)
        {
            End();
            if (at > chain.Rules.Count) throw new RuleException($"index of deletion too big: {chain.Name} has {chain.Rules.Count} rules");
            chain.Rules.RemoveAt(at - 1);
            return "";
        }
        Apply(chain, ParseRules(), (changed, list) =>
        {
            foreach (var rule in list) changed.Rules.RemoveAt(IndexOf(changed, rule));
        });
        return "";
    }

    private string Check(string command)
    {
        var chain = rules.Chain(Name(command));
        foreach (var rule in ParseRules()) IndexOf(chain, rule);
        return "";
    }

    /// <summary>Changes a copy, and takes that once nothing has been refused.</summary>
    private void Apply(Chain chain, IReadOnlyList<Rule> list, Action<Chain, IReadOnlyList<Rule>> change)
    {
        var changed = chain.Copy();
        change(changed, list);
        rules.CheckJumps(changed);
        rules.Replace(chain, changed);
    }

    private static int IndexOf(Chain chain, Rule rule)
    {
        var text = rule.Save();
        var index = chain.Rules.FindIndex(other => other.Save() == text);
        return index >= 0 ? index : throw new RuleException($"bad rule (does a matching rule exist in that chain?):{text}");
    }

    private string Each(Action<Chain> change)
    {
        var chain = TakeChain();
        End();
        foreach (var one in chain is null ? rules.Chains : [chain]) change(one);
        return "";
    }

    private string SetPolicy(string command)
    {
        var chain = rules.Chain(Name(command));
        var policy = words.Value(command);
        End();
        if (!chain.IsBuiltIn) throw new RuleException($"bad built-in chain name: {chain.Name} has no policy; add a rule without matches at its end");
        if (policy is not (Targets.Accept or Targets.Drop)) throw new RuleException($"bad policy name `{policy}': ACCEPT or DROP");
        chain.Policy = policy;
        return "";
    }

    private string New(string command)
    {
        var name = Name(command);
        End();
        Targets.CheckName(name);
        if (rules.TryFind(name) is not null) throw new RuleException($"chain already exists: {name}");
        rules.Add(new Chain(name, ""));
        return "";
    }

    private string DeleteChains()
    {
        var chain = TakeChain();
        End();
        List<Chain> gone = chain is null ? [.. rules.Chains.Where(c => !c.IsBuiltIn)] : [chain];
        foreach (var one in gone)
        {
            if (one.IsBuiltIn) throw new RuleException($"the chain {one.Name} is built in, and cannot be deleted");
            if (one.Rules.Count > 0) throw new RuleException($"directory not empty: the chain {one.Name} has rules; flush it with -F first");
            if (rules.Chains.Any(c => c.Rules.Any(rule => rule.Target == one.Name)))
                throw new RuleException($"too many links: a rule jumps to the chain {one.Name}; delete that rule first");
        }
        gone.ForEach(rules.Remove);
        return "";
    }

    private string Rename(string command)
    {
        var chain = rules.Chain(Name(command));
        var name = words.Value(command);
        End();
        Targets.CheckName(name);
        if (chain.IsBuiltIn) throw new RuleException($"the chain {chain.Name} is built in, and keeps its name");
        if (rules.TryFind(name) is not null) throw new RuleException($"chain already exists: {name}");
        rules.ReplaceAll([.. rules.Chains.Select(other =>
        {
            var copy = other.Copy(other == chain ? name : null);
            for (var i = 0; i < copy.Rules.Count; i++) if (copy.Rules[i].Target == chain.Name) copy.Rules[i] = copy.Rules[i] with { Target = name };
            return copy;
        })]);
        return "";
    }

    private string Print(Func<Chain, int?, string> print)
    {
        TakeGeneral();
        var chain = TakeChain();
        var number = chain is null ? null : TakeNumber("-L");
        TakeGeneral();
        End();
        return chain is null ? Listing.All(rules, print) : print(chain, number);
    }

    private IReadOnlyList<Rule> ParseRules() => new RuleParser(rules.Family, words).ParseAll();

    private string Name(string command) => words.IsAtValue ? words.Take() : throw new RuleException($"option \"{command}\" requires a chain");

    private Chain? TakeChain() => words.IsAtValue ? rules.Chain(words.Take()) : null;

    private int? TakeNumber(string command)
    {
        if (!words.IsAtValue) return null;
        var text = words.Take();
        return int.TryParse(text, System.Globalization.NumberStyles.None, null, out var number) && number > 0
            ? number
            : throw new RuleException($"invalid rule number `{text}' behind {command}: they begin at 1");
    }

    private void End()
    {
        if (!words.IsAtEnd) throw new RuleException($"bad argument `{words.Next}'");
    }
}
