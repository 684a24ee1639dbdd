using System.Globalization;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>Reads the part of a command that describes a rule, option by option.</summary>
internal sealed class RuleParser
{
    private readonly RuleSet _rules;
    private readonly RuleWords _words;
    private readonly int _general;

    /// <summary>
    /// The options that there are now: general ones, then those of matches and the target, the last named first.
    /// </summary>
    private readonly List<RuleOption> _known;

    private readonly List<Match> _matches = [];
    private readonly HashSet<string> _taken = [];
    private string[] _sources = [], _destinations = [];
    private Rule _rule;

    public RuleParser(RuleSet rules, RuleWords words)
    {
        (_rules, _words, _rule) = (rules, words, new Rule(rules.Family));
        _known = [.. GeneralOptions.Of(Family)];
        _general = _known.Count;
    }

    /// <summary>The short forms of the options that have been given.</summary>
    public IReadOnlySet<string> Taken => _taken;

    /// <summary>The counts that the option <c>-c</c> gives.</summary>
    public (ulong Packets, ulong Bytes)? Counts { get; private set; }

    private IPFamily Family => _rules.Family;

    /// <summary>The rule, or one for each pair of addresses where lists of them are given.</summary>
    public IReadOnlyList<Rule> Rules()
    {
        if (_rule.Reject is { IsReset: true }) RequireTcp();
        _rule = _rule with { Matches = _matches };
        foreach (var match in _matches) match.Check(_rule);
        return [.. from source in Prefixes(_sources) from destination in Prefixes(_destinations)
            select _rule with { Source = source, Destination = destination, Count = NewCount() }];
    }

    /// <summary>
    /// The next option. If there is none of that name, the match of the protocol is there without <c>-m</c>, with its
    /// options.
    /// </summary>
    public RuleOption TakeOption()
    {
        var option = _words.TakeOption(_known);
        if (option is null && _words.Next.StartsWith('-') && ImplyMatch()) option = _words.TakeOption(_known);
        if (option is null) throw new RuleException(UnknownOption.Describe(_words.Next, _known, Family));
        return option.IsDone
            ? option
            : throw new RuleException($"option \"{option.Name}\" is known to the kernel's tool, and not done here");
    }

    /// <summary>Reads an option that is not of the command.</summary>
    public void Read(RuleOption option, bool isNegated)
    {
        var owner = _matches.FindLast(match => match.Options.Contains(option));
        if (owner is not null) owner.Take(option.Key, isNegated, _words);
        else if (option.Key == "-m") ReadMatch(isNegated);
        else
        {
            Once(option.Key);
            ReadBasic(option, isNegated);
        }
    }

    /// <summary>Refuses a <c>!</c> before an option that cannot be negated.</summary>
    public static void NotNegated(RuleOption option, bool isNegated)
    {
        if (isNegated) throw new RuleException($"unexpected `!' before {option.Name}");
    }

    /// <summary>The options that every rule may have once.</summary>
    private void ReadBasic(RuleOption option, bool isNegated)
    {
        if (option.Key is "-c" or "-j" or "-g" or "--reject-with") NotNegated(option, isNegated);
        switch (option.Key)
        {
            case "-p":
                ReadProtocol(_words.Value("-p"), isNegated);
                break;
            case "-s":
                _sources = Addresses("-s", isNegated);
                _rule = _rule with { IsSourceNegated = isNegated };
                break;
            case "-d":
                _destinations = Addresses("-d", isNegated);
                _rule = _rule with { IsDestinationNegated = isNegated };
                break;
            case "-i":
                _rule = _rule with { In = InterfacePattern.Parse(_words.Value("-i"), isNegated) };
                break;
            case "-o":
                _rule = _rule with { Out = InterfacePattern.Parse(_words.Value("-o"), isNegated) };
                break;
            case "-f":
                _rule = _rule with { IsLaterFragment = !isNegated };
                break;
            case "-c":
                ReadCounts();
                break;
            case "-j" or "-g":
                ReadTarget(_words.Value(option.Key), option.Key == "-g");
                break;
            case "--reject-with":
                _rule = _rule with { Reject = RejectKind.Parse(Family, _words.Value(option.Name)) };
                break;
        }
    }

    private void ReadMatch(bool isNegated)
    {
        if (isNegated) throw new RuleException("unexpected `!' before --match");
        _taken.Add("-m");
        Load(MatchTable.Named(_words.Value("-m"), Family));
    }

    private void Load(Match match)
    {
        _matches.Add(match);
        _known.InsertRange(_general, match.Options);
    }

    /// <summary>Brings the match of the protocol, if it is not there yet.</summary>
    private bool ImplyMatch()
    {
        if (_rule.IsProtocolNegated || MatchTable.Of(_rule.Protocol, Family) is not { } implied) return false;
        if (_matches.Any(match => match.Name == implied.Name)) return false;
        Load(implied);
        return true;
    }

    private void ReadProtocol(string text, bool isNegated)
    {
        var protocol = Protocols.Parse(text);
        if (protocol == 0 && isNegated)
            throw new RuleException("rule would never match protocol: `! -p all' is no packet");
        if (Family == IPFamily.IPv6 && !isNegated && IsExtension(protocol))
            throw new RuleException(
                $"-p {text} never matches: it is an extension header, "
                + "and what is compared is the protocol behind these");
        _rule = _rule with { Protocol = protocol, IsProtocolNegated = isNegated };
    }

    private void ReadTarget(string target, bool isGoto)
    {
        if (isGoto && Targets.IsBuiltIn(target))
            throw new RuleException($"-g needs a chain, and {target} is none; write -j {target}");
        if (Targets.Chains.Contains(target))
            throw new RuleException($"a rule cannot jump to the built-in chain {target}");
        if (!Targets.IsBuiltIn(target) && _rules.TryFind(target) is null)
        {
            var chains = _rules.Chains.Where(chain => !chain.IsBuiltIn).Select(chain => chain.Name);
            var there = string.Join(", ", Targets.All.Concat(chains));
            throw new RuleException($"couldn't load target `{target}': there are {there}; make a chain with -N first");
        }
        _rule = _rule with { Target = target, IsGoto = isGoto };
        if (target != Targets.Reject) return;
        _rule = _rule with { Reject = RejectKind.Default(Family) };
        _known.Insert(_general, RejectKind.Option);
    }

    /// <summary>
    /// The two numbers of <c>-c</c>, which a comma or a space parts; decimal always, as sscanf(3) reads them.
    /// </summary>
    private void ReadCounts()
    {
        var packets = _words.Value("-c").Split(',', 2);
        if (packets.Length == 1 && !_words.IsAtValue)
            throw new RuleException("-c requires packet and byte counter, such as -c 3 180");
        var bytes = packets.Length == 2 ? packets[1] : _words.Take();
        Counts = (Count(packets[0]), Count(bytes));

        static ulong Count(string text) => ulong.TryParse(text, NumberStyles.None, null, out var number)
            ? number
            : throw new RuleException($"-c: the counter `{text}' is not numeric");
    }

    private RuleCount NewCount()
    {
        var count = new RuleCount();
        if (Counts is { } given) count.Set(given.Packets, given.Bytes);
        return count;
    }

    /// <summary>The words of a list of addresses, read once the rule turns out to be for this program.</summary>
    private string[] Addresses(string option, bool isNegated)
    {
        var texts = _words.Value(option).Split(',');
        if (isNegated && texts.Length > 1)
            throw new RuleException($"! not allowed with multiple addresses of {option}: write a rule for each");
        return texts;
    }

    private void RequireTcp()
    {
        if (_rule.Protocol != (byte)IPProtocol.Tcp || _rule.IsProtocolNegated)
            throw new RuleException("--reject-with tcp-reset needs -p tcp in the rule");
    }

    private void Once(string option)
    {
        if (!_taken.Add(option == "-g" ? "-j" : option))
            throw new RuleException($"multiple {option} flags not allowed");
    }

    private static bool IsExtension(byte protocol) => (IPProtocol)protocol
        is IPProtocol.Routing or IPProtocol.Fragment
            or IPProtocol.AuthenticationHeader or IPProtocol.DestinationOptions;

    /// <summary>The addresses of a list; one that is none for an empty list.</summary>
    private IEnumerable<AddressPrefix?> Prefixes(string[] texts) =>
        texts.Length == 0 ? [null] : [.. texts.Select(text => (AddressPrefix?)AddressPrefix.Parse(Family, text))];
}
