using Emu.Compiler.Refusals;
using Microsoft.CodeAnalysis;

namespace Emu.Analyzers;

/// <summary>The names of types and members that a compilation has.</summary>
internal static class SymbolNames
{
    /// <summary>The names of a type.</summary>
    public static TypeNames Of(ITypeSymbol type) =>
        new(FullName(type), Namespace(type), type.MetadataName, [.. Bases(type).Select(FullName)]);

    /// <summary>The name that C# has for a member: that of the property behind an accessor.</summary>
    public static string Member(IMethodSymbol method) =>
        method.AssociatedSymbol is IPropertySymbol property ? property.MetadataName : method.MetadataName;

    /// <summary>The method itself, where it is called as an extension or with type arguments.</summary>
    public static IMethodSymbol Definition(IMethodSymbol method) => (method.ReducedFrom ?? method).OriginalDefinition;

    /// <summary>Tells .NET's own types.</summary>
    public static bool IsOfDotNet(ITypeSymbol type) =>
        type is IArrayTypeSymbol
        || Namespace(type) is var name
            && (name == "System" || name.StartsWith("System.", StringComparison.Ordinal));

    /// <summary>True for numbers of floating point.</summary>
    public static bool IsFloatingPoint(ITypeSymbol? type) =>
        type is { SpecialType: SpecialType.System_Single or SpecialType.System_Double or SpecialType.System_Decimal }
            or { Name: "Half", ContainingNamespace.Name: "System" };

    private static string FullName(ITypeSymbol type) => type.OriginalDefinition switch
    {
        IArrayTypeSymbol => "System.Array",
        { ContainingType: { } outer } inner => $"{FullName(outer)}+{inner.MetadataName}",
        var top => Namespace(top) is { Length: > 0 } name ? $"{name}.{top.MetadataName}" : top.MetadataName,
    };

    private static string Namespace(ITypeSymbol type) =>
        type.ContainingNamespace is { IsGlobalNamespace: false } name ? name.ToDisplayString() : "";

    private static IEnumerable<ITypeSymbol> Bases(ITypeSymbol type)
    {
        for (var at = type.BaseType; at is not null; at = at.BaseType) yield return at;
        foreach (var face in type.AllInterfaces) yield return face;
    }
}
