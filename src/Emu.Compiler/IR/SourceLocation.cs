namespace Emu.Compiler;

/// <summary>A line of C#, and how the compiler got there.</summary>
/// <param name="Method">The method whose code it is.</param>
/// <param name="File">The source file; empty when the assembly has no symbols.</param>
/// <param name="Line">From 1; 0 when unknown.</param>
/// <param name="Caller">Where that method was called; null for the service's own.</param>
public sealed record SourceLocation(string Method, string File, int Line, SourceLocation? Caller)
{
    /// <summary>The line, then its callers, innermost first.</summary>
    public override string ToString() =>
        (Line > 0 ? $"{Path.GetFileName(File)}:{Line} ({Method})" : Method) + (Caller is null ? "" : $" called from {Caller}");
}
