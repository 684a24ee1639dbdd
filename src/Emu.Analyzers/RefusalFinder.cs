using Emu.Compiler.Refusals;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace Emu.Analyzers;

/// <summary>
/// Finds in the code of one method what hardware has not. Of one statement each number is said once, and what is inside
/// of a refused expression is not said again: the compiler stops there as well.
/// </summary>
/// <param name="method">The method that is looked at.</param>
/// <param name="compiled">All methods that become hardware.</param>
/// <param name="report">Takes what is found.</param>
internal sealed partial class RefusalFinder(
    IMethodSymbol method, CompiledMethods compiled, Action<Diagnostic> report) : OperationWalker
{
    private const int DeepestCall = 64;

    private readonly HashSet<(int Number, SyntaxNode? Statement)> _said = [];
    private int _found;

    public override void Visit(IOperation? operation)
    {
        if (operation?.Kind == OperationKind.None && FindUnsafe(operation)) return;
        base.Visit(operation);
    }

    public override void VisitInvocation(IInvocationOperation operation)
    {
        if (IsLeftOut(operation)) return;
        if (OfCall(operation.TargetMethod, operation.Syntax) is not { } refusal)
        {
            if (IsRecursion(operation)) Find(Refusal.Recursion(DeepestCall), operation);
            base.VisitInvocation(operation);
            return;
        }
        // The receiver, and arguments of floating point, are computed before the call.
        if (FindsIn(operation.Instance)) return;
        if (SymbolNames.IsFloatingPoint(operation.TargetMethod.ReturnType) && FindsInside(operation)) return;
        Find(refusal, operation);
    }

    /// <summary>An attribute is no code.</summary>
    public override void VisitAttribute(IAttributeOperation operation)
    {
    }

    public override void VisitPropertyReference(IPropertyReferenceOperation operation)
    {
        var property = operation.Property;
        if (property.ContainingType is { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T }
            && property.Name == "Value")
            Find(Refusal.NullableValue, operation);
        else if (property.ContainingType.SpecialType != SpecialType.System_Array
            && OfCall((property.GetMethod ?? property.SetMethod)!, operation.Syntax) is { } refusal)
        {
            if (!FindsIn(operation.Instance)) Find(refusal, operation);
        }
        else
            base.VisitPropertyReference(operation);
    }

    /// <summary>A call that the C# compiler leaves out, such as that of an assertion in a release.</summary>
    private static bool IsLeftOut(IInvocationOperation operation) =>
        operation.TargetMethod.GetAttributes().Any(attribute =>
            attribute.AttributeClass is { Name: "ConditionalAttribute" });

    /// <summary>
    /// A method that calls itself. By way of another object it need not end in itself: a rule of rules is as deep as
    /// the constructor has made it.
    /// </summary>
    private bool IsRecursion(IInvocationOperation operation) =>
        operation.TargetMethod is { IsVirtual: false, IsAbstract: false }
        && operation.Instance is null or IInstanceReferenceOperation or { Type.IsValueType: true }
        && compiled.IsRecursive(method, SymbolNames.Definition(operation.TargetMethod));

    /// <summary>The refusal of a call; null where the editor knows of none.</summary>
    private static Refusal? OfCall(IMethodSymbol called, SyntaxNode place)
    {
        called = SymbolNames.Definition(called);
        var type = SymbolNames.Of(called.ContainingType);
        var member = SymbolNames.Member(called);
        if (called.MethodKind is MethodKind.DelegateInvoke or MethodKind.LocalFunction) return OfBody(called);
        if (!SymbolNames.IsOfDotNet(called.ContainingType))
            return WaysOut.IsListed(type, member) ? Refusal.OfMember(type, member) : OfBody(called);
        if (DotNetModels.HasModel(type, called)) return null;
        if (called.IsStatic && IsException(called.ContainingType)) return Refusal.ThrowHelper(type, member);
        if (DotNetModels.IsPlain(type))
        {
            return WaysOut.IsListed(type, member) || WaysOut.FindByName(member)?.Number is not null
                ? Refusal.OfMember(type, member)
                : called.Parameters.Select(p => p.Type).Append(called.ReturnType).Any(SymbolNames.IsFloatingPoint)
                ? Refusal.FloatingPoint
                : null;
        }
        return IsOfAnyObject(called) || place is ForEachStatementSyntax ? null : Refusal.OfMember(type, member);
    }

    /// <summary>
    /// Members that the service's own types inherit or implement: the compiler looks at what stands behind them.
    /// </summary>
    private static bool IsOfAnyObject(IMethodSymbol called) =>
        called.ContainingType.SpecialType is SpecialType.System_Object or SpecialType.System_ValueType
            && called.Name != "GetType"
        || called.ContainingType is { TypeKind: TypeKind.Interface, ContainingNamespace.Name: "Numerics" }
        || called is { IsAbstract: true, IsStatic: true };

    /// <summary>A method of the service's own that has no body, or one that the C# compiler makes objects of.</summary>
    private static Refusal? OfBody(IMethodSymbol called) =>
        called.IsAsync ? Refusal.AsyncCall
        : called.IsExtern ? Refusal.NoCode(called.ContainingType?.Name, called.Name)
        : CompiledMethods.IsIterator(called) ? Refusal.NewObject(new TypeNames(
            $"<{called.Name}>d", "", $"<{called.Name}>d", ["System.Collections.IEnumerable"]))
        : null;

    private static bool IsException(ITypeSymbol? type)
    {
        for (; type is not null; type = type.BaseType)
        {
            if (type is { Name: "Exception", ContainingNamespace.Name: "System" }) return true;
        }
        return false;
    }

    /// <summary>Looks at the parts of an operation, and tells whether anything was found there.</summary>
    private bool FindsInside(IOperation operation)
    {
        var before = _found;
        foreach (var child in operation.ChildOperations) Visit(child);
        return _found != before;
    }

    private bool FindsIn(IOperation? operation)
    {
        var before = _found;
        Visit(operation);
        return _found != before;
    }

    private void Find(Refusal refusal, IOperation operation) => Find(refusal, operation.Syntax);

    private void Find(Refusal refusal, SyntaxNode syntax)
    {
        _found++;
        var statement = syntax.AncestorsAndSelf().FirstOrDefault(node =>
            node is StatementSyntax or ArrowExpressionClauseSyntax or VariableDeclaratorSyntax);
        if (_said.Add((refusal.Number, statement))) report(Rules.Diagnostic(refusal, syntax.GetLocation()));
    }
}
