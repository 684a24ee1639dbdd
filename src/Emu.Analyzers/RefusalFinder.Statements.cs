using Emu.Compiler.Refusals;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Emu.Analyzers;

internal sealed partial class RefusalFinder
{
    public override void VisitTry(ITryOperation operation) =>
        Find(
            operation.Catches.IsEmpty ? Refusal.Finally(method.Name) : Refusal.Catch(method.Name),
            ((TryStatementSyntax)operation.Syntax).TryKeyword);

    public override void VisitLock(ILockOperation operation) =>
        Find(Refusal.Lock, ((LockStatementSyntax)operation.Syntax).LockKeyword);

    public override void VisitUsing(IUsingOperation operation) =>
        Find(Refusal.Using, ((UsingStatementSyntax)operation.Syntax).UsingKeyword);

    public override void VisitUsingDeclaration(IUsingDeclarationOperation operation) =>
        Find(Refusal.Using, ((LocalDeclarationStatementSyntax)operation.Syntax).UsingKeyword);

    public override void VisitForEachLoop(IForEachLoopOperation operation)
    {
        if (Enumerated(operation) is { } type)
            Find(
                Refusal.ForEach(SymbolNames.Of(type)), ((CommonForEachStatementSyntax)operation.Syntax).ForEachKeyword);
        else
            base.VisitForEachLoop(operation);
    }

    public override void VisitThrow(IThrowOperation operation)
    {
        var exception = operation.Exception;
        while (exception is IConversionOperation { IsImplicit: true } conversion) exception = conversion.Operand;
        // An exception that the constructor has made is the service's own refusal, and says itself why.
        if (exception is not (IObjectCreationOperation or IFieldReferenceOperation or IPropertyReferenceOperation))
            Find(Refusal.Throw, operation);
        base.VisitThrow(operation);
    }

    public override void VisitSwitchExpression(ISwitchExpressionOperation operation)
    {
        if (!operation.IsExhaustive)
            Find(Refusal.UnmatchedSwitch, ((SwitchExpressionSyntax)operation.Syntax).SwitchKeyword);
        base.VisitSwitchExpression(operation);
    }

    /// <summary>
    /// The type whose GetEnumerator a foreach calls, if the enumerator is disposed of; null for spans and arrays.
    /// </summary>
    private static ITypeSymbol? Enumerated(IForEachLoopOperation loop)
    {
        var collection = loop.Collection;
        while (collection is IConversionOperation { IsImplicit: true } conversion) collection = conversion.Operand;
        // C# counts through a span, though its enumerator can be disposed of since .NET 10.
        if (collection.Type is IArrayTypeSymbol or { SpecialType: SpecialType.System_String }
            || collection.Type is { Name: "Span" or "ReadOnlySpan", ContainingNamespace.Name: "System" }
            || loop.SemanticModel is not { } model
            || loop.Syntax is not CommonForEachStatementSyntax syntax)
            return null;
        var info = model.GetForEachStatementInfo(syntax);
        return info.DisposeMethod is null ? null : info.GetEnumeratorMethod?.ContainingType;
    }

    /// <summary>
    /// Memory on the stack and addresses, for which Roslyn has no operations; tells if the operation is one of them.
    /// </summary>
    private bool FindUnsafe(IOperation operation)
    {
        switch (operation.Syntax)
        {
            case StackAllocArrayCreationExpressionSyntax allocation:
                FindStack(allocation, operation.SemanticModel);
                return true;
            case FixedStatementSyntax statement:
                foreach (var variable in statement.Declaration.Variables)
                {
                    var value = variable.Initializer?.Value;
                    var type = value is null ? null : operation.SemanticModel?.GetTypeInfo(value).Type;
                    Find(type is IArrayTypeSymbol ? Refusal.AddressAsNumber : Refusal.FixedSpan, variable);
                }
                return true;
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.PointerIndirectionExpression } address:
                Find(Refusal.UnknownAddress, address);
                return true;
            default:
                return false;
        }
    }

    private void FindStack(StackAllocArrayCreationExpressionSyntax allocation, SemanticModel? model)
    {
        var size = (allocation.Type as ArrayTypeSyntax)?.RankSpecifiers[0].Sizes[0];
        if (size is not (null or OmittedArraySizeExpressionSyntax)
            && model?.GetConstantValue(size) is { HasValue: false })
            Find(Refusal.ComputedStackSize, allocation);
        else if (allocation.Ancestors().Any(IsLoop))
            Find(Refusal.StackInLoop, allocation);
    }

    private static bool IsLoop(SyntaxNode node) =>
        node is ForStatementSyntax or WhileStatementSyntax or DoStatementSyntax or CommonForEachStatementSyntax;

    private void Find(Refusal refusal, SyntaxToken token)
    {
        _found++;
        report(Rules.Diagnostic(refusal, token.GetLocation()));
    }
}
