using System.Reflection.Metadata;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private sealed partial class Body
    {
        /// <summary>An access to an address, an array or the stack as memory; false for another kind.</summary>
        private bool TryTranslateMemory(Instruction instruction)
        {
            switch (instruction.OpCode)
            {
                case ILOpCode.Cpobj:
                    var source = PopLocation();
                    _translator._storage.Store(PopLocation(), _translator._storage.Load(source));
                    break;
                case ILOpCode.Initobj:
                    _translator._storage.Store(PopLocation(), Storage.Default((Type)instruction.Operand!));
                    break;
                case ILOpCode.Ldobj:
                    PushLoaded(_translator._storage.Load(PopLocation()), (Type)instruction.Operand!);
                    break;
                case ILOpCode.Stobj or ILOpCode.Stind_i1 or ILOpCode.Stind_i2 or ILOpCode.Stind_i4
                    or ILOpCode.Stind_i8 or ILOpCode.Stind_i or ILOpCode.Stind_r4 or ILOpCode.Stind_r8
                    or ILOpCode.Stind_ref:
                    StoreIndirect(instruction.OpCode);
                    break;
                case ILOpCode.Ldelem:
                    LoadElement((Type)instruction.Operand!);
                    break;
                case ILOpCode.Stelem or ILOpCode.Stelem_i1 or ILOpCode.Stelem_i2 or ILOpCode.Stelem_i4
                    or ILOpCode.Stelem_i8 or ILOpCode.Stelem_i or ILOpCode.Stelem_r4 or ILOpCode.Stelem_r8
                    or ILOpCode.Stelem_ref:
                    StoreElement();
                    break;
                case ILOpCode.Ldelema:
                    Push(new Pointer(Element((Type)instruction.Operand!)));
                    break;
                case ILOpCode.Ldlen:
                    PushScalar(_builder.Resize(_translator.LengthOf(Pop()), 64));
                    break;
                case ILOpCode.Newarr when _translator._thread is not null:
                    Push(_translator.NewArray((Type)instruction.Operand!, PopValue(), IsListOfArguments(instruction)));
                    break;
                case ILOpCode.Newarr:
                    throw _translator.Refuse(Refusal.NewArray);
                case ILOpCode.Localloc:
                    Push(AllocateStack(instruction));
                    break;
                case ILOpCode.Cpblk when _stack.ElementAtOrDefault(2) is StackMemory:
                    FillStack();
                    break;
                case ILOpCode.Cpblk or ILOpCode.Initblk or ILOpCode.Calli:
                    throw _translator.Refuse(
                        DiagnosticNumber.UnsafeCode, "addresses are used as numbers; use spans, or arrays and indexes");
                case var code when IndirectType(code) is { } type:
                    PushLoaded(_translator._storage.Load(PopLocation()), type);
                    break;
                case var code when ElementType(code) is { } type:
                    LoadElement(type);
                    break;
                default:
                    return false;
            }
            return true;
        }

        /// <summary>
        /// True for an array that the C# compiler fills at once: it then has it on the stack twice. Another is the
        /// program's own.
        /// </summary>
        private bool IsListOfArguments(Instruction made) =>
            _code.Instructions[_indexAt[made.Offset] + 1].OpCode is ILOpCode.Dup or ILOpCode.Call or ILOpCode.Callvirt;

        private void StoreIndirect(ILOpCode code)
        {
            var value = Pop();
            var target = _stack.TryPeek(out var address) && address is StackMemory && StoredType(code) is { } type
                ? _translator.ElementOf((StackMemory)Pop(), type)
                : PopLocation();
            _translator._storage.Store(target, ToStorage(value, target.Type));
        }

        /// <summary>
        /// Memory on the stack: of one call one memory, so what a loop allocates at each turn would be told apart only
        /// by what is left of it.
        /// </summary>
        private StackMemory AllocateStack(Instruction instruction) =>
            ControlFlow.IsInLoop(_code, instruction)
                ? throw _translator.Refuse(Refusal.StackInLoop)
                : _translator.Allocate(PopValue());

        /// <summary>Data of the program is copied to memory on the stack: <c>stackalloc byte[] { 1, 2 }</c>.</summary>
        private void FillStack()
        {
            var (size, from, to) = (PopValue(), Pop(), (StackMemory)Pop());
            _translator.Fill(to, from, size);
        }

        private void LoadElement(Type type)
        {
            if (_stack.ElementAtOrDefault(1) is ArgumentList list)
            {
                var index = PopValue();
                Pop();
                Push(_translator.ItemOf(list, index));
                return;
            }
            PushLoaded(_translator._storage.Load(Element(type)), type);
        }

        private void StoreElement()
        {
            var value = Pop();
            if (_stack.ElementAtOrDefault(1) is ArgumentList list)
            {
                // The C# compiler fills a list that it still has on the stack: once, whatever comes before.
                var index = PopValue();
                Pop();
                var isFilled = _stack.TryPeek(out var below) && ReferenceEquals(below, list);
                _translator.Fill(list, index, isFilled ? value : null);
                return;
            }
            var target = Element(null);
            if (_translator.TryKeep(target, value)) return;
            _translator._storage.Store(target, ToStorage(value, target.Type));
        }

        private ElementLocation Element(Type? type)
        {
            var index = PopValue();
            return Pop() is Reference array
                ? _translator.Element(array, index, type)
                : throw _translator.Refuse(DiagnosticNumber.InvalidCil, "an element of something that is no array");
        }

        /// <summary>The type of what an instruction loads from an address; null for another kind.</summary>
        private static Type? IndirectType(ILOpCode code) => code switch
        {
            ILOpCode.Ldind_i1 => typeof(sbyte),
            ILOpCode.Ldind_u1 => typeof(byte),
            ILOpCode.Ldind_i2 => typeof(short),
            ILOpCode.Ldind_u2 => typeof(ushort),
            ILOpCode.Ldind_i4 => typeof(int),
            ILOpCode.Ldind_u4 => typeof(uint),
            ILOpCode.Ldind_i8 => typeof(long),
            ILOpCode.Ldind_i => typeof(nint),
            ILOpCode.Ldind_r4 => typeof(float),
            ILOpCode.Ldind_r8 => typeof(double),
            ILOpCode.Ldind_ref => typeof(object),
            _ => null,
        };

        /// <summary>The type of what an instruction stores into memory on the stack; null for another kind.</summary>
        private static Type? StoredType(ILOpCode code) => code switch
        {
            ILOpCode.Stind_i1 => typeof(byte),
            ILOpCode.Stind_i2 => typeof(ushort),
            ILOpCode.Stind_i4 => typeof(uint),
            ILOpCode.Stind_i8 => typeof(ulong),
            _ => null,
        };

        /// <summary>The type of what an instruction loads from an array; null for another kind.</summary>
        private static Type? ElementType(ILOpCode code) => code switch
        {
            ILOpCode.Ldelem_i1 => typeof(sbyte),
            ILOpCode.Ldelem_u1 => typeof(byte),
            ILOpCode.Ldelem_i2 => typeof(short),
            ILOpCode.Ldelem_u2 => typeof(ushort),
            ILOpCode.Ldelem_i4 => typeof(int),
            ILOpCode.Ldelem_u4 => typeof(uint),
            ILOpCode.Ldelem_i8 => typeof(long),
            ILOpCode.Ldelem_i => typeof(nint),
            ILOpCode.Ldelem_r4 => typeof(float),
            ILOpCode.Ldelem_r8 => typeof(double),
            ILOpCode.Ldelem_ref => typeof(object),
            _ => null,
        };
    }
}
