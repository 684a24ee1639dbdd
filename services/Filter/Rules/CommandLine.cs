namespace Emu.Services;

/// <summary>
/// The words of a command, read: what is done, to which chain, and the rule. The order of its options does not matter.
/// </summary>
internal sealed class CommandLine
{
    private const string Commands = "-A -I -D -R -C -F -Z -P -N -X -E -L -S";

    private readonly RuleSet _rules;
    private readonly RuleWords _words;
    private readonly RuleParser _rule;

    /// <summary>Reads all words.</summary>
    /// <param name="rules">The rules that the command is for.</param>
    /// <param name="words">The words.</param>
    /// <param name="isInFile">True if it is a line of a file, which may have lines of the other program.</param>
    public CommandLine(RuleSet rules, RuleWords words, bool isInFile)
    {
        (_rules, _words, _rule) = (rules, words, new RuleParser(rules, words));
        while (!words.IsAtEnd && !IsOfOtherFamily) ReadOption(isInFile);
        if (!IsOfOtherFamily) CheckCommand();
        else if (Command.Length > 0 && !HasRule)
            throw new RuleException($"only rules can be for the other program, and {Command} is none");
    }

    /// <summary>The short form of the option that says what is done.</summary>
    public string Command { get; private set; } = "";

    /// <summary>The chain; null for all where none is needed.</summary>
    public string? Chain { get; private set; }

    /// <summary>The number of a rule, from 1.</summary>
    public int? Number { get; private set; }

    /// <summary>The policy, or the new name.</summary>
    public string Name { get; private set; } = "";

    public bool IsVerbose { get; private set; }

    public bool IsExact { get; private set; }

    public bool HasNumbers { get; private set; }

    /// <summary>It is a rule of a file for the other program, which is left out; the rest of it is not read.</summary>
    public bool IsOfOtherFamily { get; private set; }

    /// <summary>The counts that <c>-c</c> gives.</summary>
    public (ulong Packets, ulong Bytes)? Counts => _rule.Counts;

    /// <summary>The command describes a rule.</summary>
    private bool HasRule => Command is "-A" or "-I" or "-R" or "-C" || Command == "-D" && Number is null;

    /// <summary>The rules that the command describes: one for each pair of addresses.</summary>
    public IReadOnlyList<Rule> Rules()
    {
        if (Command is "-D" or "-C" && Counts is not null)
            throw new RuleException($"illegal option `-c' with {Command}: rules are found whatever they count");
        var list = _rule.Rules();
        foreach (var rule in list)
        {
            // A packet received for a host itself leaves by no port, and a packet that it sends has come by none.
            if (rule.Out is not null && Chain == Targets.Input) throw new RuleException($"can't use -o with {Chain}");
            if (rule.In is not null && Chain == Targets.Output) throw new RuleException($"can't use -i with {Chain}");
        }
        return list;
    }

    private void CheckCommand()
    {
        if (Command.Length == 0) throw new RuleException($"no command specified: one of {Commands}");
        if (HasRule) return;
        var illegal = _rule.Taken.FirstOrDefault(option => Command != "-P" || option != "-c");
        if (illegal is not null)
            throw new RuleException($"illegal option `{illegal}' with {Command}, which takes no rule");
    }

    private void ReadOption(bool isInFile)
    {
        var isNegated = _words.Next == "!";
        if (isNegated) _words.Take();
        if (_words.IsAtEnd) throw new RuleException("nothing follows the `!'");
        if (isNegated && _words.Next == "!") throw new RuleException("multiple consecutive ! not allowed");
        var option = _rule.TakeOption();
        if (!TryReadCommand(option) && !TryReadGeneral(option, isInFile)) _rule.Read(option, isNegated);
        else RuleParser.NotNegated(option, isNegated);
    }

    private bool TryReadCommand(RuleOption option)
    {
        if (!Commands.Split(' ').Contains(option.Key)) return false;
        if (Command.Length > 0) throw new RuleException($"cannot use {option.Key} with {Command}");
        Command = option.Key;
        if (_words.IsAtValue) Chain = _words.Take();
        else if (option.Value == OptionValue.Needed)
            throw new RuleException($"option \"{option.Name}\" requires a chain");
        if (Command is "-P" or "-E") Name = _words.IsAtValue
            ? _words.Take()
            : throw new RuleException($"option \"{option.Name}\" requires a second argument");
        if (Command is "-I" or "-D" or "-R" or "-L" or "-S" or "-Z" && Chain is not null && _words.IsAtValue)
            Number = RuleIndex(_words.Take());
        if (Command == "-R" && Number is null) throw new RuleException("-R requires a rule number");
        return true;
    }

    /// <summary>Options that say nothing about a rule.</summary>
    private bool TryReadGeneral(RuleOption option, bool isInFile)
    {
        switch (option.Key)
        {
            case "-n": return true;
            case "-x": return IsExact = true;
            case "-v": return IsVerbose = true;
            case "--line-numbers": return HasNumbers = true;
            case "-w" or "-W":
                if (_words.IsAtValue) NumberRange.Number(_words.Take(), int.MaxValue, option.Name);
                return true;
            case "-t":
                var table = _words.Value("-t");
                return table == "filter"
                    ? true
                    : throw new RuleException($"can't initialize table `{table}': there is only the table filter");
            case "-4" or "-6":
                IsOfOtherFamily = option.Key == "-4" != (_rules.Family == IPFamily.IPv4);
                if (IsOfOtherFamily && !isInFile)
                    throw new RuleException($"{option.Key} is not this program; only files may have such rules");
                return true;
            default: return false;
        }
    }

    private static int RuleIndex(string text) => RuleNumber.TryParse(text, int.MaxValue, out var number) && number > 0
        ? (int)number
        : throw new RuleException($"invalid rule number `{text}': they begin at 1{RuleNumber.Remark(text)}");
}
