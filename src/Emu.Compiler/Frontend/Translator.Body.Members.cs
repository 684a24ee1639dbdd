using System.Reflection;
using System.Reflection.Metadata;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private sealed partial class Body
    {
        /// <summary>A call, a new object, or an access to a field; false for another kind.</summary>
        private bool TryTranslateMember(Instruction instruction)
        {
            switch (instruction.OpCode)
            {
                case ILOpCode.Call or ILOpCode.Callvirt:
                    Call((MethodBase)instruction.Operand!, instruction.OpCode == ILOpCode.Callvirt);
                    break;
                case ILOpCode.Newobj:
                    NewObject((ConstructorInfo)instruction.Operand!);
                    break;
                case ILOpCode.Ldfld:
                    LoadField((FieldInfo)instruction.Operand!);
                    break;
                case ILOpCode.Stfld:
                    StoreField((FieldInfo)instruction.Operand!);
                    break;
                case ILOpCode.Ldflda:
                    Push(new Pointer(FieldOf(Pop(), (FieldInfo)instruction.Operand!)));
                    break;
                case ILOpCode.Ldsfld or ILOpCode.Stsfld or ILOpCode.Ldsflda
                    when _translator.StaticOf((FieldInfo)instruction.Operand!) is { } place:
                    TranslateStatic(instruction.OpCode, place);
                    break;
                case ILOpCode.Ldsfld:
                    var loaded = (FieldInfo)instruction.Operand!;
                    PushLoaded(Static(loaded), loaded.FieldType);
                    break;
                case ILOpCode.Stsfld when IsCacheOfLambda((FieldInfo)instruction.Operand!):
                    Pop();
                    break;
                case ILOpCode.Stsfld:
                    throw RefuseStatic((FieldInfo)instruction.Operand!);
                case ILOpCode.Ldsflda:
                    var field = (FieldInfo)instruction.Operand!;
                    Push(field.Attributes.HasFlag(FieldAttributes.HasFieldRVA)
                        ? new DataPointer(field)
                        : new Pointer(new ConstantLocation(Static(field), field.FieldType, [])));
                    break;
                case ILOpCode.Ldftn:
                    Push(new MethodPointer((MethodBase)instruction.Operand!));
                    break;
                case ILOpCode.Ldvirtftn:
                    Push(new MethodPointer(Implementation(
                        (MethodBase)instruction.Operand!,
                        _translator.DynamicType(Pop(), (MethodBase)instruction.Operand!))));
                    break;
                default:
                    return false;
            }
            return true;
        }

        private void Call(MethodBase method, bool isVirtual)
        {
            var constrained = _constrained;
            _constrained = null;
            var parameters = method.GetParameters();
            var arguments = new AbstractValue[parameters.Length + (method.IsStatic ? 0 : 1)];
            for (var i = parameters.Length - 1; i >= 0; i--)
                arguments[^(parameters.Length - i)] = ToStorage(Pop(), parameters[i].ParameterType);
            if (!method.IsStatic) arguments[0] = Pop();
            var result = _translator.Call(method, arguments, isVirtual, constrained);
            if (_builder.Current is not null && method is MethodInfo { ReturnType: var type } && type != typeof(void))
                PushLoaded(result!, type);
        }

        private void NewObject(ConstructorInfo constructor)
        {
            var type = constructor.DeclaringType!;
            var parameters = constructor.GetParameters();
            var arguments = new AbstractValue[parameters.Length];
            for (var i = parameters.Length - 1; i >= 0; i--)
                arguments[i] = ToStorage(Pop(), parameters[i].ParameterType);
            if (_translator._thread is null && typeof(Exception).IsAssignableFrom(type))
                throw _translator.Refuse(Refusal.Exception(type.Name));
            if (type.IsSubclassOf(typeof(Delegate)))
            {
                var target = ((MethodPointer)arguments[1]).Method;
                Push(new DelegateValue(target, target.IsStatic ? null : arguments[0]));
                return;
            }
            if (IsClosure(type) && !_translator.IsElaborating)
            {
                var slot = new Slot("what a lambda captures", _translator.Here);
                var shape = StructShape.Of(type);
                _builder.Write(
                    slot, new Struct(shape, [.. shape.Parts.Select(part => Storage.Default(part.Type))]));
                Push(new Pointer(new LocalLocation(slot, type, [])));
                return;
            }
            if (!type.IsValueType && _translator._thread is not null)
            {
                Push(_translator.NewObject(constructor, arguments));
                return;
            }
            if (!type.IsValueType) throw _translator.RefuseObject(type);
            Push(_translator.Construct(constructor, arguments));
        }

        private void LoadField(FieldInfo field)
        {
            var owner = Pop();
            if (IsCacheOfLambda(field))
            {
                Push(new Reference((object?)null));
                return;
            }
            var value = owner is Struct whole
                ? whole.Fields[whole.Shape.IndexOf(field)]
                : _translator._storage.Load(FieldOf(owner, field));
            PushLoaded(value, field.FieldType);
        }

        private void StoreField(FieldInfo field)
        {
            var value = ToStorage(Pop(), field.FieldType);
            var owner = Pop();
            if (IsCacheOfLambda(field)) return;
            var target = FieldOf(owner, field);
            if (target is FieldLocation known && _translator.TryKeep(known, value)) return;
            if (target is FieldLocation && !field.FieldType.IsValueType && _translator._thread is null)
                throw _translator.RefuseObject(Refusal.CleanName(field.Name));
            _translator._storage.Store(target, value);
        }

        private StorageLocation FieldOf(AbstractValue owner, FieldInfo field) => owner switch
        {
            Pointer pointer => pointer.Target.Field(field),
            Reference reference => new FieldLocation(_translator.NotNull(reference), field, field.FieldType, []),
            _ => throw _translator.Refuse(DiagnosticNumber.InvalidCil, $"{field.Name} of something that has no fields"),
        };

        /// <summary>An access to a static field that is a register of the clock level.</summary>
        private void TranslateStatic(ILOpCode code, FieldLocation place)
        {
            if (code == ILOpCode.Ldsflda) Push(new Pointer(place));
            else if (code == ILOpCode.Ldsfld) PushLoaded(_translator._storage.Load(place), place.Type);
            else
            {
                var value = ToStorage(Pop(), place.Type);
                if (!_translator.TryKeep(place, value)) _translator._storage.Store(place, value);
            }
        }

        private AbstractValue Static(FieldInfo field)
        {
            if (IsCacheOfLambda(field)) return new Reference((object?)null);
            if (!field.IsInitOnly && !field.IsLiteral) throw RefuseStatic(field);
            var value = field.GetValue(null);
            _translator._state.MeetStatic(field, value);
            return Storage.OfLive(value, field.FieldType);
        }

        private CompileException RefuseStatic(FieldInfo field) =>
            _translator.Refuse(Refusal.MutableStatic(field.Name));

        /// <summary>
        /// The C# compiler keeps a delegate that is made more than once in a field:
        /// here it is made anew each time, at no cost.
        /// </summary>
        public static bool IsCacheOfLambda(FieldInfo field) =>
            field.FieldType.IsSubclassOf(typeof(Delegate))
            && !field.IsInitOnly
            && (field.Name.StartsWith("<>9__", StringComparison.Ordinal)
                || field.DeclaringType!.Name.StartsWith("<>O", StringComparison.Ordinal));

        /// <summary>The object in which the C# compiler puts the variables that a lambda captures.</summary>
        private static bool IsClosure(Type type) => type.Name.StartsWith("<>c__DisplayClass", StringComparison.Ordinal);
    }
}
