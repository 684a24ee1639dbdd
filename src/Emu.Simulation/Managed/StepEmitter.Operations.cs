using System.Numerics;
using System.Reflection;
using System.Reflection.Emit;
using Emu.Compiler.IR;

namespace Emu.Simulation;

/// <content>The CIL of each operation. All words of a value are below its width, always:
/// each operation may rely on it and keeps it so.</content>
internal sealed partial class StepEmitter
{
    private static readonly Dictionary<Opcode, MethodInfo> s_called = new Opcode[]
    {
        Opcode.Multiply, Opcode.DivideUnsigned, Opcode.DivideSigned, Opcode.RemainderUnsigned, Opcode.RemainderSigned,
        Opcode.ShiftLeft, Opcode.ShiftRight, Opcode.ShiftRightSigned, Opcode.PopCount, Opcode.LeadingZeros,
        Opcode.TrailingZeros,
    }.ToDictionary(
        o => o, o => Method(typeof(WideArithmetic), o.ToString(), typeof(UInt128), typeof(UInt128), typeof(int)));

    private static readonly MethodInfo s_low = Method(
        typeof(WideArithmetic), nameof(WideArithmetic.Low), typeof(UInt128));
    private static readonly MethodInfo s_high = Method(
        typeof(WideArithmetic), nameof(WideArithmetic.High), typeof(UInt128));
    private static readonly MethodInfo s_min = Method(typeof(Math), nameof(Math.Min), typeof(ulong), typeof(ulong));
    private static readonly MethodInfo s_popCount = Method(
        typeof(BitOperations), nameof(BitOperations.PopCount), typeof(ulong));
    private static readonly MethodInfo s_leadingZeros = Method(
        typeof(BitOperations), nameof(BitOperations.LeadingZeroCount), typeof(ulong));
    private static readonly MethodInfo s_trailingZeros = Method(
        typeof(BitOperations), nameof(BitOperations.TrailingZeroCount), typeof(ulong));
    private static readonly ConstructorInfo s_wide = typeof(UInt128).GetConstructor([typeof(ulong), typeof(ulong)])!;

    private static MethodInfo Method(Type type, string name, params Type[] parameters) =>
        type.GetMethod(name, parameters)!;

    private static ulong WordMask(int width, int word) => (ulong)(Arithmetic.Mask(width) >> 64 * word);

    private void EmitOperation(Operation operation)
    {
        if (IsCalled(operation)) EmitCall(operation);
        else for (var i = 0; i < WordsOf(operation); i++) SetWord(operation, i, () => LoadResult(operation, i));
    }

    private static bool IsCalled(Operation operation) => operation.Opcode switch
    {
        Opcode.DivideUnsigned or Opcode.DivideSigned or Opcode.RemainderUnsigned or Opcode.RemainderSigned => true,
        Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned
            when Step.Resolve(operation.Operands[1]) is Constant => false,
        _ => s_called.ContainsKey(operation.Opcode) && operation.Operands.Append(operation).Any(o => o.Width > 64),
    };

    private void EmitCall(Operation operation)
    {
        LoadWide(operation.Operands[0]);
        LoadWide(operation.Operands.Count > 1 ? operation.Operands[1] : new Constant(1, 0));
        _il.Emit(OpCodes.Ldc_I4, operation.Operands[0].Width);
        _il.Emit(OpCodes.Call, s_called[operation.Opcode]);
        var result = _il.DeclareLocal(typeof(UInt128));
        _il.Emit(OpCodes.Stloc, result);
        for (var i = 0; i < WordsOf(operation); i++)
        {
            SetWord(operation, i, () =>
            {
                _il.Emit(OpCodes.Ldloc, result);
                _il.Emit(OpCodes.Call, i == 0 ? s_low : s_high);
                And(WordMask(operation.Width, i));
            });
        }
    }

    private void LoadWide(Value value)
    {
        LoadWord(value, 1);
        LoadWord(value, 0);
        _il.Emit(OpCodes.Newobj, s_wide);
    }

    private void LoadResult(Operation operation, int i)
    {
        var (a, b) = (operation.Operands[0], operation.Operands.ElementAtOrDefault(1));
        switch (operation.Opcode)
        {
            case Opcode.Add: LoadSum(operation, i, OpCodes.Add); break;
            case Opcode.Subtract: LoadSum(operation, i, OpCodes.Sub); break;
            case Opcode.Multiply: LoadBoth(a, b!, i, OpCodes.Mul); break;
            case Opcode.And: LoadBoth(a, b!, i, OpCodes.And); return;
            case Opcode.Or: LoadBoth(a, b!, i, OpCodes.Or); return;
            case Opcode.Xor: LoadBoth(a, b!, i, OpCodes.Xor); return;
            case Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned:
                LoadShifted(operation, a, b!, i);
                break;
            case Opcode.Equal: LoadEqual(a, b!); return;
            case Opcode.LessUnsigned: LoadLess(a, b!, OpCodes.Clt_Un); return;
            case Opcode.LessSigned: LoadLess(a, b!, OpCodes.Clt); return;
            case Opcode.ZeroExtend: LoadWord(a, i); return;
            case Opcode.SignExtend: LoadSignedWord(a, i); break;
            case Opcode.Truncate or Opcode.Extract:
                LoadField(j => LoadWord(a, j), operation.Low, operation.Width, i);
                return;
            case Opcode.Concat: LoadShiftedLeft(a, b!.Width, i); LoadWord(b, i); _il.Emit(OpCodes.Or); return;
            case Opcode.Select: Choose(a, () => LoadWord(b!, i), () => LoadWord(operation.Operands[2], i)); return;
            case Opcode.PopCount: LoadCount(s_popCount, a); break;
            case Opcode.LeadingZeros:
                LoadCount(s_leadingZeros, a);
                Push((ulong)(64 - a.Width));
                _il.Emit(OpCodes.Sub);
                break;
            case Opcode.TrailingZeros: LoadTrailingZeros(a); break;
            default: throw new InvalidOperationException($"{operation.Opcode} is not emitted");
        }
        And(WordMask(operation.Width, i));
    }

    private void LoadBoth(Value a, Value b, int i, OpCode what)
    {
        LoadWord(a, i);
        LoadWord(b, i);
        _il.Emit(what);
    }

    private void LoadSum(Operation operation, int i, OpCode what)
    {
        var (a, b) = (operation.Operands[0], operation.Operands[1]);
        LoadBoth(a, b, i, what);
        if (i == 0) return;
        // A sum that is less than its part has a carry; a difference borrows when what it is taken from is less.
        if (what == OpCodes.Add) LoadBoth(operation, a, 0, OpCodes.Clt_Un);
        else LoadBoth(a, b, 0, OpCodes.Clt_Un);
        _il.Emit(OpCodes.Conv_U8);
        _il.Emit(what);
    }

    private void LoadEqual(Value a, Value b)
    {
        LoadBoth(a, b, 0, OpCodes.Xor);
        if (a.Width > 64)
        {
            LoadBoth(a, b, 1, OpCodes.Xor);
            _il.Emit(OpCodes.Or);
        }
        Push(0);
        Compare(OpCodes.Ceq);
    }

    private void LoadLess(Value a, Value b, OpCode compare)
    {
        var top = WordsOf(a) - 1;
        // Signed numbers compare as such once their sign is in the highest bit.
        var shift = compare == OpCodes.Clt ? 64 * (top + 1) - a.Width : 0;
        LoadWord(a, top);
        Shift(OpCodes.Shl, shift);
        LoadWord(b, top);
        Shift(OpCodes.Shl, shift);
        Compare(compare);
        if (top == 0) return;
        LoadBoth(a, b, 1, OpCodes.Ceq);
        LoadBoth(a, b, 0, OpCodes.Clt_Un);
        _il.Emit(OpCodes.And);
        _il.Emit(OpCodes.Conv_U8);
        _il.Emit(OpCodes.Or);
    }

    private void Compare(OpCode compare)
    {
        _il.Emit(compare);
        _il.Emit(OpCodes.Conv_U8);
    }

    private void LoadCount(MethodInfo count, Value a)
    {
        LoadWord(a, 0);
        _il.Emit(OpCodes.Call, count);
        _il.Emit(OpCodes.Conv_U8);
    }

    /// <summary>A one above a narrow word ends the count at its width.</summary>
    private void LoadTrailingZeros(Value a)
    {
        LoadWord(a, 0);
        if (a.Width < 64)
        {
            Push(1UL << a.Width);
            _il.Emit(OpCodes.Or);
        }
        _il.Emit(OpCodes.Call, s_trailingZeros);
        _il.Emit(OpCodes.Conv_U8);
    }

    private void LoadShifted(Operation operation, Value a, Value b, int i)
    {
        if (Step.Resolve(b) is Constant constant)
            LoadShiftedByConstant(operation, a, (int)UInt128.Min(constant.Bits, (UInt128)a.Width), i);
        else if (operation.Opcode == Opcode.ShiftRightSigned)
        {
            LoadSignedWord(a, 0);
            LoadWord(b, 0);
            Push(63);
            _il.Emit(OpCodes.Call, s_min);
            _il.Emit(OpCodes.Conv_I4);
            _il.Emit(OpCodes.Shr);
        }
        else
        {
            LoadWord(a, 0);
            LoadWord(b, 0);
            _il.Emit(OpCodes.Conv_I4);
            _il.Emit(operation.Opcode == Opcode.ShiftLeft ? OpCodes.Shl : OpCodes.Shr_Un);
            // The processor takes a count modulo 64.
            LoadWord(b, 0);
            Push(64);
            Compare(OpCodes.Clt_Un);
            _il.Emit(OpCodes.Neg);
            _il.Emit(OpCodes.And);
        }
    }

    private void LoadShiftedByConstant(Operation operation, Value a, int count, int i)
    {
        if (operation.Opcode == Opcode.ShiftLeft) LoadShiftedLeft(a, count, i);
        else if (operation.Opcode == Opcode.ShiftRight) LoadField(j => LoadWord(a, j), count, a.Width - count, i);
        else LoadField(j => LoadSignedWord(a, j), Math.Min(count, a.Width - 1), 64 * WordsOf(a), i);
    }

    /// <summary>
    /// Pushes 64 bits of a field of <paramref name="width"/> bits from bit <paramref name="low"/> on of a longer
    /// number; 0 above the field.
    /// </summary>
    private void LoadField(Action<int> loadWord, int low, int width, int word)
    {
        var bits = Math.Min(64, width - 64 * word);
        if (bits <= 0)
        {
            Push(0);
            return;
        }
        var (first, shift) = ((low + 64 * word) / 64, (low + 64 * word) % 64);
        loadWord(first);
        Shift(OpCodes.Shr_Un, shift);
        if (shift + bits > 64)
        {
            loadWord(first + 1);
            Shift(OpCodes.Shl, 64 - shift);
            _il.Emit(OpCodes.Or);
        }
        And(WordMask(bits, 0));
    }

    /// <summary>Pushes 64 bits of a value with <paramref name="count"/> zeros below it.</summary>
    private void LoadShiftedLeft(Value value, int count, int word)
    {
        var (from, shift) = (word - count / 64, count % 64);
        if (from < 0) Push(0);
        else
        {
            LoadWord(value, from);
            Shift(OpCodes.Shl, shift);
        }
        if (shift == 0 || from < 1) return;
        LoadWord(value, from - 1);
        Shift(OpCodes.Shr_Un, 64 - shift);
        _il.Emit(OpCodes.Or);
    }

    /// <summary>Pushes 64 bits of a value with copies of its sign above it, without end.</summary>
    private void LoadSignedWord(Value value, int word)
    {
        var top = WordsOf(value) - 1;
        LoadWord(value, Math.Min(word, top));
        if (word < top) return;
        Shift(OpCodes.Shl, 64 * (top + 1) - value.Width);
        Shift(OpCodes.Shr, 64 * (top + 1) - value.Width);
        if (word > top) Shift(OpCodes.Shr, 63);
    }
}
