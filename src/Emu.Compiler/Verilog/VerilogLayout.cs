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

    /// <summary>
    /// Declarations, a line each with a comment, others of one kind, width and initial value side by side.
    /// </summary>
    public static string Declarations(IEnumerable<VerilogDeclaration> declarations)
    {
        var text = new StringBuilder();
        var (line, head) = ("", "");
        void End()
        {
            if (line.Length > 0) text.Append(line).Append(";\n");
            (line, head) = ("", "");
        }

        foreach (var declaration in declarations)
        {
            var next = Declaration(declaration.Kind, declaration.Width, "");
            var item = declaration.Name + (declaration.Initial is { } initial ? $" = {initial}" : "");
            if (!string.IsNullOrWhiteSpace(declaration.Comment) || declaration.IsWhole)
            {
                End();
                text.Append(declaration.IsWhole
                    ? Commented(declaration.Name, declaration.Comment)
                    : Commented($"{next}{item};", declaration.Comment));
            }
            else if (next == head && line.Length + item.Length + 3 <= Columns)
            {
                line += $", {item}";
            }
            else
            {
                End();
                (line, head) = (next + item, next);
            }
        }
        End();
        return text.ToString();
    }

    /// <summary>The range of a vector; empty for a bit.</summary>
    public static string Range(int width) => width == 1 ? "" : $"[{width - 1}:0]";

    /// <summary>A statement <c>head term;</c>, broken where the term may be.</summary>
    public static string Statement(string indent, string head, VerilogTerm term)
    {
        var text = term.Read();
        var arms = (term as VerilogText)?.Arms ?? 0;
        var start = $"{indent}{head} ";
        if (arms <= 1 && start.Length + text.Length < Columns) return $"{start}{text.Replace('\n', ' ')};\n";

        var pieces = text.Split('\n');
        var column = start.Length + (text[0] == '{' ? 1 : 0);
        // Where the head is long, or a piece would not fit behind it, all of it stands in lines of its own.
        if (start.Length > DeepestAlignment || Array.Exists(pieces, piece => column + piece.Length >= Columns))
            (start, column) = ($"{indent}{head}\n{indent}    ", indent.Length + 4 + (text[0] == '{' ? 1 : 0));
        return Filled(start, pieces, column, arms > 1) + ";\n";
    }

    /// <summary>True if a text with its line feed is one line that is not too long.</summary>
    public static bool IsLine(string text) => text.Length <= Columns + 1 && text.IndexOf('\n') == text.Length - 1;

    /// <summary>A comment over what it is about.</summary>
    public static string Banner(IEnumerable<string> lines)
    {
        var text = new StringBuilder("/*\n");
        foreach (var line in lines.SelectMany(l => l.Split('\n')))
            foreach (var part in Wrapped(line.Replace("*/", "* /").Replace("/*", "/ *"), Columns - 3))
                text.Append($" * {part}".TrimEnd()).Append('\n');
        return text.Append(" */\n").ToString();
    }

    /// <summary>A declaration with its comment, behind it if there is room.</summary>
    public static string Commented(string declaration, string? comment)
    {
        if (string.IsNullOrWhiteSpace(comment)) return declaration + "\n";
        var line = string.Join(
            ' ',
            comment.Split(
                (char[])['\r', '\n'], StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries));
        return declaration.Length + line.Length + 4 <= Columns && !declaration.Contains('\n')
            ? $"{declaration}  // {line}\n"
            : $"{string.Concat(Wrapped(line, Columns - 3).Select(part => $"// {part}\n"))}{declaration}\n";
    }

    /// <summary>A line as several, broken between words.</summary>
    private static IEnumerable<string> Wrapped(string line, int columns)
    {
        for (line = line.TrimEnd(); line.Length > columns;)
        {
            var end = line.LastIndexOf(' ', columns);
            if (end <= 0) end = columns;
            yield return line[..end].TrimEnd();
            line = $"    {line[end..].TrimStart()}";
        }
        yield return line;
    }

    private static string Filled(string start, string[] pieces, int column, bool isChain)
    {
        var text = new StringBuilder(start);
        var (length, isFirst) = (start.Length - start.LastIndexOf('\n') - 1, true);
        foreach (var piece in pieces)
        {
            // Of a chain of choices each begins a line.
            var isNext = isChain && piece.StartsWith(": ", StringComparison.Ordinal);
            var breaks = !isFirst && (isNext || length + piece.Length + 2 > Columns);
            var indent = isChain && breaks ? column - 2 : column;
            if (breaks)
            {
                text.Append('\n').Append(' ', indent);
                length = indent;
            }
            else if (!isFirst)
            {
                text.Append(' ');
                length++;
            }
            text.Append(piece);
            (length, isFirst) = (length + piece.Length, false);
        }
        return text.ToString();
    }
}
