extern alias Editor;

using System.Collections.Immutable;
using Editor::Emu.Analyzers;
using Emu.Analyzers.CodeFixes;
using Emu.Fuzz;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Emu.Compiler.Tests.Editor;

/// <summary>The change that an editor offers is the one that the diagnostic names, and is refused no more.</summary>
public sealed class CodeFixTests
{
    [Theory]
    [InlineData("var isDigit = char.IsDigit(c);", "var isDigit = char.IsAsciiDigit(c);")]
    [InlineData("var isUpper = char.IsUpper(c);", "var isUpper = char.IsAsciiLetterUpper(c);")]
    [InlineData("var part = _bytes[1..3];", "var part = _bytes.AsSpan()[1..3];")]
    public async Task The_fix_is_what_to_write_instead(string before, string after)
    {
        Assert.Equal(Service(after), await Fixed(Service(before)));
        Assert.Empty(await EditorDiagnostics.Of("Fixed.cs", Service(after)));
    }

    [Theory]
    [InlineData("var upper = char.ToUpper(c);")]
    [InlineData("var now = DateTime.UtcNow;")]
    [InlineData("var copy = new byte[2];")]
    public async Task Where_there_is_a_choice_nothing_is_offered(string statement) =>
        Assert.Null(await Fixed(Service(statement)));

    private static string Service(string statement) => $$"""
        public sealed class Example : Service
        {
            private readonly byte[] _bytes = new byte[4];

            public override void Process(ref Frame frame)
            {
                var c = (char)frame.Bytes[0];
                {{statement}}
            }
        }
        """;

    /// <summary>The file after the only fix of its only diagnostic; null without one.</summary>
    private static async Task<string?> Fixed(string text)
    {
        var cancellation = TestContext.Current.CancellationToken;
        using var workspace = new AdhocWorkspace();
        var parsed = SourceAssembly.Parse("Editor", OptimizationLevel.Release, [("Example.cs", text)]);
        var project = workspace.AddProject("Editor", LanguageNames.CSharp)
            .WithMetadataReferences(parsed.References)
            .WithParseOptions(parsed.SyntaxTrees[0].Options)
            .WithCompilationOptions(parsed.Options)
            .AddDocument("Usings.cs", await parsed.SyntaxTrees[1].GetTextAsync(cancellation)).Project;
        var document = project.AddDocument("Example.cs", text);
        var compilation = (await document.Project.GetCompilationAsync(cancellation))!;
        var found = await compilation
            .WithAnalyzers(ImmutableArray.Create<DiagnosticAnalyzer>(new ServiceAnalyzer()))
            .GetAnalyzerDiagnosticsAsync(cancellation);
        var offered = new List<CodeAction>();
        var context = new CodeFixContext(
            document, Assert.Single(found), (action, _) => offered.Add(action), cancellation);
        if (new ServiceCodeFixes() is var fixes && fixes.FixableDiagnosticIds.Contains(context.Diagnostics[0].Id))
            await fixes.RegisterCodeFixesAsync(context);
        if (offered.Count == 0) return null;
        var change = Assert.Single(await Assert.Single(offered).GetOperationsAsync(cancellation));
        var changed = ((ApplyChangesOperation)change).ChangedSolution.GetDocument(document.Id)!;
        return (await changed.GetTextAsync(cancellation)).ToString();
    }
}
