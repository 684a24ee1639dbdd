using System.Text;

namespace Emu.Compiler.IR;

/// <summary>A line of C#, and how the compiler got there.</summary>
/// <param name="Method">The method whose code it is.</param>
/// <param name="File">The source file; empty when the assembly has no symbols.</param>
/// <param name="Line">The line, from 1; 0 when unknown.</param>
/// <param name="Caller">The place where that method was called; null for the service's own.</param>
public sealed record SourceLocation(string Method, string File, int Line, SourceLocation? Caller)
{
    /// <summary>
    /// True when the method is of another assembly than the service: of a library, Emu's own among them.
    /// </summary>
    public bool IsLibrary { get; init; }

    /// <summary>True when its method, or one that called it, is marked <see cref="ColdAttribute"/>.</summary>
    public bool IsCold { get; init; }

    /// <summary>True when its method is marked <see cref="VariedLengthAttribute"/>.</summary>
    public bool IsVaried { get; init; }

    /// <summary>
    /// The C# name of what the line computes, for values that have no name of their own: a property with its type, the
    /// variable that the statement sets, or the method.
    /// </summary>
    public string? Name { get; init; }

    /// <summary>
    /// The user's own line: the innermost one, on the way here, of the assembly that the service is in.
    /// </summary>
    public SourceLocation Own
    {
        get
        {
            var at = this;
            while (at is { IsLibrary: true, Caller: { } caller }) at = caller;
            return at;
        }
    }

    /// <summary>The line, then its callers, innermost first; a line that calls itself is told once.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        for (var at = this; at is not null; at = at.Caller)
        {
            var times = 1;
            for (; at.Caller is { } next && at.Here == next.Here; at = next) times++;
            text.Append(text.Length == 0 ? "" : " called from ")
                .Append(at.Here).Append(times > 1 ? $", {times} times" : "");
        }
        return text.ToString();
    }

    /// <summary>The line alone, with its method; the method where the line is unknown.</summary>
    public string Here => Line > 0 ? $"{Path.GetFileName(File)}:{Line} ({Method})" : Method;
}
