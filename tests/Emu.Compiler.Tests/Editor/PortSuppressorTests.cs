extern alias Editor;

using System.Collections.Immutable;
using Editor::Emu.Analyzers;
using Emu.Fuzz;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Emu.Compiler.Tests.Editor;

/// <summary>The C# compiler warns of fields that nothing assigns, but not where other hardware does.</summary>
public sealed class PortSuppressorTests
{
    [Fact]
    public async Task Ports_are_used_by_other_hardware()
    {
        const string Text = """
            using KiwiSystem;
            internal static class Program
            {
                [Kiwi.InputBitPort("valid")] private static bool s_valid;
                [Kiwi.OutputBitPort("done")] private static bool s_done = true;
                private static bool s_other;
                public static bool Run() => s_valid || s_other;
            }
            """;
        var compilation = SourceAssembly.Parse("Editor", OptimizationLevel.Release, [("Program.cs", Text)]);
        Assert.Equal(3, compilation.GetDiagnostics(TestContext.Current.CancellationToken).Count(IsWarning));
        var left = await compilation
            .WithAnalyzers(ImmutableArray.Create<DiagnosticAnalyzer>(new PortSuppressor()))
            .GetAllDiagnosticsAsync(TestContext.Current.CancellationToken);
        var warning = Assert.Single(left, IsWarning);
        Assert.Contains("s_other", warning.GetMessage(), StringComparison.Ordinal);
    }

    private static bool IsWarning(Diagnostic diagnostic) => diagnostic.Severity == DiagnosticSeverity.Warning;
}
