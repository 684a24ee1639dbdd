using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Emu.Analyzers;

/// <summary>
/// Says in an editor what <c>emu compile</c> will refuse, as far as syntax and types show it: same numbers, same words.
/// What only the objects or the values show, a layout or an interval, stays with <c>emu check</c>.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class ServiceAnalyzer : DiagnosticAnalyzer
{
    /// <summary>The diagnostics of the compiler that an editor can show.</summary>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics => Rules.All;

    /// <summary>Registers what is done for a project that has services.</summary>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterCompilationStartAction(start =>
        {
            if (start.Compilation.GetTypeByMetadataName("Emu.Service") is not { } service) return;
            var compiled = new Lazy<CompiledMethods>(
                () => CompiledMethods.Of(start.Compilation, service, start.CancellationToken));
            start.RegisterOperationBlockAction(block => Analyse(block, compiled.Value));
        });
    }

    private static void Analyse(OperationBlockAnalysisContext context, CompiledMethods compiled)
    {
        if (context.OwningSymbol is not IMethodSymbol method || !compiled.Contains(method)) return;
        var finder = new RefusalFinder(method, compiled, context.ReportDiagnostic);
        foreach (var block in context.OperationBlocks) finder.Visit(block);
    }
}
