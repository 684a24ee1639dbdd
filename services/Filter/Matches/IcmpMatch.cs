using Emu.Protocols;

namespace Emu.Services;

/// <summary><c>-m icmp</c>, and <c>-m icmp6</c>: type and code.</summary>
internal sealed class IcmpMatch(IPFamily family) : Match
{
    private static readonly RuleOption[] s_options = [new("--icmp-type")], s_options6 = [new("--icmpv6-type")];

    private IcmpKind _kind = new(IcmpKind.Any, null);
    private bool _isNegated;

    public override string Name => family == IPFamily.IPv4 ? "icmp" : "icmp6";

    public override IReadOnlyList<RuleOption> Options => family == IPFamily.IPv4 ? s_options : s_options6;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        (_kind, _isNegated) = (IcmpKind.Parse(words.Value(option), family), isNegated);
    }

    public override void Check(Rule rule)
    {
        rule.RequireProtocol(this, family == IPFamily.IPv4 ? (byte)IPProtocol.Icmp : (byte)IPProtocol.Icmpv6);
        if (family == IPFamily.IPv6) Require(Option);
    }

    public override string Save() => $"{Not(_isNegated)} {Option} {(_kind.IsAny(family) ? "any" : $"{_kind}")}";

    public override string List()
    {
        var code = _kind.Code is { } one ? $" code {one}" : "";
        return $" {(family == IPFamily.IPv4 ? "icmp" : "ipv6-icmp")}{(_isNegated ? " !" : "")}type {_kind.Type}{code}";
    }

    public override void AddTo(Clauses clauses)
    {
        clauses.Add(Term.Equal(Field.LaterFragment, 0));
        if (!_kind.IsAny(family)) clauses.Add(Term.Equal(Field.IcmpTypeAndCode, _kind.Bits, _kind.Mask, _isNegated));
        else if (_isNegated) clauses.AddNever();
    }

    private string Option => Options[0].Name;
}
