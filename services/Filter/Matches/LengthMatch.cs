namespace Emu.Services;

/// <summary><c>-m length</c>: the bytes of the packet, IP header included.</summary>
internal sealed class LengthMatch : Match
{
    private static readonly RuleOption[] s_options = [new("--length")];

    private NumberRange _length;
    private bool _isNegated;

    public override string Name => "length";

    public override IReadOnlyList<RuleOption> Options => s_options;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        (_length, _isNegated) = (NumberRange.Parse(words.Value(option), ushort.MaxValue, option), isNegated);
    }

    public override void Check(Rule rule) => Require("--length");

    public override string Save() => $"{Not(_isNegated)} --length {_length}";

    public override string List() => $" length {(_isNegated ? "!" : "")}{_length}";

    public override void AddTo(Clauses clauses) =>
        clauses.Add(Term.Within(Field.Length, _length.First, _length.Last, _isNegated));
}
