namespace Emu.Services;

/// <summary><c>-m comment</c>: matches every packet.</summary>
internal sealed class CommentMatch : Match
{
    private const int Most = 255;

    private static readonly RuleOption[] s_options = [new("--comment")];

    private string _text = "";

    public override string Name => "comment";

    public override IReadOnlyList<RuleOption> Options => s_options;

    public override void Take(string option, bool isNegated, RuleWords words)
    {
        Once(option);
        if (isNegated) throw new RuleException("--comment cannot be negated");
        _text = words.AnyValue(option);
        if (_text.Length > Most) throw new RuleException($"--comment: at most {Most} characters");
    }

    public override void Check(Rule rule) => Require("--comment");

    public override string Save() => $" --comment {RuleWords.Quote(_text, "_-")}";

    public override string List() => $" /* {_text} */";

    public override void AddTo(Clauses clauses)
    {
    }
}
