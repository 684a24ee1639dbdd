using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace Emu.Analyzers;

/// <summary>
/// Keeps the C# compiler from calling a port of a clock-level program unused: other hardware assigns its inputs and
/// reads its outputs.
/// </summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class PortSuppressor : DiagnosticSuppressor
{
    private static readonly ImmutableArray<SuppressionDescriptor> s_descriptors =
    [
        Describe("CS0649", "Other hardware assigns this port."),
        Describe("CS0414", "Other hardware reads this port."),
    ];

    /// <summary>A field that is never assigned, and one whose value is never used.</summary>
    public override ImmutableArray<SuppressionDescriptor> SupportedSuppressions => s_descriptors;

    /// <summary>Suppresses those of fields with the attribute of a port.</summary>
    public override void ReportSuppressions(SuppressionAnalysisContext context)
    {
        if (context.Compilation.GetTypeByMetadataName("KiwiSystem.Kiwi+PortAttribute") is not { } port) return;
        foreach (var diagnostic in context.ReportedDiagnostics)
        {
            if (diagnostic.Location.SourceTree is not { } tree) continue;
            var node = tree.GetRoot(context.CancellationToken).FindNode(diagnostic.Location.SourceSpan);
            if (context.GetSemanticModel(tree).GetDeclaredSymbol(node, context.CancellationToken) is IFieldSymbol field
                && IsPort(field, port))
            {
                context.ReportSuppression(Suppression.Create(
                    s_descriptors.First(descriptor => descriptor.SuppressedDiagnosticId == diagnostic.Id), diagnostic));
            }
        }
    }

    private static bool IsPort(IFieldSymbol field, INamedTypeSymbol port) =>
        field.GetAttributes().Any(attribute => IsA(attribute.AttributeClass, port));

    private static bool IsA(INamedTypeSymbol? type, INamedTypeSymbol ancestor)
    {
        for (; type is not null; type = type.BaseType)
            if (SymbolEqualityComparer.Default.Equals(type, ancestor)) return true;
        return false;
    }

    private static SuppressionDescriptor Describe(string id, string why) => new("EMU" + id, id, why);
}
