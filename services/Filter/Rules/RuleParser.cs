using Emu.Protocols;

namespace Emu.Services;

/// <summary>Reads the part of a command that describes a rule.</summary>
internal sealed class RuleParser(IPFamily family, RuleWords words)
{
    private readonly List<Match> _matches = [];
    private readonly HashSet<string> _taken = [];
    private List<AddressPrefix> _sources = [], _destinations = [];
    private Rule _rule = new(family);

    /// <summary>All words to the end: a rule, or one for each pair of addresses where lists of them are given.</summary>
    public IReadOnlyList<Rule> ParseAll()
    {
        while (!words.IsAtEnd) ParseOption();
        if (_rule.Reject is { IsReset: true }) RequireTcp();
        _rule = _rule with { Matches = _matches };
        foreach (var match in _matches) match.Check(_rule);
        return [.. from source in OrNull(_sources) from destination in OrNull(_destinations) select _rule with { Source = source, Destination = destination }];
    }

    private void ParseOption()
    {
        var isNegated = words.Next == "!";
        if (isNegated) words.Take();
        if (words.IsAtEnd) throw new RuleException("nothing follows the `!'");
        var option = words.Take();
        if (isNegated && option == "!") throw new RuleException("multiple consecutive ! not allowed");
        if (!ParseBasic(option, isNegated) && !ParseMatch(option, isNegated)) throw Unknown(option);
    }

    /// <summary>The options that every rule may have.</summary>
    private bool ParseBasic(string option, bool isNegated)
    {
        switch (option)
        {
            case "-p" or "--protocol" or "--proto":
                Once("-p");
                ParseProtocol(words.Value("-p"), isNegated);
                return true;
            case "-s" or "--source" or "--src":
                Once("-s");
                _sources = Addresses("-s", isNegated);
                _rule = _rule with { IsSourceNegated = isNegated };
                return true;
            case "-d" or "--destination" or "--dst":
                Once("-d");
                _destinations = Addresses("-d", isNegated);
                _rule = _rule with { IsDestinationNegated = isNegated };
                return true;
            case "-i" or "--in-interface":
                Once("-i");
                _rule = _rule with { In = InterfacePattern.Parse(words.Value("-i"), isNegated) };
                return true;
            case "-o" or "--out-interface":
                Once("-o");
                _rule = _rule with { Out = InterfacePattern.Parse(words.Value("-o"), isNegated) };
                return true;
            case "-f" or "--fragment" or "--fragments" when family == IPFamily.IPv4:
                Once("-f");
                _rule = _rule with { IsLaterFragment = !isNegated };
                return true;
            case "-m" or "--match":
                NotNegated(option, isNegated);
                _matches.Add(MatchTable.Named(words.Value("-m"), family));
                return true;
            case "-j" or "--jump" or "-g" or "--goto":
                NotNegated(option, isNegated);
                Once("-j");
                ParseTarget(words.Value(option), option is "-g" or "--goto");
                return true;
            case "--reject-with" when _rule.Reject is not null:
                NotNegated(option, isNegated);
                Once(option);
                _rule = _rule with { Reject = RejectKind.Parse(family, words.Value(option)) };
                return true;
            default:
                return false;
        }
    }

    /// <summary>The options of the matches named so far, the last first, and then that of the protocol, which needs no name.</summary>
    private bool ParseMatch(string option, bool isNegated)
    {
        foreach (var match in Enumerable.Reverse(_matches)) if (match.TryTake(option, isNegated, words)) return true;
        if (_rule.IsProtocolNegated || MatchTable.Of(_rule.Protocol, family) is not { } implied || _matches.Any(m => m.Name == implied.Name)) return false;
        if (!implied.TryTake(option, isNegated, words)) return false;
        _matches.Add(implied);
        return true;
    }

    private void ParseProtocol(string text, bool isNegated)
    {
        var protocol = Protocols.Parse(text);
        if (protocol == 0 && isNegated) throw new RuleException("rule would never match protocol: `! -p all' is no packet");
        if (family == IPFamily.IPv6 && IsExtension(protocol))
            throw new RuleException($"-p {text} never matches: it is an extension header, and what is compared is the protocol behind these");
        _rule = _rule with { Protocol = protocol, IsProtocolNegated = isNegated };
    }

    private void ParseTarget(string target, bool isGoto)
    {
        if (isGoto && Targets.IsBuiltIn(target)) throw new RuleException($"-g needs a chain, and {target} is none; write -j {target}");
        if (Targets.Chains.Contains(target)) throw new RuleException($"a rule cannot jump to the built-in chain {target}");
        _rule = _rule with { Target = target, IsGoto = isGoto, Reject = target == Targets.Reject ? RejectKind.Default(family) : null };
    }

    private List<AddressPrefix> Addresses(string option, bool isNegated)
    {
        var texts = words.Value(option).Split(',');
        if (isNegated && texts.Length > 1) throw new RuleException($"! not allowed with multiple addresses of {option}: write a rule for each");
        return [.. texts.Select(text => AddressPrefix.Parse(family, text))];
    }

    private RuleException Unknown(string option)
    {
        if (!option.StartsWith('-')) return new RuleException($"bad argument `{option}'");
        var hint = option switch
        {
            "--sport" or "--dport" or "--source-port" or "--destination-port" => ": it needs -p tcp or -p udp before it",
            "--syn" or "--tcp-flags" => ": it needs -p tcp before it",
            "--icmp-type" or "--icmpv6-type" => $": it needs -p {(family == IPFamily.IPv4 ? "icmp" : "icmpv6")} before it, and the other protocol has its own",
            "--reject-with" => ": it needs -j REJECT before it",
            "--sports" or "--dports" or "--ports" => ": it needs -m multiport before it",
            _ => "",
        };
        return new RuleException($"unknown option \"{option}\"{hint}");
    }

    private void RequireTcp()
    {
        if (_rule.Protocol != (byte)IPProtocol.Tcp || _rule.IsProtocolNegated) throw new RuleException("--reject-with tcp-reset needs -p tcp in the rule");
    }

    private void Once(string option)
    {
        if (!_taken.Add(option)) throw new RuleException($"multiple {option} flags not allowed");
    }

    private static void NotNegated(string option, bool isNegated)
    {
        if (isNegated) throw new RuleException($"unexpected `!' before {option}");
    }

    private static bool IsExtension(byte protocol) => (IPProtocol)protocol
        is IPProtocol.Routing or IPProtocol.Fragment or IPProtocol.AuthenticationHeader or IPProtocol.DestinationOptions;

    private static IEnumerable<AddressPrefix?> OrNull(List<AddressPrefix> prefixes) => prefixes.Count == 0 ? [null] : prefixes.Select(p => (AddressPrefix?)p);
}
