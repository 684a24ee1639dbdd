using System.Text;

namespace Emu.Compiler.Dialect;

/// <summary>Writes lines of C#, indented by the blocks that they stand in.</summary>
internal sealed class SourceWriter
{
    private const int Indent = 4, MaxColumns = 116;

    /// <summary>The operators before which a long line is broken, the weakest first.</summary>
    private static readonly string[] s_breaks = [" | ", " & ", " + ", " = "];

    private readonly StringBuilder _text = new();
    private int _depth;

    /// <summary>The text so far.</summary>
    public string Text => _text.ToString();

    /// <summary>Writes lines; an empty one has no spaces, and one that is too long is broken.</summary>
    public void Lines(string lines)
    {
        foreach (var line in lines.Split('\n')) Line(line, 0);
    }

    /// <summary>Text a level further out.</summary>
    public static string Outdented(string text) => string.Join(
        '\n',
        text.Split('\n').Select(line => line.StartsWith("    ", StringComparison.Ordinal) ? line[Indent..] : line));

    /// <summary>Writes a line a level further out: a label.</summary>
    public void Label(string name)
    {
        _depth--;
        Lines($"{name}:");
        _depth++;
    }

    /// <summary>Writes text that has its own indentation.</summary>
    public void Raw(string text) => _text.Append(text);

    /// <summary>Writes text that has its own indentation, in braces.</summary>
    public void Braced(string text)
    {
        Lines("{");
        Raw(text);
        Lines("}");
    }

    /// <summary>Stands a level deeper from here on.</summary>
    public SourceWriter Deeper()
    {
        _depth++;
        return this;
    }

    /// <summary>Stands a level further out from here on.</summary>
    public SourceWriter Shallower()
    {
        _depth--;
        return this;
    }

    /// <summary>A writer of what stands as deep.</summary>
    public SourceWriter Inside() => new() { _depth = _depth };

    private void Line(string line, int more)
    {
        var columns = MaxColumns - Indent * (_depth + more);
        var at = line.Length <= columns
            ? -1
            : s_breaks.Select(mark => line.LastIndexOf(mark, columns, StringComparison.Ordinal))
                .FirstOrDefault(place => place > 0);
        var rest = at > 0 ? line[(at + 1)..] : "";
        if (at > 0) line = line[..at];
        _text.Append(line.Length == 0 ? "" : new string(' ', Indent * (_depth + more))).Append(line).Append('\n');
        if (rest.Length > 0) Line(rest, 1);
    }
}
