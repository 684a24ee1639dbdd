namespace Emu.Services;

/// <summary>
/// <c>-m conntrack --ctstate</c>, and its elder <c>-m state --state</c>:
/// what the packet is to the connections that are known.
/// </summary>
internal sealed class StateMatch(string name) : Match
{
    /// <summary>In the order in which they are printed.</summary>
    private static readonly (string Name, ConnectionState State)[] s_states =
    [
        ("INVALID", ConnectionState.Invalid), ("NEW", ConnectionState.New), ("RELATED", ConnectionState.Related),
        ("ESTABLISHED", ConnectionState.Established), ("UNTRACKED", ConnectionState.Untracked),
    ];

    private static readonly RuleOption[] s_options = [new("--state")];

    private static readonly RuleOption[] s_conntrackOptions =
    [
        new("--ctstate"),
        .. new[]
        {
            "proto", "origsrc", "origdst", "replsrc", "repldst", "origsrcport", "origdstport", "replsrcport",
            "repldstport", "status", "expire", "dir",
        }.Select(name => new RuleOption($"--ct{name}") { IsDone = false }),
    ];

    private readonly string _word = name == "state" ? "state" : "ctstate";
    private ConnectionState _states;
    private bool _isNegated;

    public override string Name => name;

    public override IReadOnlyList<RuleOption> Options => name == "state" ? s_options : s_conntrackOptions;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        _isNegated = isNegated;
        foreach (var text in words.Value(option).Split(',')) _states |= Parse(text);
    }

    public override void Check(Rule rule) => Require($"--{_word}");

    public override string Save() => $"{Not(_isNegated)} --{_word} {Names}";

    public override string List() => $"{Not(_isNegated)} {_word} {Names}";

    public override void AddTo(Clauses clauses) => clauses.Add(Term.In(_states, _isNegated));

    private string Names => string.Join(',', s_states.Where(s => (_states & s.State) != 0).Select(s => s.Name));

    private ConnectionState Parse(string text)
    {
        var state = s_states.FirstOrDefault(s => s.Name.Equals(text, StringComparison.OrdinalIgnoreCase)).State;
        return state != 0 ? state : throw new RuleException(
            $"bad {_word} `{text}': there are {string.Join(", ", s_states.Select(s => s.Name))}");
    }
}
