namespace Emu.Services;

/// <summary><c>-m multiport</c>: one of several ports or ranges, of the source, of the destination or of either.</summary>
internal sealed class MultiportMatch : Match
{
    /// <summary>Ports that a list may have, a range being two.</summary>
    private const int Most = 15;

    private string _option = "";
    private bool _isNegated;
    private NumberRange[] _ports = [];

    public override string Name => "multiport";

    public override bool TryTake(string option, bool isNegated, RuleWords words)
    {
        var plain = option switch
        {
            "--sports" or "--source-ports" => "sports",
            "--dports" or "--destination-ports" => "dports",
            "--ports" => "ports",
            _ => "",
        };
        if (plain.Length == 0) return false;
        Once("--sports, --dports or --ports");
        (_option, _isNegated) = (plain, isNegated);
        _ports = [.. words.Value(option).Split(',').Select(text => NumberRange.Parse(text, ushort.MaxValue, option, ServiceNames.Port))];
        if (_ports.Sum(p => p.First == p.Last ? 1 : 2) > Most) throw new RuleException($"too many ports specified: at most {Most}, a range being two");
        return true;
    }

    public override void Check(Rule rule)
    {
        Require("--sports, --dports or --ports");
        if (rule.IsProtocolNegated || !Protocols.HasPorts(rule.Protocol))
            throw new RuleException("multiport needs `-p tcp', `-p udp', `-p udplite', `-p sctp' or `-p dccp'");
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
        Term[] terms = [.. fields.SelectMany(field => _ports.Select(p => Term.Within(field, p.First, p.Last, _isNegated)))];
        if (!_isNegated) clauses.AddAny(terms);
        else foreach (var term in terms) clauses.Add(term); // none of them
    }
}
