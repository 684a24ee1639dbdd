using System.Reflection;
using System.Reflection.Emit;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    /// <summary>One inlined call: its blocks, its variables and its evaluation stack.</summary>
    private sealed class Body
    {
        private readonly Translator _translator;
        private readonly SsaBuilder _builder;
        private readonly MethodBase _method;
        private readonly MethodCode _code;
        private readonly SourceLocation? _caller;
        private readonly Slot[] _arguments;
        private readonly Slot[] _locals;
        private readonly Type[] _argumentTypes;
        private readonly Slot _result = new("result");
        private readonly Dictionary<int, int> _indexAt = [];
        private readonly Dictionary<int, Block> _blocks = [];
        private readonly Dictionary<Block, List<Slot>> _entryStacks = [];
        private readonly Stack<Abstract> _stack = [];
        private readonly Block _exit;
        private Type? _constrained;

        public Body(
            Translator translator,
            MethodBase method,
            MethodCode code,
            IReadOnlyList<Abstract> arguments,
            SourceLocation? caller)
        {
            (_translator, _builder, _method, _code, _caller) = (translator, translator._builder, method, code, caller);
            for (var i = 0; i < code.Instructions.Count; i++) _indexAt[code.Instructions[i].Offset] = i;
            var parameters = method.GetParameters();
            _argumentTypes =
            [
                .. method.IsStatic ? [] : new[]
                {
                    method.DeclaringType!.IsValueType ? method.DeclaringType.MakeByRefType() : method.DeclaringType,
                },
                .. parameters.Select(p => p.ParameterType),
            ];
            _arguments = [.. _argumentTypes.Select((_, i) =>
                new Slot(method.IsStatic ? parameters[i].Name! : i == 0 ? "this" : parameters[i - 1].Name!))];
            _locals = [.. code.Locals.Select((_, i) => new Slot($"a variable of {method.Name}"))];
            for (var i = 0; i < _arguments.Length; i++) _builder.Write(_arguments[i], arguments[i]);
            for (var i = 0; i < _locals.Length; i++)
            {
                if (!code.Locals[i].IsByRef && !code.Locals[i].IsPointer) _builder.Write(_locals[i], DefaultOf(i));
            }
            _exit = _builder.NewBlock();
        }

        /// <summary>
        /// The value of a variable before it is assigned. A type that does not compile is refused where the variable is
        /// first used.
        /// </summary>
        private Abstract DefaultOf(int local)
        {
            try
            {
                return Storage.Default(_code.Locals[local]);
            }
            catch (CompileException exception) when (exception.Location is null)
            {
                var use = _code.Instructions.FirstOrDefault(instruction => VariableOf(instruction) == (false, local));
                var location = _translator.LocationOf(_method, use?.Offset ?? 0, _caller);
                throw new CompileException(exception.Number, exception.Reason, location, exception);
            }
        }

        /// <summary>The variable that an instruction reads, writes or takes the address of; null for none.</summary>
        private static (bool IsArgument, int Index)? VariableOf(Instruction instruction)
        {
            var parts = instruction.OpCode.Name!.Split('.');
            var isArgument = parts[0] is "ldarg" or "ldarga" or "starg";
            if (!isArgument && parts[0] is not ("ldloc" or "ldloca" or "stloc")) return null;
            return (isArgument, instruction.Operand as int? ?? int.Parse(parts[1]));
        }

        public Abstract? Translate()
        {
            var order = ControlFlow.ReversePostorder(_code, out var loopHeaders);
            foreach (var offset in order) _blocks[offset] = _builder.NewBlock(loopHeaders.Contains(offset));
            _builder.Jump(_blocks[0]);

            foreach (var offset in order)
            {
                var block = _blocks[offset];
                // A block is never reached when a constant leads away from it and nothing else leads to it.
                if (block.Predecessors.Count == 0) continue;
                if (!loopHeaders.Contains(offset)) _builder.Seal(block);
                _builder.Current = block;
                TranslateBlock(offset);
            }
            foreach (var header in loopHeaders) _builder.Seal(_blocks[header]);

            _builder.Seal(_exit);
            _builder.Current = _exit.Predecessors.Count > 0 ? _exit : null;
            return _builder.Current is null || _method is not MethodInfo { ReturnType: var type }
                    || type == typeof(void)
                ? null
                : _builder.Read(_result);
        }

        private void TranslateBlock(int offset)
        {
            _stack.Clear();
            if (_entryStacks.TryGetValue(_blocks[offset], out var slots))
            {
                foreach (var slot in slots) _stack.Push(_builder.Read(slot));
            }
            for (var index = _indexAt[offset]; _builder.Current is not null; index++)
            {
                var instruction = _code.Instructions[index];
                if (++_translator._instructions > MostInstructions)
                    throw _translator.Refuse(
                        DiagnosticNumber.TooLarge,
                        $"the service is more than {MostInstructions} instructions with every call in its place; "
                        + "call less from more than one place");
                _builder.Location = _translator.LocationOf(_method, instruction.Offset, _caller);
                Translate(instruction);
                if (_builder.Current is null || !instruction.FallsThrough) return;
                if (instruction.Targets.Count == 0 && _blocks.TryGetValue(instruction.Next, out var next))
                {
                    Spill(next);
                    _builder.Jump(next);
                }
            }
        }

        /// <summary>Leaves the evaluation stack to a block in variables.</summary>
        private void Spill(params IEnumerable<Block> targets)
        {
            var values = _stack.Reverse().ToList();
            foreach (var target in targets.Distinct())
            {
                if (!_entryStacks.TryGetValue(target, out var slots))
                    _entryStacks[target] = slots = [.. values.Select(_ => new Slot("an operand"))];
                if (slots.Count != values.Count)
                    throw _translator.Refuse(
                        DiagnosticNumber.InvalidCil,
                        $"{_method.Name} leaves different numbers of operands to the same instruction");
                for (var i = 0; i < values.Count; i++) _builder.Write(slots[i], values[i]);
            }
        }

        private void Translate(Instruction instruction)
        {
            var code = instruction.OpCode;
            var name = code.Name!;
            if (TryTranslateVariable(instruction)) return;
            if (name.StartsWith("ldc.", StringComparison.Ordinal)) Push(Number(instruction));
            else if (name.StartsWith("conv.", StringComparison.Ordinal)) PushScalar(_translator.Convert(name, Pop()));
            else if (instruction.Targets.Count > 0) TranslateBranch(instruction);
            else if (s_binary.Contains(name)) TranslateBinary(name);
            else if (name.StartsWith("ldind.", StringComparison.Ordinal))
                PushLoaded(_translator._storage.Load(PopPlace()), IndirectType(name));
            else if (name.StartsWith("stind.", StringComparison.Ordinal)) StoreIndirect();
            else if (name.StartsWith("ldelem", StringComparison.Ordinal) && name != "ldelema")
                LoadElement(name, instruction.Operand as Type);
            else if (name.StartsWith("stelem", StringComparison.Ordinal)) StoreElement();
            else TranslateOther(instruction, code);
        }

        private static readonly HashSet<string> s_binary =
        [
            "add", "sub", "mul", "div", "div.un", "rem", "rem.un", "and", "or", "xor", "shl", "shr", "shr.un", "ceq",
            "cgt", "cgt.un", "clt", "clt.un", "add.ovf", "add.ovf.un", "sub.ovf", "sub.ovf.un", "mul.ovf", "mul.ovf.un",
        ];

        private void TranslateOther(Instruction instruction, OpCode code)
        {
            switch (code.Name)
            {
                case "nop" or "readonly." or "volatile." or "unaligned." or "break" or "tail.":
                    break;
                case "constrained.":
                    _constrained = (Type)instruction.Operand!;
                    break;
                case "dup":
                    var twice = Pop();
                    Push(twice);
                    Push(twice);
                    break;
                case "pop":
                    Pop();
                    break;
                case "neg":
                    var negated = PopValue();
                    PushScalar(
                        _builder.Emit(Opcode.Subtract, negated.Width, SsaBuilder.Constant(negated.Width, 0), negated));
                    break;
                case "not":
                    var inverted = PopValue();
                    PushScalar(_builder.Emit(
                        Opcode.Xor, inverted.Width, inverted, SsaBuilder.Constant(inverted.Width, UInt128.MaxValue)));
                    break;
                case "ldnull":
                    Push(new Reference((object?)null));
                    break;
                case "ldstr":
                    // Uses of the string are refused by their own names;
                    // a string that nothing looks into needs no refusal.
                    Push(new Reference(string.Intern((string)instruction.Operand!)));
                    break;
                case "ret":
                    Return();
                    break;
                case "call" or "callvirt":
                    Call((MethodBase)instruction.Operand!, code.Name == "callvirt");
                    break;
                case "newobj":
                    NewObject((ConstructorInfo)instruction.Operand!);
                    break;
                case "ldfld":
                    LoadField((FieldInfo)instruction.Operand!);
                    break;
                case "stfld":
                    StoreField((FieldInfo)instruction.Operand!);
                    break;
                case "ldflda":
                    Push(new Pointer(FieldOf(Pop(), (FieldInfo)instruction.Operand!)));
                    break;
                case "ldsfld":
                    var loaded = (FieldInfo)instruction.Operand!;
                    PushLoaded(Static(loaded), loaded.FieldType);
                    break;
                case "stsfld" when IsCacheOfLambda((FieldInfo)instruction.Operand!):
                    Pop();
                    break;
                case "stsfld":
                    throw RefuseStatic((FieldInfo)instruction.Operand!);
                case "ldsflda":
                    var field = (FieldInfo)instruction.Operand!;
                    Push(field.Attributes.HasFlag(FieldAttributes.HasFieldRVA)
                        ? new DataPointer(field)
                        : new Pointer(new ConstantPlace(Static(field), field.FieldType, [])));
                    break;
                case "cpobj":
                    var source = PopPlace();
                    _translator._storage.Store(PopPlace(), _translator._storage.Load(source));
                    break;
                case "sizeof":
                    var measured = (Type)instruction.Operand!;
                    var width = Types.Width(measured)
                        ?? throw _translator.Refuse(
                            DiagnosticNumber.UnsafeCode,
                            $"the size of {measured.Name} does not compile; use a constant");
                    PushScalar(SsaBuilder.Constant(32, (UInt128)(width + 7) / 8));
                    break;
                case "ldtoken":
                    Push(new Reference(instruction.Operand));
                    break;
                case "box":
                    Push(new Boxed(Pop(), (Type)instruction.Operand!));
                    break;
                case "isinst" or "castclass":
                    Push(_translator.CastTo((Type)instruction.Operand!, Pop(), code.Name == "castclass"));
                    break;
                case "unbox.any":
                    Push(_translator.CastTo((Type)instruction.Operand!, Pop(), isRequired: true) is Boxed box
                        ? box.Value
                        : throw _translator.Refuse(
                            DiagnosticNumber.Allocation, "a value is taken out of a box; use its own type"));
                    break;
                case "ldftn":
                    Push(new MethodPointer((MethodBase)instruction.Operand!));
                    break;
                case "ldvirtftn":
                    Push(new MethodPointer(Implementation(
                        (MethodBase)instruction.Operand!,
                        _translator.DynamicType(Pop(), (MethodBase)instruction.Operand!))));
                    break;
                case "initobj":
                    _translator._storage.Store(PopPlace(), Storage.Default((Type)instruction.Operand!));
                    break;
                case "ldobj":
                    PushLoaded(_translator._storage.Load(PopPlace()), (Type)instruction.Operand!);
                    break;
                case "stobj":
                    StoreIndirect();
                    break;
                case "ldelema":
                    Push(new Pointer(Element((Type)instruction.Operand!)));
                    break;
                case "ldlen":
                    PushScalar(_builder.Resize(_translator.LengthOf(Pop()), 64));
                    break;
                case "throw":
                    throw _translator.Refuse(
                        DiagnosticNumber.ThrownException,
                        Pop() is Reference { IsKnown: true, Target: Exception made }
                            ? made.Message
                            : "an exception is thrown; drop the frame instead, or count what went wrong");
                case "newarr":
                    throw _translator.Refuse(
                        DiagnosticNumber.Allocation,
                        "an array is allocated while a frame is handled; make it in the constructor");
                case "localloc":
                    throw _translator.Refuse(
                        DiagnosticNumber.UnsafeCode,
                        "stackalloc does not compile; keep the bytes in a number or a struct, "
                        + "or leave them in the frame");
                case "cpblk" or "initblk" or "calli":
                    throw _translator.Refuse(
                        DiagnosticNumber.UnsafeCode, "addresses are used as numbers; use spans, or arrays and indexes");
                default:
                    throw _translator.Refuse(
                        DiagnosticNumber.Instruction,
                        $"the instruction {code.Name} does not compile; write it in plain C#");
            }
        }

        private bool TryTranslateVariable(Instruction instruction)
        {
            if (VariableOf(instruction) is not var (isArgument, index)) return false;
            var name = instruction.OpCode.Name!.Split('.')[0];
            if (index >= (isArgument ? _arguments : _locals).Length)
                throw _translator.Refuse(
                    DiagnosticNumber.InvalidCil, $"{_method.Name} uses a variable that it does not have");
            var slot = isArgument ? _arguments[index] : _locals[index];
            var type = isArgument ? _argumentTypes[index] : _code.Locals[index];
            if (name.EndsWith('a')) Push(new Pointer(new LocalPlace(slot, type, [])));
            else if (name[0] == 's') _builder.Write(slot, ToStorage(NotBoxed(Pop()), type));
            else PushLoaded(_builder.Read(slot), type);
            return true;
        }

        private static Scalar Number(Instruction instruction)
        {
            var name = instruction.OpCode.Name!;
            if (name.StartsWith("ldc.r", StringComparison.Ordinal))
                throw new CompileException(
                    DiagnosticNumber.FloatingPoint,
                    "floating point does not compile; use integers, scaled where needed",
                    null);
            if (name == "ldc.i8")
                return new Scalar(SsaBuilder.Constant(64, (UInt128)(Int128)(long)instruction.Operand!));
            var number = instruction.Operand as int? ?? (name == "ldc.i4.m1" ? -1 : name[^1] - '0');
            return new Scalar(SsaBuilder.Constant(32, (UInt128)(Int128)number));
        }

        private void TranslateBranch(Instruction instruction)
        {
            var name = instruction.OpCode.Name!.Replace(".s", "", StringComparison.Ordinal);
            var target = _blocks[instruction.Targets[0]];
            if (name == "switch")
            {
                TranslateSwitch(instruction);
                return;
            }
            if (name is "br" or "leave")
            {
                Spill(target);
                _builder.Jump(target);
                return;
            }
            Value condition;
            if (name is "brtrue" or "brfalse") condition = IsTrue(Pop());
            else
            {
                var right = Pop();
                condition = _translator.Compare(name[1..], Pop(), right);
            }
            var next = _blocks[instruction.Next];
            Spill(target, next);
            if (name == "brfalse") _builder.Branch(condition, next, target);
            else _builder.Branch(condition, target, next);
        }

        private void TranslateSwitch(Instruction instruction)
        {
            var value = PopValue();
            var next = _blocks[instruction.Next];
            Spill([.. instruction.Targets.Select(t => _blocks[t]), next]);
            for (var i = 0; i < instruction.Targets.Count && _builder.Current is not null; i++)
            {
                var other = _builder.NewBlock();
                _builder.Branch(
                    _builder.Emit(Opcode.Equal, 1, value, SsaBuilder.Constant(value.Width, (UInt128)i)),
                    _blocks[instruction.Targets[i]],
                    other);
                _builder.Seal(other);
                _builder.Current = other.Predecessors.Count > 0 ? other : null;
            }
            _builder.Jump(next);
        }

        private Value IsTrue(Abstract value) => value switch
        {
            Scalar scalar =>
                _builder.Not(_builder.Emit(Opcode.Equal, 1, scalar.Value, SsaBuilder.Constant(scalar.Value.Width, 0))),
            Reference reference => _translator.IsNotNull(reference),
            _ => SsaBuilder.Constant(1, 1),
        };

        private void TranslateBinary(string name)
        {
            var right = Pop();
            var left = Pop();
            if (name[0] == 'c') PushScalar(_builder.Resize(_translator.Compare(name[1..], left, right), 32));
            else PushScalar(_translator.Binary(name, _translator.NumberOf(left), _translator.NumberOf(right)));
        }

        private void Return()
        {
            if (_method is MethodInfo { ReturnType: var type } && type != typeof(void))
                _builder.Write(_result, ToStorage(Pop(), type));
            _builder.Jump(_exit);
        }

        private void Call(MethodBase method, bool isVirtual)
        {
            var constrained = _constrained;
            _constrained = null;
            var parameters = method.GetParameters();
            var arguments = new Abstract[parameters.Length + (method.IsStatic ? 0 : 1)];
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
            var arguments = new Abstract[parameters.Length];
            for (var i = parameters.Length - 1; i >= 0; i--)
                arguments[i] = ToStorage(Pop(), parameters[i].ParameterType);
            if (typeof(Exception).IsAssignableFrom(type))
                throw _translator.Refuse(
                    DiagnosticNumber.ThrownException,
                    $"an exception is thrown ({type.Name}); drop the frame instead, or count what went wrong");
            if (type.IsSubclassOf(typeof(Delegate)))
            {
                var target = ((MethodPointer)arguments[1]).Method;
                Push(new DelegateValue(target, target.IsStatic ? null : arguments[0]));
                return;
            }
            if (IsClosure(type))
            {
                var slot = new Slot("what a lambda captures");
                var shape = StructShape.Of(type);
                _builder.Write(
                    slot, new Struct(shape, [.. shape.Fields.Select(field => Storage.Default(field.FieldType))]));
                Push(new Pointer(new LocalPlace(slot, type, [])));
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
            var place = FieldOf(owner, field);
            if (place is FieldPlace && !field.FieldType.IsValueType)
                throw _translator.Refuse(
                    DiagnosticNumber.KeptObject,
                    $"{StateMap.Clean(field.Name)} is given another object while a frame is handled; "
                    + "objects are fixed when the service is constructed, keep an index instead");
            _translator._storage.Store(place, value);
        }

        private Place FieldOf(Abstract owner, FieldInfo field) => owner switch
        {
            Pointer pointer => pointer.Place.Field(field),
            Reference reference => new FieldPlace(_translator.NotNull(reference), field, field.FieldType, []),
            _ => throw _translator.Refuse(DiagnosticNumber.InvalidCil, $"{field.Name} of something that has no fields"),
        };

        private Abstract Static(FieldInfo field)
        {
            if (IsCacheOfLambda(field)) return new Reference((object?)null);
            if (!field.IsInitOnly && !field.IsLiteral) throw RefuseStatic(field);
            var value = field.GetValue(null);
            _translator._state.MeetStatic(field, value);
            return Storage.OfLive(value, field.FieldType);
        }

        private CompileException RefuseStatic(FieldInfo field) =>
            _translator.Refuse(
                DiagnosticNumber.MutableStatic,
                $"the static field {field.Name} can change; make it readonly, or a field of the service");

        /// <summary>
        /// The C# compiler keeps a delegate that is made more than once in a field:
        /// here it is made anew each time, at no cost.
        /// </summary>
        private static bool IsCacheOfLambda(FieldInfo field) =>
            field.FieldType.IsSubclassOf(typeof(Delegate))
            && !field.IsInitOnly
            && (field.Name.StartsWith("<>9__", StringComparison.Ordinal)
                || field.DeclaringType!.Name.StartsWith("<>O", StringComparison.Ordinal));

        /// <summary>The object in which the C# compiler puts the variables that a lambda captures.</summary>
        private static bool IsClosure(Type type) => type.Name.StartsWith("<>c__DisplayClass", StringComparison.Ordinal);

        private void StoreIndirect()
        {
            var value = Pop();
            var place = PopPlace();
            _translator._storage.Store(place, ToStorage(value, place.Type));
        }

        private void LoadElement(string name, Type? type)
        {
            var elementType = type ?? (name == "ldelem.ref"
                ? typeof(object)
                : IndirectType(name.Replace("ldelem.", "ldind.", StringComparison.Ordinal)));
            PushLoaded(_translator._storage.Load(Element(elementType)), elementType);
        }

        private void StoreElement()
        {
            var value = Pop();
            var place = Element(null);
            _translator._storage.Store(place, ToStorage(value, place.Type));
        }

        private ElementPlace Element(Type? type)
        {
            var index = PopValue();
            return Pop() is Reference array
                ? _translator.Element(array, index, type)
                : throw _translator.Refuse(DiagnosticNumber.InvalidCil, "an element of something that is no array");
        }

        private static Type IndirectType(string name) => name[6..] switch
        {
            "i1" => typeof(sbyte),
            "u1" => typeof(byte),
            "i2" => typeof(short),
            "u2" => typeof(ushort),
            "i4" => typeof(int),
            "u4" => typeof(uint),
            "i8" => typeof(long),
            "i" => typeof(nint),
            _ => typeof(object),
        };

        private void Push(Abstract value) => _stack.Push(value);

        private void PushScalar(Value value) => _stack.Push(new Scalar(value));

        /// <summary>Numbers are 32 bits at least on the stack (ECMA-335 §III.1.1.1).</summary>
        private void PushLoaded(Abstract value, Type type) =>
            _stack.Push(value is Scalar { Value: { Width: < 32 } narrow }
                ? new Scalar(_builder.Resize(narrow, 32, Types.IsSigned(type)))
                : value);

        private Abstract Pop() =>
            _stack.TryPop(out var value)
                ? value
                : throw _translator.Refuse(
                    DiagnosticNumber.InvalidCil, "an instruction takes an operand that is not there");

        private Value PopValue() => _translator.NumberOf(Pop());

        private Abstract NotBoxed(Abstract value) =>
            value is Boxed box
                ? throw _translator.Refuse(
                    DiagnosticNumber.Allocation,
                    $"{box.Type.Name} is put into a box, which is memory allocated while a frame is handled; "
                    + "use its own type, or a type parameter")
                : value;

        private Place PopPlace() => Pop() switch
        {
            Pointer pointer => pointer.Place,
            _ => throw _translator.Refuse(
                DiagnosticNumber.UnsafeCode,
                "an address is used that is no reference to a variable, a field or an element; use spans, "
                + "or arrays and indexes"),
        };

        private Abstract ToStorage(Abstract value, Type type) =>
            value is Scalar scalar && Types.Width(type) is { } width
                ? new Scalar(_builder.Resize(scalar.Value, width, isSigned: true))
                : value;
    }
}
