namespace Emu.Fuzz;

/// <summary>
/// Programs that parse a text as services do: numbers one behind the other, each up to a separator or to the text's
/// end; what was passed is gone over again, up to where a search has come to, or from the text's end back; and what was
/// found is used on several ways.
/// </summary>
internal sealed partial class ProgramGenerator
{
    private readonly bool _readsTexts;

    private void TextState()
    {
        Line("private uint _texts, _lines;");
        Line("private ushort _word;");
    }

    private void ReadTexts()
    {
        var (text, at) = (NewName("x"), NewName("k"));
        Line($"var {text} = bytes[{Any(["14..", "14..", "17..", "(14 + (bytes[13] & 12))..", "14..^1"])}];");
        Line($"var {at} = {Any(["0", "0", "1"])};");
        for (var parts = _random.Next(1, 4); parts > 0; parts--)
        {
            switch (_random.Next(6))
            {
                case 0 or 1:
                    ReadNumbers(text, at);
                    break;
                case 2:
                    PassOver(text, at);
                    break;
                case 3:
                    GoOverAgain(text, at);
                    break;
                case 4:
                    ReadFromEnd(text);
                    break;
                default:
                    Compare(text, at);
                    break;
            }
        }
        Line($"_word = (ushort){at};");
    }

    /// <summary>Numbers one behind the other, some of them with a separator behind each that must be there.</summary>
    private void ReadNumbers(string text, string at)
    {
        var (all, number, first, turn) = (NewName("a"), NewName("n"), NewName("f"), NewName("i"));
        Line($"ulong {all} = 0;");
        Line($"for (var {turn} = 0; {turn} < {_random.Next(1, 7)}; {turn}++)");
        Line("{");
        _indent++;
        Line($"var {number} = 0;");
        Line($"var {first} = {at};");
        Line($"while ({at} < {text}.Length && {text}[{at}] {Any(["< 4", "is >= 1 and <= 7", "< 100"])})");
        Line("{");
        Line($"    {number} = {number} * {Any([10, 8, 3])} + {text}[{at}];");
        Line($"    if ({number} > {Any([9, 99, 255, 70_000])}) {Any(["break;", "return;", "return;"])}");
        Line($"    {at}++;");
        Line("}");
        if (_random.Next(3) > 0) GiveUp($"{at} == {first}");
        if (_random.Next(3) > 0)
        {
            var (atEnd, behind) = ($"{at} >= {text}.Length || ", $"{at} + 1 > {text}.Length || ");
            var end = Any([atEnd, atEnd, behind, ""]);
            GiveUp($"{end}{text}[{at}] {Any(["== 255", "< 8", "!= 200"])}");
            Line($"{at}++;");
        }
        Line($"{all} = {all} << {Any([4, 8])} | (uint){number};");
        _indent--;
        Line("}");
        if (_random.Next(2) == 0) GiveUp($"({all} & {Any([1, 3])}) == 1", "_texts++;");
        _locals.Add(($"unchecked((uint){all})", NumberType.Uint, true));
    }

    /// <summary>Goes on to behind a byte that is searched for, or two.</summary>
    private void PassOver(string text, string at)
    {
        var hit = NewName("h");
        var wanted = Any(["(byte)0", "(byte)3", "\"\\u0001\\0\"u8", "\"\\0\\0\"u8"]);
        GiveUp($"{at} > {text}.Length");
        Line($"var {hit} = {text}[{at}..].IndexOf({wanted});");
        GiveUp($"{hit} < 0", Any(["", "_lines++;"]));
        Line($"{at} += {hit} + {_random.Next(1, 3)};");
    }

    /// <summary>Goes over the text from its begin on, up to where the parser has come to, or to its end.</summary>
    private void GoOverAgain(string text, string at)
    {
        var (sum, index) = (NewName("s"), NewName("j"));
        Line($"uint {sum} = 0;");
        var end = Any([at, $"{text}.Length", $"{text}.Length - 3"]);
        Line($"for (var {index} = {Any([0, 0, 2])}; {index} < {end}; {index}++)");
        Line("{");
        _indent++;
        if (_random.Next(3) == 0) Line($"if ({text}[{index}] == {_random.Next(256)}) break;");
        Line($"{sum} {Any(["+=", "^="])} {text}[{index}];");
        _indent--;
        Line("}");
        if (_random.Next(2) == 0) GiveUp($"({sum} & 7) == {_random.Next(8)}");
        _locals.Add((sum, NumberType.Uint, true));
    }

    /// <summary>Reads what stands at the text's end.</summary>
    private void ReadFromEnd(string text)
    {
        var last = NewName("l");
        var back = _random.Next(1, 9);
        if (_random.Next(4) > 0) GiveUp($"{text}.Length < {back + _random.Next(3)}");
        Line($"var {last} = {text}[^{back}];");
        if (back > 1) GiveUp($"{text}[^{back - 1}] == {last}", "_lines++;");
        _locals.Add((last, NumberType.Byte, true));
    }

    /// <summary>Compares what stands where the parser has come to, or at the begin, with words.</summary>
    private void Compare(string text, string at)
    {
        var place = Any([$"{at}..", $"{at}..", ".."]);
        if (place != "..") GiveUp($"{at} > {text}.Length");
        Line($"if ({text}[{place}].StartsWith(\"\\0\\u0001\"u8)) _texts += 1;");
        Line($"else if ({text}[{place}].StartsWith(\"\\u0003\"u8)) {Any([$"{at}++;", "_lines += 2;", "return;"])}");
    }
}
