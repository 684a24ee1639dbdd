using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Emu.Fuzz;

/// <summary>
/// Makes a program that fails smaller while it still fails: fewer members and statements, simpler expressions.
/// </summary>
internal static class Minimiser
{
    /// <summary>Shrinks a program until no single step leaves a failure, or there is no more patience.</summary>
    /// <param name="text">C# that fails.</param>
    /// <param name="fails">True if a text still fails; false for what is no C#.</param>
    /// <param name="patience">The most texts that are tried.</param>
    public static string Shrink(string text, Func<string, bool> fails, int patience = 2000)
    {
        for (var isSmaller = true; isSmaller;)
        {
            isSmaller = false;
            // Large pieces first: what is deleted with them need not be tried.
            for (var i = 0; i < Steps(text).Count; i++)
            {
                if (patience-- == 0) return text;
                var shorter = Steps(text)[i]();
                if (shorter.Length >= text.Length || !fails(shorter)) continue;
                (text, isSmaller) = (shorter, true);
                i--;
            }
        }
        return text;
    }

    /// <summary>All that could be left out or made simpler, one thing at a time.</summary>
    private static List<Func<string>> Steps(string text)
    {
        var root = SourceAssembly.Tree("Program.cs", text).GetRoot();
        var steps = new List<Func<string>>();
        foreach (var node in root.DescendantNodes().OrderByDescending(node => node.Span.Length))
        {
            switch (node)
            {
                case MemberDeclarationSyntax when node.Parent is TypeDeclarationSyntax:
                case StatementSyntax when node.Parent is BlockSyntax or SwitchSectionSyntax:
                case ElseClauseSyntax:
                case SwitchSectionSyntax:
                    steps.Add(() => root.RemoveNode(node, SyntaxRemoveOptions.KeepNoTrivia)!.ToFullString());
                    break;
                // A name may also be a type's.
                case TypeSyntax
                    when node.Parent is not (BinaryExpressionSyntax
                        or ArgumentSyntax or EqualsValueClauseSyntax or ParenthesizedExpressionSyntax):
                    break;
                // A loop must still end.
                case ExpressionSyntax
                    when node.AncestorsAndSelf().Any(n => n.Parent is ForStatementSyntax loop && n != loop.Statement):
                    break;
                case ExpressionSyntax expression:
                    foreach (var simpler in Simpler(expression))
                        steps.Add(() => root.ReplaceNode(node, simpler).ToFullString());
                    break;
            }
            foreach (var inside in Inside(node)) steps.Add(() => root.ReplaceNode(node, inside).ToFullString());
        }
        return steps;
    }

    /// <summary>A compound statement can become one of those in it.</summary>
    private static IEnumerable<SyntaxNode> Inside(SyntaxNode node) => node switch
    {
        IfStatementSyntax test => [test.Statement, .. test.Else is { } other ? new[] { other.Statement } : []],
        ForStatementSyntax loop => [loop.Statement],
        _ => [],
    };

    private static IEnumerable<ExpressionSyntax> Simpler(ExpressionSyntax expression)
    {
        var parts = expression switch
        {
            BinaryExpressionSyntax binary => [binary.Left, binary.Right],
            ConditionalExpressionSyntax choice => [choice.WhenTrue, choice.WhenFalse],
            ParenthesizedExpressionSyntax inner => [inner.Expression],
            CheckedExpressionSyntax { Expression: CastExpressionSyntax cast } => [cast.Expression],
            CastExpressionSyntax cast => [cast.Expression],
            PrefixUnaryExpressionSyntax unary => [unary.Operand],
            InvocationExpressionSyntax call => call.ArgumentList.Arguments.Select(a => a.Expression),
            _ => Enumerable.Empty<ExpressionSyntax>(),
        };
        return expression is LiteralExpressionSyntax
            ? []
            : parts.Append(SyntaxFactory.ParseExpression("0")).Append(SyntaxFactory.ParseExpression("true"));
    }
}
