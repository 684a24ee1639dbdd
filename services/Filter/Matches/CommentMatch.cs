namespace Emu.Services;

/// <summary><c>-m comment</c>: matches every packet.</summary>
internal sealed class CommentMatch : Match
{
    private const int Most = 255;

    private string _text = "";

    public override string Name => "comment";

    public override bool TryTake(string option, bool isNegated, RuleWords words)
    {
        if (option != "--comment") return false;
        Once(option);
        if (isNegated) throw new RuleException("--comment cannot be negated");
        _text = words.Value(option);
        return _text.Length <= Most ? true : throw new RuleException($"--comment: at most {Most} characters");
    }

    public override void Check(Rule rule) => Require("--comment");

    public override string Save() => $" --comment {RuleWords.Quote(_text)}";

    public override string List() => $" /* {_text} */";

    public override void AddTo(Clauses clauses)
    {
    }
}
