using Emu.Compiler.Refusals;
using Emu.Fuzz;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Emu.Compiler.Tests;

/// <summary>The table of what to write instead is about types and members that .NET has.</summary>
public sealed class WaysOutTests
{
    private static readonly CSharpCompilation s_dotNet = SourceAssembly.Parse("Names", OptimizationLevel.Release, []);

    public static TheoryData<string> Names => [.. WaysOut.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_name_is_one_of_NET(string name) =>
        Assert.True(IsMember(name) || IsType(name) || IsNamespace(name), name);

    private static bool IsType(string name) => s_dotNet.GetTypeByMetadataName(name) is not null;

    /// <summary>A member of any type begins with a point; all such are members of arrays or of numbers.</summary>
    private static bool IsMember(string name)
    {
        var at = name.LastIndexOf('.');
        string[] some = ["System.Array", "System.Int32", "System.DateTime", "System.Span`1"];
        var types = at == 0 ? some : [name[..at]];
        return types.Any(type => s_dotNet.GetTypeByMetadataName(type)?.GetMembers(name[(at + 1)..]).Length > 0);
    }

    private static bool IsNamespace(string name)
    {
        INamespaceSymbol? at = s_dotNet.GlobalNamespace;
        foreach (var part in name.Split('.'))
            at = at?.GetNamespaceMembers().FirstOrDefault(inner => inner.Name == part);
        return at is not null;
    }
}
