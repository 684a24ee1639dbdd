namespace Emu.Services;

/// <summary>
/// <c>-m multiport</c>: one of several ports or ranges, of the source, of the destination or of either.
/// </summary>
internal sealed class MultiportMatch : Match
{
    /// <summary>Ports that a list may have, a range being two.</summary>
    private const int Most = 15;

    private static readonly RuleOption[] s_options =
    [
        new("--source-ports"), new("--sports", "--source-ports"),
        new("--destination-ports"), new("--dports", "--destination-ports"), new("--ports"),
    ];

    private string _option = "";
    private bool _isNegated;
    private NumberRange[] _ports = [];

    public override string Name => "multiport";

    public override IReadOnlyList<RuleOption> Options => s_options;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once("--sports, --dports or --ports");
        _option = option switch { "--source-ports" => "sports", "--destination-ports" => "dports", _ => "ports" };
        _isNegated = isNegated;
        _ports = [.. words.Value(option).Split(',').Select(text => Ports(text, $"--{_option}"))];
        if (_ports.Sum(p => p.First == p.Last ? 1 : 2) > Most)
            throw new RuleException($"too many ports specified: at most {Most}, a range being two");
    }

    public override void Check(Rule rule)
    {
        Require("--sports, --dports or --ports");
        if (rule.IsProtocolNegated || !Protocols.HasPorts(rule.Protocol))
            throw new RuleException("multiport needs `-p tcp', `-p udp', `-p udplite', `-p sctp' or `-p dccp'");
    }

    /// <summary>A port or a range of several, whose ends must be there.</summary>
    private static NumberRange Ports(string text, string option)
    {
        var range = NumberRange.Parse(text, ushort.MaxValue, option, one => PortOptions.Number(one, option));
        if (text.StartsWith(':') || text.EndsWith(':'))
            throw new RuleException($"{option}: '{text}' needs both ends; write {range.First}:{range.Last}");
        if (text.Contains(':') && range.First == range.Last)
            throw new RuleException($"{option}: invalid range '{text}' of one port; write {range.First}");
        return range;
    }

    public override string Save() => $"{Not(_isNegated)} --{_option} {string.Join(',', _ports)}";

    public override string List() => $" multiport {_option} {Not(_isNegated)}{string.Join(',', _ports)}";

    public override void AddTo(Clauses clauses)
    {
        clauses.Add(Term.Equal(Field.LaterFragment, 0));
        Field[] fields = _option switch
        {
            "sports" => [Field.SourcePort],
            "dports" => [Field.DestinationPort],
            _ => [Field.SourcePort, Field.DestinationPort],
        };
        Term[] terms =
        [
            .. fields.SelectMany(field => _ports.Select(p => Term.Within(field, p.First, p.Last, _isNegated))),
        ];
        if (!_isNegated) clauses.AddAny(terms);
        else foreach (var term in terms) clauses.Add(term); // none of them
    }
}
