using System.Text;

namespace Emu.Compiler.Verilog;

/// <summary>Lines of Verilog: how statements are broken and declarations are aligned.</summary>
internal static class VerilogLayout
{
    private const int Columns = 120;
    private const int DeepestAlignment = 56;
    private const int RangeWidth = 7;

    /// <summary>A declaration's head: kind and range padded, so that names stand in one column.</summary>
    public static string Declaration(string kind, int width, string name) =>
        $"{kind,-4} {Range(width).PadRight(RangeWidth)} {name}";

    /// <summary>The range of a vector; empty for a bit.</summary>
    public static string Range(int width) => width == 1 ? "" : $"[{width - 1}:0]";

    /// <summary>A statement <c>head term;</c>, broken where the term may be.</summary>
    public static string Statement(string indent, string head, VerilogTerm term)
    {
        var text = term.Read();
        var @operator = (term as VerilogText)?.Operator ?? "";
        var arms = (term as VerilogText)?.Arms ?? 0;
        var start = $"{indent}{head} ";
        if (arms <= 1 && start.Length + text.Length < Columns) return $"{start}{text.Replace('\n', ' ')};\n";

        var column = start.Length <= DeepestAlignment ? start.Length : indent.Length + 8;
        var pieces = text.Split('\n');
        return arms > 0
            ? $"{start}{string.Join("\n" + new string(' ', column - 2), pieces)};\n"
            : Filled(start, pieces, @operator == "," ? column + 1 : column) + ";\n";
    }

    /// <summary>A comment over what it is about.</summary>
    public static string Banner(IEnumerable<string> lines)
    {
        var text = new StringBuilder("/*\n");
        foreach (var line in lines.SelectMany(l => l.Split('\n')))
            text.Append(" * ")
                .Append(line.TrimEnd().Replace("*/", "* /").Replace("/*", "/ *")).Replace(" \n", "\n").Append('\n');
        return text.Replace(" * \n", " *\n").Append(" */\n").ToString();
    }

    /// <summary>A declaration with its comment, behind it if there is room.</summary>
    public static string Commented(string declaration, string? comment)
    {
        if (string.IsNullOrWhiteSpace(comment)) return declaration + "\n";
        var line = string.Join(
            ' ',
            comment.Split(
                (char[])['\r', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
        return declaration.Length + line.Length + 5 <= Columns && !declaration.Contains('\n')
            ? $"{declaration}  // {line}\n"
            : $"// {line}\n{declaration}\n";
    }

    private static string Filled(string start, string[] pieces, int column)
    {
        var text = new StringBuilder(start);
        var length = start.Length;
        foreach (var piece in pieces)
        {
            if (length > column && length + piece.Length + 1 > Columns)
            {
                if (text[^1] == ' ') text.Length--;
                text.Append('\n').Append(' ', column);
                length = column;
            }
            else if (length > start.Length)
            {
                text.Append(' ');
                length++;
            }
            text.Append(piece);
            length += piece.Length;
        }
        return text.ToString();
    }
}
