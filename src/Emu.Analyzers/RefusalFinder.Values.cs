using System.Runtime.InteropServices;
using Emu.Compiler.Refusals;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace Emu.Analyzers;

internal sealed partial class RefusalFinder
{
    public override void VisitFieldReference(IFieldReferenceOperation operation)
    {
        var field = operation.Field;
        if (operation.ConstantValue.HasValue) return;
        if (field is { IsStatic: true, IsReadOnly: false, IsConst: false })
            Find(Refusal.MutableStatic(field.MetadataName), operation);
        else if (field.IsFixedSizeBuffer)
            Find(Refusal.FixedBuffer(field.ContainingType.MetadataName), operation);
        else if (HasOverlap(field.ContainingType))
            Find(Refusal.OverlappingFields(field.ContainingType.MetadataName), operation);
        else if (SymbolNames.IsFloatingPoint(field.Type))
            Find(Refusal.FloatingType(field.Type.MetadataName), operation);
        else
            base.VisitFieldReference(operation);
    }

    public override void VisitSimpleAssignment(ISimpleAssignmentOperation operation)
    {
        FindWrite(operation.Target);
        base.VisitSimpleAssignment(operation);
    }

    public override void VisitCompoundAssignment(ICompoundAssignmentOperation operation)
    {
        FindWrite(operation.Target);
        base.VisitCompoundAssignment(operation);
    }

    public override void VisitCoalesceAssignment(ICoalesceAssignmentOperation operation)
    {
        FindWrite(operation.Target);
        base.VisitCoalesceAssignment(operation);
    }

    public override void VisitIncrementOrDecrement(IIncrementOrDecrementOperation operation)
    {
        FindWrite(operation.Target);
        base.VisitIncrementOrDecrement(operation);
    }

    public override void VisitObjectCreation(IObjectCreationOperation operation)
    {
        if (IsException(operation.Type))
            Find(Refusal.Exception(operation.Type!.MetadataName), operation);
        else if (operation.Type is { IsReferenceType: true } type)
            Find(Refusal.NewObject(SymbolNames.Of(type)), operation);
        else if (operation.Constructor is { } constructor && !constructor.IsImplicitlyDeclared
            && OfCall(constructor, operation.Syntax) is { } refusal)
            Find(refusal, operation);
        else
            base.VisitObjectCreation(operation);
    }

    public override void VisitAnonymousObjectCreation(IAnonymousObjectCreationOperation operation) =>
        Find(Refusal.NewObject(SymbolNames.Of(operation.Type!)), operation);

    public override void VisitArrayCreation(IArrayCreationOperation operation)
    {
        if (operation.DimensionSizes.Length > 1) Find(Refusal.ArrayOfSeveralDimensions, operation);
        else if (!IsData(operation)) Find(Refusal.NewArray, operation);
    }

    public override void VisitCollectionExpression(ICollectionExpressionOperation operation)
    {
        if (operation.Type is IArrayTypeSymbol && !operation.Elements.IsEmpty)
            Find(Refusal.NewArray, operation);
        else if (operation.Type is INamedTypeSymbol { IsReferenceType: true } type)
            Find(Refusal.NewObject(SymbolNames.Of(type)), operation);
        else
            base.VisitCollectionExpression(operation);
    }

    public override void VisitArrayElementReference(IArrayElementReferenceOperation operation)
    {
        if (operation.Indices.Length > 1)
            Find(Refusal.ArrayOfSeveralDimensions, operation);
        else if (operation.Indices[0].Type is { Name: "Range", ContainingNamespace.Name: "System" })
            Find(Refusal.RangeOfArray, operation);
        else
            base.VisitArrayElementReference(operation);
    }

    public override void VisitInterpolatedString(IInterpolatedStringOperation operation)
    {
        if (!operation.ConstantValue.HasValue) Find(Refusal.InterpolatedString, operation);
    }

    public override void VisitLiteral(ILiteralOperation operation)
    {
        if (SymbolNames.IsFloatingPoint(operation.Type)) Find(Refusal.FloatingPoint, operation);
    }

    public override void VisitBinaryOperator(IBinaryOperation operation)
    {
        if (operation.ConstantValue.HasValue) return;
        if (operation.Type?.SpecialType == SpecialType.System_String) FindConcatenation(operation);
        else if (operation.LeftOperand.Type?.SpecialType == SpecialType.System_String && IsOfTexts(operation))
            Find(Refusal.OfMember(SymbolNames.Of(operation.LeftOperand.Type), EqualityOf(operation)), operation);
        else if (operation is { IsChecked: true, OperatorKind: BinaryOperatorKind.Multiply }
            && operation.Type is { Name: "UInt128" or "Int128" })
            Find(Refusal.WideCheckedProduct, operation);
        else if (!FindsInside(operation))
        {
            if (SymbolNames.IsFloatingPoint(operation.LeftOperand.Type)) Find(Refusal.FloatingPoint, operation);
            else if (operation.OperatorMethod is { } called && OfCall(called, operation.Syntax) is { } refusal)
                Find(refusal, operation);
        }
    }

    public override void VisitConversion(IConversionOperation operation)
    {
        if (operation.ConstantValue.HasValue && !SymbolNames.IsFloatingPoint(operation.Type)) return;
        if (IsBoxForCall(operation, out var called))
        {
            Find(Refusal.Box(operation.Operand.Type!.MetadataName, called), operation);
            return;
        }
        if (FindsInside(operation)) return;
        if (operation.OperatorMethod is { } conversion)
        {
            if (operation.Type is { Name: "Index" or "Range", ContainingNamespace.Name: "System" }) return;
            if (OfCall(conversion, operation.Syntax) is { } refusal) Find(refusal, operation);
        }
        else if ((Decimal(operation.Type) ?? Decimal(operation.Operand.Type)) is { } @decimal)
            Find(Refusal.OfMember(SymbolNames.Of(@decimal), "op_Implicit"), operation);
        else if (SymbolNames.IsFloatingPoint(operation.Type) || SymbolNames.IsFloatingPoint(operation.Operand.Type))
            Find(Refusal.FloatingPoint, operation);
    }

    /// <summary>A static field's array is written, or a field is given another object.</summary>
    private void FindWrite(IOperation target)
    {
        if (target is IArrayElementReferenceOperation
            {
                ArrayReference: IFieldReferenceOperation { Field.IsStatic: true },
            })
            Find(Refusal.WrittenStatic, target);
        else if (KeptObject(target) is { } name)
            Find(Refusal.KeptObject(Refusal.CleanName(name)), target);
    }

    /// <summary>Decimal numbers are converted by methods, others by instructions.</summary>
    private static ITypeSymbol? Decimal(ITypeSymbol? type) =>
        type?.SpecialType == SpecialType.System_Decimal ? type : null;

    private static string? KeptObject(IOperation target) => target switch
    {
        IFieldReferenceOperation { Field: { IsStatic: false } field }
            when field.ContainingType.IsReferenceType && field.Type.IsReferenceType => field.Name,
        IPropertyReferenceOperation { Property: { IsStatic: false, IsIndexer: false } property }
            when property.ContainingType.IsReferenceType && property.Type.IsReferenceType && IsAutomatic(property)
            => property.Name,
        _ => null,
    };

    private static bool IsAutomatic(IPropertySymbol property) =>
        property.ContainingType.GetMembers().OfType<IFieldSymbol>()
            .Any(field => SymbolEqualityComparer.Default.Equals(field.AssociatedSymbol, property));

    private static bool HasOverlap(ITypeSymbol type) =>
        type.IsValueType && !SymbolNames.IsOfDotNet(type) && type.GetAttributes().Any(attribute =>
            attribute is { AttributeClass.Name: "StructLayoutAttribute", ConstructorArguments.Length: 1 }
            && Convert.ToInt32(attribute.ConstructorArguments[0].Value) == (int)LayoutKind.Explicit);

    /// <summary>Constants that the C# compiler puts into the assembly, and reads there through a span.</summary>
    private static bool IsData(IArrayCreationOperation operation) =>
        operation.Parent is IConversionOperation { Type: { Name: "ReadOnlySpan" } }
        && operation.Initializer is { } initializer
        && initializer.ElementValues.All(value => value.ConstantValue.HasValue);

    private static bool IsOfTexts(IBinaryOperation operation) =>
        operation.OperatorKind is BinaryOperatorKind.Equals or BinaryOperatorKind.NotEquals
        && operation.RightOperand is { ConstantValue: not { HasValue: true, Value: null } };

    private static string EqualityOf(IBinaryOperation operation) =>
        operation.OperatorKind == BinaryOperatorKind.Equals ? "op_Equality" : "op_Inequality";

    /// <summary>A string is put together: of a number's own text first, as the C# compiler does it.</summary>
    private void FindConcatenation(IBinaryOperation operation)
    {
        foreach (var operand in new[] { operation.LeftOperand, operation.RightOperand })
        {
            var value = operand is IConversionOperation { IsImplicit: true } conversion ? conversion.Operand : operand;
            if (value.Type is not { IsValueType: true } type) continue;
            Find(Refusal.OfMember(SymbolNames.Of(type), "ToString"), operation);
            return;
        }
        if (!FindsInside(operation)) Find(Refusal.InterpolatedString, operation);
    }

    private static bool IsBoxForCall(IConversionOperation operation, out string called)
    {
        called = "";
        if (operation is not
            {
                Type.IsReferenceType: true,
                Operand.Type: { IsValueType: true, IsRefLikeType: false },
                OperatorMethod: null,
                Parent: IArgumentOperation { Parent: IInvocationOperation { TargetMethod: var method } },
            })
            return false;
        called = method.Name;
        return true;
    }
}
