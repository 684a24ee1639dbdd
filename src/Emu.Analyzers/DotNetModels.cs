using Emu.Compiler.Refusals;
using Microsoft.CodeAnalysis;

namespace Emu.Analyzers;

/// <summary>
/// The members of .NET that compile: <c>models.txt</c>, which the compiler's tests write from its own list. A line is a
/// member with its number of parameters, or a type whose methods are translated as they stand.
/// </summary>
internal static class DotNetModels
{
    private static readonly HashSet<string> s_lines = [.. Lines()];

    /// <summary>True for a member that has an exact model.</summary>
    public static bool HasModel(TypeNames type, IMethodSymbol method) =>
        s_lines.Contains($"{type.FullName}.{method.MetadataName}/{method.Parameters.Length}");

    /// <summary>True for a type whose methods are translated from their own code.</summary>
    public static bool IsPlain(TypeNames type) =>
        s_lines.Contains(type.FullName)
        || type.FullName.StartsWith("System.ValueTuple`", StringComparison.Ordinal);

    private static IEnumerable<string> Lines()
    {
        using var stream = typeof(DotNetModels).Assembly.GetManifestResourceStream("models.txt")!;
        using var reader = new StreamReader(stream);
        while (reader.ReadLine() is { } line) yield return line;
    }
}
