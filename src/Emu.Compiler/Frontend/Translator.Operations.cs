namespace Emu.Compiler;

internal sealed partial class Translator
{
    /// <summary>The arithmetic instructions (ECMA-335 §III.3).</summary>
    private Value Binary(string name, Value left, Value right)
    {
        var isChecked = name.Contains(".ovf", StringComparison.Ordinal);
        var isUnsigned = name.EndsWith(".un", StringComparison.Ordinal);
        var operation = name.Split('.')[0];
        if (operation is "shl" or "shr") return Shift(operation, isUnsigned, left, right);

        // A native int may meet an int32 (ECMA-335 table III.2).
        var width = Math.Max(left.Width, right.Width);
        (left, right) = (_builder.Resize(left, width, isSigned: true), _builder.Resize(right, width, isSigned: true));
        if (isChecked) return Checked(operation, isUnsigned, left, right);
        switch (operation)
        {
            case "div" or "rem":
                RequireDivisible(isUnsigned, left, right);
                return _builder.Current is null ? left : _builder.Emit(DivisionOf(operation, isUnsigned), width, left, right);
            default:
                return _builder.Emit(OpcodeOf(operation), width, left, right);
        }
    }

    private static Opcode OpcodeOf(string operation) => operation switch
    {
        "add" => Opcode.Add,
        "sub" => Opcode.Subtract,
        "mul" => Opcode.Multiply,
        "and" => Opcode.And,
        "or" => Opcode.Or,
        _ => Opcode.Xor,
    };

    private static Opcode DivisionOf(string operation, bool isUnsigned) => (operation, isUnsigned) switch
    {
        ("div", true) => Opcode.DivideUnsigned,
        ("div", false) => Opcode.DivideSigned,
        (_, true) => Opcode.RemainderUnsigned,
        _ => Opcode.RemainderSigned,
    };

    /// <summary>x86 and the C# compiler take the count modulo the width; beyond it CIL leaves the result open (§III.3.58).</summary>
    private Value Shift(string operation, bool isUnsigned, Value left, Value right)
    {
        var count = _builder.Emit(Opcode.And, right.Width, right, SsaBuilder.Constant(right.Width, (UInt128)(left.Width - 1)));
        return _builder.Emit(operation == "shl" ? Opcode.ShiftLeft : isUnsigned ? Opcode.ShiftRight : Opcode.ShiftRightSigned, left.Width, left, count);
    }

    private void RequireDivisible(bool isUnsigned, Value left, Value right)
    {
        _builder.Require(_builder.Not(_builder.Emit(Opcode.Equal, 1, right, SsaBuilder.Constant(right.Width, 0))), FaultKind.DivideByZero);
        if (isUnsigned || _builder.Current is null) return;
        var isMinusOne = _builder.Emit(Opcode.Equal, 1, right, SsaBuilder.Constant(right.Width, UInt128.MaxValue));
        var isLeast = _builder.Emit(Opcode.Equal, 1, left, SsaBuilder.Constant(left.Width, UInt128.One << (left.Width - 1)));
        _builder.Require(_builder.Not(_builder.Emit(Opcode.And, 1, isMinusOne, isLeast)), FaultKind.Overflow);
    }

    /// <summary>Computes in twice the width, and requires that the result is the same when cut.</summary>
    private Value Checked(string operation, bool isUnsigned, Value left, Value right)
    {
        var width = left.Width;
        if (width > 64) throw Refuse(15, "checked arithmetic on more than 64 bits does not compile; test the operands first");
        var wide = 2 * width;
        var result = _builder.Emit(OpcodeOf(operation), wide, _builder.Resize(left, wide, !isUnsigned), _builder.Resize(right, wide, !isUnsigned));
        var cut = _builder.Resize(result, width);
        _builder.Require(_builder.Emit(Opcode.Equal, 1, result, _builder.Resize(cut, wide, !isUnsigned)), FaultKind.Overflow);
        return cut;
    }

    /// <summary>The comparisons, for numbers and for references: the end of a branch's or an instruction's name (§III.3, §III.4).</summary>
    private Value Compare(string name, Abstract left, Abstract right)
    {
        if (left is not Scalar || right is not Scalar) return CompareReferences(name, left, right);
        var isUnsigned = name.EndsWith(".un", StringComparison.Ordinal);
        var (a, b) = (((Scalar)left).Value, ((Scalar)right).Value);
        var width = Math.Max(a.Width, b.Width);
        (a, b) = (_builder.Resize(a, width, isSigned: true), _builder.Resize(b, width, isSigned: true));
        var less = isUnsigned ? Opcode.LessUnsigned : Opcode.LessSigned;
        return name.Split('.')[0] switch
        {
            "eq" => _builder.Emit(Opcode.Equal, 1, a, b),
            "ne" => _builder.Not(_builder.Emit(Opcode.Equal, 1, a, b)),
            "lt" => _builder.Emit(less, 1, a, b),
            "gt" => _builder.Emit(less, 1, b, a),
            "ge" => _builder.Not(_builder.Emit(less, 1, a, b)),
            _ => _builder.Not(_builder.Emit(less, 1, b, a)),
        };
    }

    /// <summary><c>cgt.un</c> of a reference and null is how compilers write "is not null".</summary>
    private Value CompareReferences(string name, Abstract left, Abstract right)
    {
        if (left is not Reference { IsKnown: true } a || right is not Reference { IsKnown: true } b) throw Refuse(5, "references are compared of which one is not known at compile time");
        var isSame = SsaBuilder.Constant(1, ReferenceEquals(a.Target, b.Target) ? UInt128.One : UInt128.Zero);
        return name.StartsWith("eq", StringComparison.Ordinal) ? isSame : _builder.Not(isSame);
    }

    /// <summary>Whether a reference is not null.</summary>
    private Constant IsNotNull(Reference reference)
    {
        var isNull = reference.Candidates.Select(candidate => candidate is null).Distinct().ToList();
        if (isNull.Count > 1) throw Refuse(5, "whether an object is null is not known at compile time");
        return SsaBuilder.Constant(1, isNull[0] ? UInt128.Zero : UInt128.One);
    }

    /// <summary>The conversions (§III.3.27 to §III.3.29).</summary>
    private Value Convert(string name, Abstract operand)
    {
        if (operand is not Scalar scalar) throw Refuse(12, $"{name} of an address does not compile");
        var parts = name.Split('.');
        if (parts.Any(part => part.StartsWith('r'))) throw Refuse(13, "floating point does not compile; use integers, scaled where needed");
        var isChecked = parts[1] == "ovf";
        var target = parts[isChecked ? 2 : 1];
        var fromUnsigned = parts[^1] == "un";
        var isSigned = target[0] == 'i';
        var width = target.Length == 1 ? 64 : 8 * (target[1] - '0');
        var value = scalar.Value;
        if (isChecked) RequireInRange(value, width, isSigned, fromUnsigned);
        if (_builder.Current is null) return SsaBuilder.Constant(Math.Max(32, width), 0);
        // conv.u8 extends by zeros, conv.i8 by the sign; narrow results go back to 32 bits by their own signedness.
        var cut = _builder.Resize(value, width, isChecked ? !fromUnsigned : isSigned);
        return width < 32 ? _builder.Resize(cut, 32, isSigned) : cut;
    }

    private void RequireInRange(Value value, int width, bool isSigned, bool fromUnsigned)
    {
        var wide = Math.Max(value.Width, width) + 1;
        var exact = _builder.Resize(value, wide, !fromUnsigned);
        var cut = _builder.Resize(_builder.Resize(exact, width), wide, isSigned);
        _builder.Require(_builder.Emit(Opcode.Equal, 1, exact, cut), FaultKind.Overflow);
    }

    /// <summary>The length of an array, of width 32.</summary>
    private Constant LengthOf(Reference array)
    {
        if (array.Candidates.Contains(null)) throw Refuse(4, "the length of null");
        var lengths = array.Candidates.Select(candidate => ((Array)candidate!).Length).Distinct().ToList();
        if (lengths.Count > 1) throw Refuse(5, "one of several arrays of different lengths is used; give them the same length");
        return SsaBuilder.Constant(32, (UInt128)lengths[0]);
    }

    /// <summary>An element of an array, if the index is inside.</summary>
    private ElementPlace Element(Reference array, Value index, Type? type)
    {
        var length = LengthOf(array);
        var isInside = index.Width == 32 ? _builder.Emit(Opcode.LessUnsigned, 1, index, length) : _builder.Emit(Opcode.LessUnsigned, 1, index, _builder.Resize(length, index.Width));
        _builder.Require(isInside, FaultKind.IndexOutOfRange);
        var elementType = array.Target!.GetType().GetElementType()!;
        var known = _builder.Current is null ? SsaBuilder.Constant(32, 0) : _builder.Resize(index, 32);
        // An enum or a sign may differ between the instruction's type and the array's; the array's is what is stored.
        return new ElementPlace(array, known, type is null || type == typeof(object) || Types.Width(type) is not null ? elementType : type, []);
    }
}
