using System.Collections.Immutable;
using System.Composition;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Emu.Analyzers.CodeFixes;

/// <summary>Changes what is refused where there is only one thing to write instead.</summary>
[ExportCodeFixProvider(LanguageNames.CSharp)]
[Shared]
public sealed class ServiceCodeFixes : CodeFixProvider
{
    private const string Method = "EMU0016";
    private const string Range = "EMU0011";

    /// <summary>A method of .NET that has a namesake with a model; a range of an array.</summary>
    public override ImmutableArray<string> FixableDiagnosticIds { get; } = ImmutableArray.Create(Range, Method);

    /// <summary>All of a project at once.</summary>
    public override FixAllProvider GetFixAllProvider() => WellKnownFixAllProviders.BatchFixer;

    /// <summary>Offers the change for each diagnostic that has one.</summary>
    public override async Task RegisterCodeFixesAsync(CodeFixContext context)
    {
        var root = await context.Document.GetSyntaxRootAsync(context.CancellationToken).ConfigureAwait(false);
        foreach (var diagnostic in context.Diagnostics)
        {
            var node = root!.FindNode(diagnostic.Location.SourceSpan, getInnermostNodeForTie: true);
            if (Change(diagnostic, node) is not { } change) continue;
            var action = CodeAction.Create(
                change.Title,
                _ => Task.FromResult(context.Document.WithSyntaxRoot(root.ReplaceNode(change.Old, change.New))),
                change.Title);
            context.RegisterCodeFix(action, diagnostic);
        }
    }

    private static (string Title, SyntaxNode Old, SyntaxNode New)? Change(Diagnostic diagnostic, SyntaxNode node) =>
        diagnostic.Id == Method && node is InvocationExpressionSyntax call ? Namesake(diagnostic.GetMessage(), call)
        : diagnostic.Id == Range && node is ElementAccessExpressionSyntax access ? SpanOf(access)
        : null;

    /// <summary><c>char.IsDigit(c)</c>, whose advice is to use <c>char.IsAsciiDigit</c>.</summary>
    private static (string, SyntaxNode, SyntaxNode)? Namesake(string message, InvocationExpressionSyntax call)
    {
        const string Use = "; use char.";
        var at = message.IndexOf(Use, StringComparison.Ordinal);
        if (at < 0 || call.Expression is not MemberAccessExpressionSyntax member) return null;
        var name = message.Substring(at + Use.Length);
        return name.All(char.IsLetter)
            ? ($"Use char.{name}", member.Name, SyntaxFactory.IdentifierName(name).WithTriviaFrom(member.Name))
            : null;
    }

    /// <summary><c>array[a..b]</c> makes an array, <c>array.AsSpan()[a..b]</c> does not.</summary>
    private static (string, SyntaxNode, SyntaxNode)? SpanOf(ElementAccessExpressionSyntax access)
    {
        if (access.ArgumentList.Arguments is not { Count: 1 } arguments
            || !arguments[0].Expression.IsKind(SyntaxKind.RangeExpression))
            return null;
        var span = SyntaxFactory.InvocationExpression(
            SyntaxFactory.MemberAccessExpression(
                SyntaxKind.SimpleMemberAccessExpression,
                access.Expression.WithoutTrailingTrivia(),
                SyntaxFactory.IdentifierName("AsSpan")));
        return ("Take the range of a span", access.Expression, span);
    }
}
