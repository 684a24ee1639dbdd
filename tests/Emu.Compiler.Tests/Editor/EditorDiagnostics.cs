extern alias Editor;

using System.Collections.Immutable;
using Editor::Emu.Analyzers;
using Emu.Fuzz;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Emu.Compiler.Tests.Editor;

/// <summary>A diagnostic as an editor shows it.</summary>
/// <param name="Id">The number, EMU0001 and up.</param>
/// <param name="Line">The line, the first being 1.</param>
/// <param name="Message">The words.</param>
internal sealed record EditorDiagnostic(string Id, int Line, string Message);

/// <summary>Runs the analyser as an editor does.</summary>
internal static class EditorDiagnostics
{
    /// <summary>The diagnostics of one file, in the order of its lines.</summary>
    /// <param name="name">The file's name.</param>
    /// <param name="text">C# without errors.</param>
    public static async Task<IReadOnlyList<EditorDiagnostic>> Of(string name, string text)
    {
        var compilation = SourceAssembly.Parse("Editor", OptimizationLevel.Release, [(name, text)]);
        Assert.DoesNotContain(
            compilation.GetDiagnostics(TestContext.Current.CancellationToken),
            diagnostic => diagnostic.Severity == DiagnosticSeverity.Error);
        var found = await compilation
            .WithAnalyzers(ImmutableArray.Create<DiagnosticAnalyzer>(new ServiceAnalyzer()))
            .GetAnalyzerDiagnosticsAsync(TestContext.Current.CancellationToken);
        return
        [
            .. from diagnostic in found
                let line = diagnostic.Location.GetLineSpan().StartLinePosition.Line + 1
                orderby line
                select new EditorDiagnostic(diagnostic.Id, line, diagnostic.GetMessage()),
        ];
    }
}
