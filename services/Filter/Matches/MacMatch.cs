namespace Emu.Services;

/// <summary><c>-m mac</c>: the source MAC address.</summary>
internal sealed class MacMatch : Match
{
    private static readonly RuleOption[] s_options = [new("--mac-source")];

    private MacAddress _source;
    private bool _isNegated;

    public override string Name => "mac";

    public override IReadOnlyList<RuleOption> Options => s_options;

    public override bool IsOfReceived => true;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        var text = words.Value(option);
        if (!MacAddress.TryParse(text, null, out _source))
            throw new RuleException($"{option}: '{text}' is not a MAC address such as 02:00:00:00:00:02");
        _isNegated = isNegated;
    }

    public override void Check(Rule rule) => Require("--mac-source");

    public override string Save() => $"{Not(_isNegated)} --mac-source {_source}";

    public override string List() => $" MAC{Not(_isNegated)} {_source}";

    public override void AddTo(Clauses clauses) =>
        clauses.Add(Term.Equal(Field.SourceMac, _source.Bits, isNegated: _isNegated));
}
