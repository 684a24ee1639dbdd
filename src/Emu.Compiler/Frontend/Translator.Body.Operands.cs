using System.Reflection.Metadata;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private sealed partial class Body
    {
        /// <summary>An instruction that only moves, makes or takes operands; false for another kind.</summary>
        private bool TryTranslateOperand(Instruction instruction)
        {
            switch (instruction.OpCode)
            {
                case ILOpCode.Endfinally when _code.HandlerAt(instruction.Offset) is { } block:
                    GoOn(block);
                    break;
                case ILOpCode.Nop or ILOpCode.Readonly or ILOpCode.Volatile or ILOpCode.Unaligned or ILOpCode.Break
                    or ILOpCode.Tail:
                    break;
                case ILOpCode.Constrained:
                    _constrained = (Type)instruction.Operand!;
                    break;
                case ILOpCode.Dup:
                    var twice = Pop();
                    Push(twice);
                    Push(twice);
                    break;
                case ILOpCode.Pop:
                    Pop();
                    break;
                case ILOpCode.Neg:
                    var negated = PopValue();
                    PushScalar(
                        _builder.Emit(Opcode.Subtract, negated.Width, SsaBuilder.Constant(negated.Width, 0), negated));
                    break;
                case ILOpCode.Not:
                    var inverted = PopValue();
                    PushScalar(_builder.Emit(
                        Opcode.Xor, inverted.Width, inverted, SsaBuilder.Constant(inverted.Width, UInt128.MaxValue)));
                    break;
                case ILOpCode.Ldnull:
                    Push(new Reference((object?)null));
                    break;
                case ILOpCode.Ldstr:
                    // Uses of the string are refused by their own names;
                    // a string that nothing looks into needs no refusal.
                    Push(new Reference(string.Intern((string)instruction.Operand!)));
                    break;
                case ILOpCode.Ret:
                    Return();
                    break;
                default:
                    return false;
            }
            return true;
        }

        private void Push(AbstractValue value) => _stack.Push(value);

        private void PushScalar(Value value) => _stack.Push(new Scalar(value));

        /// <summary>Numbers are 32 bits at least on the stack (ECMA-335 §III.1.1.1).</summary>
        private void PushLoaded(AbstractValue value, Type type) =>
            _stack.Push(value is Scalar { Value: { Width: < 32 } narrow }
                ? new Scalar(_builder.Resize(narrow, 32, Types.IsSigned(type)))
                : value);

        private AbstractValue Pop() =>
            _stack.TryPop(out var value)
                ? value
                : throw _translator.Refuse(
                    DiagnosticNumber.InvalidCil, "an instruction takes an operand that is not there");

        private Value PopValue() => _translator.NumberOf(Pop());

        private AbstractValue NotBoxed(AbstractValue value) =>
            value is Boxed box
                ? throw _translator.Refuse(
                    DiagnosticNumber.Allocation,
                    $"{box.Type.Name} is put into a box, which is memory allocated while a frame is handled; "
                    + "use its own type, or a type parameter")
                : value;

        private StorageLocation PopLocation() => Pop() switch
        {
            Pointer pointer => pointer.Target,
            _ => throw _translator.Refuse(Refusal.UnknownAddress),
        };

        private AbstractValue ToStorage(AbstractValue value, Type type) =>
            value is Scalar scalar && Types.Width(type) is { } width
                ? new Scalar(_builder.Resize(scalar.Value, width, isSigned: true))
                : value;
    }
}
