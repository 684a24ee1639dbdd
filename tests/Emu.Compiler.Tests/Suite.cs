using System.Reflection;
using Emu.Fuzz;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Emu.Compiler.Tests;

/// <summary>
/// The files of the folder Suite, one subject each, compiled as Debug and as Release: its services, and a service
/// around each of its pure methods.
/// </summary>
internal static class Suite
{
    private static readonly Dictionary<OptimizationLevel, Lazy<Assembly>> s_builds =
        new[] { OptimizationLevel.Debug, OptimizationLevel.Release }
            .ToDictionary(level => level, level => new Lazy<Assembly>(() => Build(level)));

    /// <summary>The names of all services.</summary>
    public static IEnumerable<string> Services(OptimizationLevel level) =>
        s_builds[level].Value.GetTypes()
            .Where(type => type.IsSubclassOf(typeof(Service)) && !type.IsAbstract)
            .Select(type => type.FullName!)
            .Order(StringComparer.Ordinal);

    /// <summary>One service, constructed.</summary>
    public static Service Construct(OptimizationLevel level, string name) =>
        (Service)Activator.CreateInstance(s_builds[level].Value.GetType(name)!)!;

    private static Assembly Build(OptimizationLevel level)
    {
        var assembly = typeof(Suite).Assembly;
        var names = assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith("Suite/", StringComparison.Ordinal));
        var files = names.Order(StringComparer.Ordinal).Select(name =>
        {
            using var reader = new StreamReader(assembly.GetManifestResourceStream(name)!);
            return (name, reader.ReadToEnd());
        });
        var compilation = SourceAssembly.Parse($"Suite.{level}", level, files);
        var harness = string.Concat(PureMethods(compilation).Select(PureMethodService.Around));
        return SourceAssembly.Load(compilation.AddSyntaxTrees(SourceAssembly.Tree("Harness.cs", harness)));
    }

    private static IEnumerable<IMethodSymbol> PureMethods(CSharpCompilation compilation) =>
        compilation.Assembly.GlobalNamespace.GetNamespaceMembers()
            .Where(space => space.Name == "Suite")
            .SelectMany(space => space.GetTypeMembers())
            .Where(type => type.IsStatic && type.DeclaredAccessibility == Accessibility.Public)
            .SelectMany(type => type.GetMembers().OfType<IMethodSymbol>())
            .Where(method =>
                method is
                {
                    MethodKind: MethodKind.Ordinary,
                    DeclaredAccessibility: Accessibility.Public,
                    IsGenericMethod: false
                });
}
