using System.Collections.Immutable;
using System.Text;
using Emu.Analyzers;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace Emu.Editor;

/// <summary>
/// The project of a service in an editor. Each edit makes a new compilation, of which the editor asks the compiler for
/// the diagnostics of the file and then the analyser for its own.
/// </summary>
internal sealed class EditedProject
{
    private const string Usings = """
        global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq;
        """;

    /// <summary>A partial method without a body: a generator of source writes it, and none runs here.</summary>
    private const string NoBody = "CS8795";

    private static readonly ImmutableArray<DiagnosticAnalyzer> s_analyzers = [new ServiceAnalyzer()];

    private static readonly CSharpParseOptions s_parsing = new(LanguageVersion.CSharp14);

    private static readonly MetadataReference[] s_references =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Select(file => (MetadataReference)MetadataReference.CreateFromFile(file)),
    ];

    private CSharpCompilation _compilation;

    /// <summary>Opens it.</summary>
    /// <param name="files">The paths of its files.</param>
    public EditedProject(IEnumerable<string> files) => _compilation = CSharpCompilation.Create(
        "Edited",
        files.Select(file => Tree(file, File.ReadAllText(file))).Append(Tree("Usings.cs", Usings)),
        s_references,
        new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions:
            NullableContextOptions.Enable));

    /// <summary>Types a comment at the end of a file, and waits for the diagnostics.</summary>
    /// <returns>
    /// The milliseconds of a processor that the analyser took, besides the compiler's own: other work on the machine
    /// does not count.
    /// </returns>
    /// <exception cref="InvalidOperationException">The file is no valid C#, or is refused.</exception>
    public async Task<double> Edit(string file, int edit)
    {
        var old = _compilation.SyntaxTrees.Single(tree => tree.FilePath == file);
        var after = Tree(file, $"{old}\n// {edit}");
        _compilation = _compilation.ReplaceSyntaxTree(old, after);
        var model = _compilation.GetSemanticModel(after);
        Check(file, model.GetDiagnostics());

        var before = Environment.CpuUsage.TotalTime;
        var found = await _compilation.WithAnalyzers(s_analyzers)
            .GetAnalyzerSemanticDiagnosticsAsync(model, null, CancellationToken.None);
        var elapsed = Environment.CpuUsage.TotalTime - before;
        Check(file, found);
        return elapsed.TotalMilliseconds;
    }

    private static SyntaxTree Tree(string file, string text) =>
        CSharpSyntaxTree.ParseText(SourceText.From(text, Encoding.UTF8), s_parsing, file);

    private static void Check(string file, ImmutableArray<Diagnostic> found)
    {
        if (found.FirstOrDefault(d => d.Severity >= DiagnosticSeverity.Warning && d.Id != NoBody) is { } diagnostic)
            throw new InvalidOperationException($"{file}: {diagnostic}");
    }
}
