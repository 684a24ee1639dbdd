namespace Emu.Services.Zones;

/// <summary>A word of a master file, with its escapes.</summary>
internal readonly record struct Word(string Text, bool IsQuoted);

/// <summary>An entry of a master file (RFC 1035 §5.1): a line, or several in parentheses.</summary>
/// <param name="Number">The number of its first line, from 1.</param>
/// <param name="BeginsBlank">True if it begins with a blank: its owner is that of the entry before.</param>
/// <param name="Words">Its words, comments left out.</param>
internal sealed record MasterFileLine(int Number, bool BeginsBlank, IReadOnlyList<Word> Words)
{
    /// <summary>Takes a text apart into entries; empty lines are none.</summary>
    /// <exception cref="FormatException">A quotation or a parenthesis has no end, or no beginning.</exception>
    public static IEnumerable<MasterFileLine> Read(string text)
    {
        var words = new List<Word>();
        var (number, first, depth, beginsBlank, at) = (1, 1, 0, false, 0);
        var isStart = true;
        while (at <= text.Length)
        {
            var next = at < text.Length ? text[at] : '\n';
            if (next == '\n')
            {
                if (depth == 0 && words.Count > 0)
                {
                    yield return new MasterFileLine(first, beginsBlank, [.. words]);
                    words.Clear();
                }
                if (depth == 0) (isStart, first) = (true, number + 1);
                number++;
                at++;
                continue;
            }
            if (isStart) (beginsBlank, isStart) = (next is ' ' or '\t', false);
            if (next == ';') while (at < text.Length && text[at] != '\n') at++;
            else if (next is '(' or ')')
            {
                depth += next == '(' ? 1 : -1;
                if (depth < 0) throw new FormatException($"line {number}: ')' without '('");
                at++;
            }
            else if (char.IsWhiteSpace(next)) at++;
            else words.Add(next == '"' ? Quoted(text, number, ref at) : Plain(text, ref at));
        }
        if (depth > 0) throw new FormatException($"line {first}: '(' without ')'");
    }

    private static Word Plain(string text, ref int at)
    {
        var from = at;
        while (at < text.Length && !char.IsWhiteSpace(text[at]) && text[at] is not (';' or '(' or ')' or '"'))
            at += text[at] == '\\' ? 2 : 1;
        at = Math.Min(at, text.Length);
        return new Word(text[from..at], IsQuoted: false);
    }

    private static Word Quoted(string text, int number, ref int at)
    {
        var from = ++at;
        while (at < text.Length && text[at] is not ('"' or '\n')) at += text[at] == '\\' ? 2 : 1;
        if (at >= text.Length || text[at] == '\n') throw new FormatException($"line {number}: a quotation has no end");
        return new Word(text[from..at++], IsQuoted: true);
    }
}
