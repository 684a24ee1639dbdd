namespace Emu.Compiler.Refusals;

/// <summary>A type by its names in metadata: the same for the compiler, which reflects, and for an editor.</summary>
/// <param name="FullName">With namespace, enclosing types and arity: <c>System.Span`1</c>.</param>
/// <param name="Namespace">The namespace; empty for none.</param>
/// <param name="Name">Without namespace and enclosing types: <c>Span`1</c>.</param>
/// <param name="Bases">The full names of its base classes, the nearest first, and of its interfaces.</param>
internal sealed record TypeNames(string FullName, string Namespace, string Name, IReadOnlyList<string> Bases)
{
    /// <summary>The name without its type parameters.</summary>
    public string ShortName => Name.Split('`')[0];

    /// <summary>True for types of .NET itself.</summary>
    public bool IsOfDotNet =>
        Namespace == "System" || Namespace.StartsWith("System.", StringComparison.Ordinal);
}
