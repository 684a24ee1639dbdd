using System.Reflection.Metadata;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private sealed partial class Body
    {
        /// <summary>An instruction about types and exceptions; false for another kind.</summary>
        private bool TryTranslateObject(Instruction instruction)
        {
            switch (instruction.OpCode)
            {
                case ILOpCode.Sizeof:
                    var measured = (Type)instruction.Operand!;
                    PushScalar(SsaBuilder.Constant(32, (UInt128)SizeOf(measured)));
                    break;
                case ILOpCode.Ldtoken:
                    Push(new Reference(instruction.Operand));
                    break;
                case ILOpCode.Box:
                    Push(new Boxed(Pop(), (Type)instruction.Operand!));
                    break;
                case ILOpCode.Isinst or ILOpCode.Castclass:
                    var isRequired = instruction.OpCode == ILOpCode.Castclass;
                    Push(_translator.CastTo((Type)instruction.Operand!, Pop(), isRequired));
                    break;
                case ILOpCode.Unbox_any:
                    Push(_translator.CastTo((Type)instruction.Operand!, Pop(), isRequired: true) is Boxed box
                        ? box.Value
                        : throw _translator.Refuse(
                            DiagnosticNumber.Allocation, "a value is taken out of a box; use its own type"));
                    break;
                case ILOpCode.Throw when _translator._thread is not null:
                    Pop();
                    _builder.Fail(FaultKind.Overflow);
                    break;
                case ILOpCode.Throw:
                    throw _translator.Refuse(
                        Pop() is Reference { IsKnown: true, Target: Exception made }
                            ? new Refusal(DiagnosticNumber.ThrownException, made.Message)
                            : Refusal.Throw);
                default:
                    return false;
            }
            return true;
        }
    }
}
