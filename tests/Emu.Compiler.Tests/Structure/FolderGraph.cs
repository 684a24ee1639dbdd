using System.Runtime.CompilerServices;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Emu.Compiler.Tests;

/// <summary>
/// The folders of the compiler and those that each uses: the types whose members its code names,
/// found by the C# compiler.
/// </summary>
internal sealed class FolderGraph
{
    /// <summary>The folder of the files at the top.</summary>
    public const string Top = "(top)";

    private const string ImplicitUsings =
        """
        global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq;
        global using System.Threading; global using System.Threading.Tasks;
        """;

    private readonly string _root = Path.GetFullPath(Path.Combine(Here(), "..", "..", "..", "src", "Emu.Compiler"));
    private readonly SortedDictionary<string, SortedSet<string>> _uses = new(StringComparer.Ordinal);

    /// <summary>Reads the sources.</summary>
    public FolderGraph()
    {
        var options = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Preview);
        var files = Directory.GetFiles(_root, "*.cs", SearchOption.AllDirectories)
            .Where(IsSource).Order(StringComparer.Ordinal);
        List<SyntaxTree> trees =
        [
            .. files.Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), options, file)),
        ];
        Namespaces = trees.ToDictionary(
            tree => Path.GetRelativePath(_root, tree.FilePath),
            tree => tree.GetRoot().DescendantNodes().OfType<BaseNamespaceDeclarationSyntax>().Single().Name.ToString());
        var assemblies = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var compilation = CSharpCompilation.Create(
            "Walls",
            trees.Append(CSharpSyntaxTree.ParseText(ImplicitUsings, options)),
            assemblies.Where(path => Path.GetFileName(path) != "Emu.Compiler.dll")
                .Select(path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
        foreach (var tree in trees) Read(tree, compilation.GetSemanticModel(tree));
    }

    /// <summary>The folders, each with those that it uses.</summary>
    public IReadOnlyDictionary<string, SortedSet<string>> Uses => _uses;

    /// <summary>The namespace of each file, by its path in the compiler's folder.</summary>
    public IReadOnlyDictionary<string, string> Namespaces { get; }

    /// <summary>A folder that uses itself by way of others, with these; null when there is none.</summary>
    public string? Cycle()
    {
        foreach (var start in _uses.Keys)
        {
            var (reached, waiting) = (new HashSet<string>(), new Stack<string>(_uses[start]));
            while (waiting.TryPop(out var folder))
            {
                if (folder == start) return $"{start} is used by way of {string.Join(", ", reached)}";
                if (reached.Add(folder)) foreach (var next in _uses.GetValueOrDefault(folder, [])) waiting.Push(next);
            }
        }
        return null;
    }

    private void Read(SyntaxTree tree, SemanticModel model)
    {
        var own = FolderOf(tree.FilePath);
        if (!_uses.TryGetValue(own, out var used)) _uses[own] = used = new(StringComparer.Ordinal);
        foreach (var name in tree.GetRoot().DescendantNodes(descendIntoTrivia: true).OfType<SimpleNameSyntax>())
        {
            var info = model.GetSymbolInfo(name);
            var symbol = info.Symbol ?? info.CandidateSymbols.FirstOrDefault();
            var type = symbol as INamedTypeSymbol ?? symbol?.ContainingType;
            if (type?.Locations.FirstOrDefault()?.SourceTree?.FilePath is { Length: > 0 } file && FolderOf(file) != own)
                used.Add(FolderOf(file));
        }
    }

    private string FolderOf(string file) =>
        Path.GetRelativePath(_root, Path.GetDirectoryName(file)!) is var folder && folder == "." ? Top : folder;

    private bool IsSource(string file) =>
        Path.GetRelativePath(_root, file).Split(Path.DirectorySeparatorChar)[0] is not ("bin" or "obj");

    private static string Here([CallerFilePath] string file = "") => Path.GetDirectoryName(file)!;
}
