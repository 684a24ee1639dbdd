using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>An arithmetic instruction (ECMA-335 §III.3).</summary>
    private Value Compute(ArithmeticInstruction instruction, Value left, Value right)
    {
        if (instruction.IsShift) return Shift(instruction.Opcode, left, right);

        // A native int may meet an int32 (ECMA-335 table III.2).
        var width = Math.Max(left.Width, right.Width);
        (left, right) = (_builder.Resize(left, width, isSigned: true), _builder.Resize(right, width, isSigned: true));
        if (instruction.IsChecked) return Checked(instruction, left, right);
        if (instruction.IsDivision && _thread is not null && _thread.Shared.Places.Divides(_builder.Location, width))
            return DivideSerially(instruction, left, right);
        if (instruction.IsDivision) RequireDivisible(instruction.IsUnsigned, left, right);
        return _builder.Current is null ? left : _builder.Emit(instruction.Opcode, width, left, right);
    }

    /// <summary>A division that is spread over cycles: the code is that of Emu.Clocked.</summary>
    private Value DivideSerially(ArithmeticInstruction instruction, Value left, Value right)
    {
        var type = (left.Width, instruction.IsUnsigned) switch
        {
            (32, true) => typeof(uint),
            (32, false) => typeof(int),
            (64, true) => typeof(ulong),
            _ => typeof(long),
        };
        var isQuotient = instruction.Opcode is Opcode.DivideUnsigned or Opcode.DivideSigned;
        var method = typeof(SerialDivision).GetMethod(SerialDivision.NameOf(isQuotient), [type, type])!;
        return _builder.Current is null ? left : NumberOf(Inline(method, [new Scalar(left), new Scalar(right)])!);
    }

    /// <summary>
    /// x86 and the C# compiler take the count modulo the width; beyond it CIL leaves the result open (§III.3.58).
    /// </summary>
    private Value Shift(Opcode opcode, Value left, Value right)
    {
        var count = _builder.Emit(
            Opcode.And, right.Width, right, SsaBuilder.Constant(right.Width, (UInt128)(left.Width - 1)));
        return _builder.Emit(opcode, left.Width, left, count);
    }

    private void RequireDivisible(bool isUnsigned, Value left, Value right)
    {
        _builder.Require(
            _builder.Not(_builder.Emit(Opcode.Equal, 1, right, SsaBuilder.Constant(right.Width, 0))),
            FaultKind.DivideByZero);
        if (isUnsigned || _builder.Current is null) return;
        var isMinusOne = _builder.Emit(Opcode.Equal, 1, right, SsaBuilder.Constant(right.Width, UInt128.MaxValue));
        var isLeast = _builder.Emit(
            Opcode.Equal, 1, left, SsaBuilder.Constant(left.Width, UInt128.One << (left.Width - 1)));
        _builder.Require(_builder.Not(_builder.Emit(Opcode.And, 1, isMinusOne, isLeast)), FaultKind.Overflow);
    }

    /// <summary>Computes in twice the width, and requires that the result is the same when cut.</summary>
    private Value Checked(ArithmeticInstruction instruction, Value left, Value right)
    {
        var (width, isUnsigned) = (left.Width, instruction.IsUnsigned);
        if (width > 64) return CheckedWide(instruction, left, right);
        var wide = 2 * width;
        var result = _builder.Emit(
            instruction.Opcode,
            wide,
            _builder.Resize(left, wide, !isUnsigned),
            _builder.Resize(right, wide, !isUnsigned));
        var cut = _builder.Resize(result, width);
        _builder.Require(
            _builder.Emit(Opcode.Equal, 1, result, _builder.Resize(cut, wide, !isUnsigned)), FaultKind.Overflow);
        return cut;
    }

    /// <summary>Sums and differences of 128 bits: overflow is seen in the carry, or in the signs.</summary>
    private Value CheckedWide(ArithmeticInstruction instruction, Value left, Value right)
    {
        if (instruction.Opcode is not (Opcode.Add or Opcode.Subtract))
            throw Refuse(Refusal.WideCheckedProduct);
        var width = left.Width;
        var result = _builder.Emit(instruction.Opcode, width, left, right);
        Value Xor(Value a, Value b) => _builder.Emit(Opcode.Xor, width, a, b);
        var overflow = (instruction.Opcode == Opcode.Add, instruction.IsUnsigned) switch
        {
            (true, true) => _builder.Emit(Opcode.LessUnsigned, 1, result, left),
            (false, true) => _builder.Emit(Opcode.LessUnsigned, 1, left, right),
            (true, false) => IsNegative(_builder.Emit(Opcode.And, width, Xor(left, result), Xor(right, result))),
            (false, false) => IsNegative(_builder.Emit(Opcode.And, width, Xor(left, right), Xor(left, result))),
        };
        _builder.Require(_builder.Not(overflow), FaultKind.Overflow);
        return result;
    }

    private Value IsNegative(Value value) =>
        _builder.Emit(Opcode.LessSigned, 1, value, SsaBuilder.Constant(value.Width, 0));

    /// <summary>A comparison, of numbers or of references.</summary>
    private Value Compare(ComparisonInstruction instruction, AbstractValue left, AbstractValue right)
    {
        if (left is not Scalar { Value: var a } || right is not Scalar { Value: var b })
            return CompareReferences(instruction, left, right);
        var width = Math.Max(a.Width, b.Width);
        (a, b) = (_builder.Resize(a, width, isSigned: true), _builder.Resize(b, width, isSigned: true));
        if (instruction.IsSwapped) (a, b) = (b, a);
        var holds = _builder.Emit(instruction.Opcode, 1, a, b);
        return instruction.IsNegated ? _builder.Not(holds) : holds;
    }

    /// <summary><c>cgt.un</c> of a reference and null is how compilers write "is not null".</summary>
    private Value CompareReferences(ComparisonInstruction instruction, AbstractValue left, AbstractValue right)
    {
        if (instruction.IsSameReference is not { } asksForSame) throw RefuseAddress();
        var isSame = (left, right) switch
        {
            (Reference a, Reference b) => IsSameObject(a, b),
            // Boxes, delegates and captured variables are made here: they are not null, and nothing else is them.
            _ => SsaBuilder.Constant(
                1, left is Pointer a && right is Pointer b && a.Equals(b) ? UInt128.One : UInt128.Zero),
        };
        return asksForSame ? isSame : _builder.Not(isSame);
    }

    /// <summary>Numbers the objects that either reference can be, and compares the numbers.</summary>
    private Value IsSameObject(Reference left, Reference right)
    {
        var objects = left.Candidates.Concat(right.Candidates).Distinct(ReferenceEqualityComparer.Instance).ToList();
        return _builder.Emit(Opcode.Equal, 1, Chosen(left, Number), Chosen(right, Number));

        Value Number(object? candidate) =>
            SsaBuilder.Constant(32, (UInt128)objects.FindIndex(o => ReferenceEquals(o, candidate)));
    }

    /// <summary>True if a reference is not null.</summary>
    private Value IsNotNull(Reference reference) =>
        Chosen(reference, candidate => SsaBuilder.Constant(1, candidate is null ? UInt128.Zero : UInt128.One));

    /// <summary>A number that depends on which object a reference is.</summary>
    private Value Chosen(Reference reference, Func<object?, Value> number)
    {
        var values = reference.Candidates.Select(number).ToList();
        if (values.All(v => Constant.Is(v, ((Constant)values[0]).Bits))) return values[0];
        var chosen = values[0];
        for (var i = 1; i < values.Count; i++)
            chosen = _builder.Emit(
                Opcode.Select, chosen.Width,
                _builder.Emit(
                    Opcode.Equal, 1, reference.Selector!, SsaBuilder.Constant(reference.Selector!.Width, (UInt128)i)),
                values[i], chosen);
        return chosen;
    }

    /// <summary>The reference, which is not null; else the event ends in a fault.</summary>
    private Reference NotNull(Reference reference)
    {
        if (!reference.Candidates.Contains(null)) return reference;
        _builder.Require(IsNotNull(reference), FaultKind.NullReference);
        var any = reference.Candidates.FirstOrDefault(candidate => candidate is not null);
        return any is null
            ? reference
            : reference.With([.. reference.Candidates.Select(candidate => candidate ?? any)]);
    }

    /// <summary><c>isinst</c>, and <c>castclass</c> of what is sure to be of the type.</summary>
    private AbstractValue CastTo(Type type, AbstractValue value, bool isRequired)
    {
        switch (value)
        {
            case Boxed box:
                return type.IsAssignableFrom(box.Type) ? box
                    : isRequired ? throw RefuseCast(type)
                    : new Reference((object?)null);
            case Reference reference when isRequired:
                return reference.Candidates.All(candidate => candidate is null || type.IsInstanceOfType(candidate))
                    ? reference
                    : throw RefuseCast(type);
            case Reference reference:
                return reference.With(
                    [.. reference.Candidates.Select(candidate => type.IsInstanceOfType(candidate) ? candidate : null)]);
            default:
                throw RefuseCast(type);
        }
    }

    private CompileException RefuseCast(Type type) =>
        Refuse(
            DiagnosticNumber.UnknownObject,
            $"something is cast to {type.Name} that may be of another type; test for it with 'is {type.Name} name'");

    private Value NumberOf(AbstractValue value) =>
        value is Scalar scalar
            ? scalar.Value
            : throw RefuseAddress();

    private CompileException RefuseAddress() =>
        Refuse(Refusal.AddressAsNumber);

    /// <summary>A conversion.</summary>
    private Value Convert(ConversionInstruction instruction, AbstractValue operand)
    {
        var value = NumberOf(operand);
        var (width, isSigned, isChecked, fromUnsigned) = instruction;
        if (isChecked) RequireInRange(value, width, isSigned, fromUnsigned);
        if (_builder.Current is null) return SsaBuilder.Constant(Math.Max(32, width), 0);
        // conv.u8 extends by zeros, conv.i8 by the sign; narrow results go back to 32 bits by their own signedness.
        var cut = _builder.Resize(value, width, isChecked ? !fromUnsigned : isSigned);
        return width < 32 ? _builder.Resize(cut, 32, isSigned) : cut;
    }

    private void RequireInRange(Value value, int width, bool isSigned, bool fromUnsigned)
    {
        var wide = Math.Max(value.Width, width);
        if (wide < Value.MaxWidth)
        {
            var exact = _builder.Resize(value, wide + 1, !fromUnsigned);
            _builder.Require(
                _builder.Emit(
                    Opcode.Equal, 1, exact, _builder.Resize(_builder.Resize(exact, width), wide + 1, isSigned)),
                FaultKind.Overflow);
            return;
        }
        // There is no wider type to compare in: the value must survive the way there and back, and not change its sign.
        var back = _builder.Resize(_builder.Resize(value, width, !fromUnsigned), wide, isSigned);
        _builder.Require(
            _builder.Emit(Opcode.Equal, 1, _builder.Resize(value, wide, !fromUnsigned), back), FaultKind.Overflow);
        if (isSigned == fromUnsigned)
            _builder.Require(_builder.Not(IsNegative(fromUnsigned ? back : value)), FaultKind.Overflow);
    }

    /// <summary>The length of an array, of width 32.</summary>
    private Value LengthOf(AbstractValue value)
    {
        if (value is not Reference reference)
            throw Refuse(DiagnosticNumber.InvalidCil, "the length of something that is no array");
        var array = NotNull(reference);
        if (array.Candidates.Any(candidate => candidate is Array { Rank: > 1 }))
            throw Refuse(Refusal.ArrayOfSeveralDimensions);
        var lengths = array.Candidates.Select(candidate => (candidate as Array)?.Length ?? 0);
        return _builder.Choose(
            [.. lengths.Select(length => SsaBuilder.Constant(32, (UInt128)length))], array.Selector);
    }

    /// <summary>An element of an array, if the index is inside.</summary>
    private ElementLocation Element(Reference reference, Value index, Type? type)
    {
        var array = NotNull(reference);
        var length = LengthOf(array);
        // An index of a native width is compared as it is.
        _builder.Require(
            _builder.Emit(Opcode.LessUnsigned, 1, index, _builder.Resize(length, index.Width)),
            FaultKind.IndexOutOfRange);
        var elementType = array.Target?.GetType().GetElementType() ?? type ?? typeof(object);
        // An enum or a sign may differ between the instruction's type and the array's; the array's is what is stored.
        return new ElementLocation(array, _builder.Resize(index, 32),
            type is null || type == typeof(object) || Types.Width(type) is not null ? elementType : type, []);
    }
}
