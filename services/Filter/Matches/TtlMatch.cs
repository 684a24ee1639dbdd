namespace Emu.Services;

/// <summary><c>-m ttl</c>, and <c>-m hl</c> for IPv6: how many routers a packet may still pass.</summary>
internal sealed class TtlMatch(IPFamily family) : Match
{
    private static readonly RuleOption[] s_options = Of("--ttl"), s_options6 = Of("--hl");

    private string _order = "";
    private uint _value;
    private bool _isNegated;

    public override string Name => family == IPFamily.IPv4 ? "ttl" : "hl";

    public override IReadOnlyList<RuleOption> Options => family == IPFamily.IPv4 ? s_options : s_options6;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once($"--{Name}-eq, --{Name}-lt or --{Name}-gt");
        (_order, _isNegated) = (option[^2..], isNegated);
        if (isNegated && _order != "eq") throw new RuleException($"{option} cannot be negated; write its opposite");
        _value = NumberRange.Number(words.Value(option), byte.MaxValue, option);
    }

    public override void Check(Rule rule) => Require($"--{Name}-eq, --{Name}-lt or --{Name}-gt");

    public override string Save() => $"{Not(_isNegated)} --{Name}-{_order} {_value}";

    public override string List()
    {
        var name = Name.ToUpperInvariant();
        return $" {name} match {name} "
            + $"{(_order switch { "lt" => "<", "gt" => ">", _ => _isNegated ? "!=" : "==" })} {_value}";
    }

    private static RuleOption[] Of(string name) =>
        [new($"{name}-eq"), new(name, $"{name}-eq"), new($"{name}-lt"), new($"{name}-gt")];

    public override void AddTo(Clauses clauses)
    {
        if (_order == "eq") clauses.Add(Term.Equal(Field.Ttl, _value, isNegated: _isNegated));
        else if (_order == "gt") clauses.Add(Term.Within(Field.Ttl, 0, _value, isNegated: true));
        else clauses.Add(Term.Within(Field.Ttl, _value, byte.MaxValue, isNegated: true));
    }
}
