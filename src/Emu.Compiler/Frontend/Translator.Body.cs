using System.Reflection;
using System.Reflection.Metadata;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;
using Emu.Compiler.Refusals;

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
        private readonly Stack<AbstractValue> _stack = [];
        private readonly Block _exit;
        private readonly Action<FaultKind>? _failing;
        private readonly Dictionary<FinallyBlock, (Slot Slot, List<int> Ways)> _ways = [];
        private Type? _constrained;

        public Body(
            Translator translator,
            MethodBase method,
            MethodCode code,
            IReadOnlyList<AbstractValue> arguments,
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
            _failing = _builder.Failing;
        }

        /// <summary>
        /// The value of a variable before it is assigned. A type that does not compile is refused where the variable is
        /// first used.
        /// </summary>
        private AbstractValue DefaultOf(int local)
        {
            try
            {
                return Storage.Default(_code.Locals[local]);
            }
            catch (CompileException exception) when (exception.Location is null)
            {
                var use = _code.Instructions.FirstOrDefault(instruction =>
                    VariableInstruction.Of(instruction) is { IsArgument: false, Index: var index } && index == local);
                var location = _translator.LocationOf(_method, use?.Offset ?? 0, _caller);
                throw new CompileException(exception.Number, exception.Reason, location, exception);
            }
        }

        public AbstractValue? Translate()
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

            _builder.Failing = _failing;
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
                _translator.Mark(_code, instruction);
                _builder.Failing = FailingAt(instruction.Offset);
                Translate(instruction);
                if (_builder.Current is null || !instruction.FallsThrough) return;
                if (instruction.Targets.Count == 0 && _blocks.TryGetValue(instruction.Next, out var next))
                {
                    Spill(next);
                    _builder.Jump(next);
                }
            }
        }

        /// <summary>Code that runs behind a fault at an instruction: the finally block around it.</summary>
        private Action<FaultKind>? FailingAt(int offset) => _code.Around(offset) is { } block
            ? kind => Leave(block, -1 - (int)kind)
            : _failing;

        /// <summary>Goes to a finally block, and then on a way: to a place, or, below 0, on with a fault.</summary>
        private void Leave(FinallyBlock block, int way)
        {
            var known = WaysOut(block);
            if (!known.Ways.Contains(way)) known.Ways.Add(way);
            _builder.Write(known.Slot, new Scalar(SsaBuilder.Constant(32, (UInt128)(uint)way)));
            _builder.Jump(_blocks[block.Handler]);
        }

        private (Slot Slot, List<int> Ways) WaysOut(FinallyBlock block) =>
            _ways.TryGetValue(block, out var known)
                ? known
                : _ways[block] = (new Slot("the way out of a try block"), []);

        /// <summary>Behind a finally block: on to where its try block was left for.</summary>
        private void GoOn(FinallyBlock block)
        {
            var (slot, ways) = WaysOut(block);
            var taken = ((Scalar)_builder.Read(slot)).Value;
            foreach (var way in ways)
            {
                var (here, others) = (_builder.NewBlock(), _builder.NewBlock());
                var isHere = way == ways[^1]
                    ? SsaBuilder.Constant(1, 1)
                    : _builder.Emit(Opcode.Equal, 1, taken, SsaBuilder.Constant(32, (UInt128)(uint)way));
                _builder.Branch(isHere, here, others);
                _builder.Seal(here);
                _builder.Seal(others);
                _builder.Current = here.Predecessors.Count > 0 ? here : null;
                if (_builder.Current is not null) GoOn(block, way);
                _builder.Current = others.Predecessors.Count > 0 ? others : null;
            }
        }

        private void GoOn(FinallyBlock block, int way)
        {
            if (way < 0) _builder.Fail((FaultKind)(-1 - way));
            else if (_code.LeftFirst(block.Handler, way) is { } outer) Leave(outer, way);
            else _builder.Jump(_blocks[way]);
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
            if (VariableInstruction.Of(instruction) is { } variable) TranslateVariable(variable);
            else if (NumberOf(instruction) is { } number) Push(number);
            else if (instruction.Targets.Count > 0) TranslateBranch(instruction);
            else if (ArithmeticInstruction.Of(code) is { } arithmetic) TranslateArithmetic(arithmetic);
            else if (ComparisonInstruction.Of(code) is { } comparison)
                PushScalar(_builder.Resize(Compared(comparison), 32));
            else if (ConversionInstruction.Of(code) is { } conversion)
                PushScalar(_translator.Convert(conversion, Pop()));
            else TranslateOther(instruction);
        }

        private void TranslateOther(Instruction instruction)
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
                case ILOpCode.Cpobj:
                    var source = PopLocation();
                    _translator._storage.Store(PopLocation(), _translator._storage.Load(source));
                    break;
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
                case ILOpCode.Ldftn:
                    Push(new MethodPointer((MethodBase)instruction.Operand!));
                    break;
                case ILOpCode.Ldvirtftn:
                    Push(new MethodPointer(Implementation(
                        (MethodBase)instruction.Operand!,
                        _translator.DynamicType(Pop(), (MethodBase)instruction.Operand!))));
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
                case ILOpCode.Throw when _translator._thread is not null:
                    Pop();
                    _builder.Fail(FaultKind.Overflow);
                    break;
                case ILOpCode.Throw:
                    throw _translator.Refuse(
                        Pop() is Reference { IsKnown: true, Target: Exception made }
                            ? new Refusal(DiagnosticNumber.ThrownException, made.Message)
                            : Refusal.Throw);
                case ILOpCode.Newarr when _translator._thread is not null:
                    Push(_translator.NewArray((Type)instruction.Operand!, PopValue()));
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
                case ILOpCode.Conv_r4 or ILOpCode.Conv_r8 or ILOpCode.Conv_r_un or ILOpCode.Ldc_r4 or ILOpCode.Ldc_r8:
                    throw _translator.Refuse(Refusal.FloatingPoint);
                case var code when IndirectType(code) is { } type:
                    PushLoaded(_translator._storage.Load(PopLocation()), type);
                    break;
                case var code when ElementType(code) is { } type:
                    LoadElement(type);
                    break;
                default:
                    throw _translator.Refuse(
                        DiagnosticNumber.Instruction,
                        $"the instruction {instruction.Name} does not compile; write it in plain C#");
            }
        }

        private void TranslateVariable(VariableInstruction variable)
        {
            var (use, isArgument, index) = variable;
            if (index >= (isArgument ? _arguments : _locals).Length)
                throw _translator.Refuse(
                    DiagnosticNumber.InvalidCil, $"{_method.Name} uses a variable that it does not have");
            var slot = isArgument ? _arguments[index] : _locals[index];
            var type = isArgument ? _argumentTypes[index] : _code.Locals[index];
            switch (use)
            {
                case VariableUse.Address:
                    Push(new Pointer(new LocalLocation(slot, type, [])));
                    break;
                case VariableUse.Store:
                    _builder.Write(slot, ToStorage(NotBoxed(Pop()), type));
                    break;
                case VariableUse.Load:
                    PushLoaded(_builder.Read(slot), type);
                    break;
            }
        }

        /// <summary>The whole number that an instruction pushes; null for another kind.</summary>
        private static Scalar? NumberOf(Instruction instruction) => instruction.OpCode switch
        {
            ILOpCode.Ldc_i8 => Number(64, (long)instruction.Operand!),
            ILOpCode.Ldc_i4 or ILOpCode.Ldc_i4_s => Number(32, (int)instruction.Operand!),
            >= ILOpCode.Ldc_i4_m1 and <= ILOpCode.Ldc_i4_8 and var code =>
                Number(32, (int)code - (int)ILOpCode.Ldc_i4_0),
            _ => null,
        };

        private static Scalar Number(int width, Int128 number) => new(SsaBuilder.Constant(width, (UInt128)number));

        private void TranslateBranch(Instruction instruction)
        {
            var target = _blocks[instruction.Targets[0]];
            switch (instruction.LongForm)
            {
                case ILOpCode.Switch:
                    TranslateSwitch(instruction);
                    break;
                case ILOpCode.Leave when _code.LeftFirst(instruction.Offset, instruction.Targets[0]) is { } left:
                    Leave(left, instruction.Targets[0]);
                    break;
                case ILOpCode.Br or ILOpCode.Leave:
                    Spill(target);
                    _builder.Jump(target);
                    break;
                case ILOpCode.Brtrue:
                    Branch(IsTrue(Pop()), target, _blocks[instruction.Next]);
                    break;
                case ILOpCode.Brfalse:
                    Branch(IsTrue(Pop()), _blocks[instruction.Next], target);
                    break;
                case var code when ComparisonInstruction.Of(code) is { } comparison:
                    Branch(Compared(comparison), target, _blocks[instruction.Next]);
                    break;
                default:
                    throw new InvalidOperationException($"{instruction.Name} is no branch that the translator knows");
            }
        }

        private void Branch(Value condition, Block then, Block otherwise)
        {
            Spill(then, otherwise);
            _builder.Branch(condition, then, otherwise);
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

        private Value IsTrue(AbstractValue value) => value switch
        {
            Scalar scalar =>
                _builder.Not(_builder.Emit(Opcode.Equal, 1, scalar.Value, SsaBuilder.Constant(scalar.Value.Width, 0))),
            Reference reference => _translator.IsNotNull(reference),
            _ => SsaBuilder.Constant(1, 1),
        };

        private void TranslateArithmetic(ArithmeticInstruction instruction)
        {
            var right = Pop();
            var left = Pop();
            if (left is StackMemory memory && instruction.Opcode == Opcode.Add)
            {
                Push(_translator.Advance(memory, _translator.NumberOf(right)));
                return;
            }
            PushScalar(_translator.Compute(instruction, _translator.NumberOf(left), _translator.NumberOf(right)));
        }

        private Value Compared(ComparisonInstruction instruction)
        {
            var right = Pop();
            return _translator.Compare(instruction, Pop(), right);
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
            if (IsClosure(type))
            {
                var slot = new Slot("what a lambda captures");
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
            if (target is FieldLocation && !field.FieldType.IsValueType)
                throw _translator.Refuse(Refusal.KeptObject(Refusal.CleanName(field.Name)));
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
        private static bool IsCacheOfLambda(FieldInfo field) =>
            field.FieldType.IsSubclassOf(typeof(Delegate))
            && !field.IsInitOnly
            && (field.Name.StartsWith("<>9__", StringComparison.Ordinal)
                || field.DeclaringType!.Name.StartsWith("<>O", StringComparison.Ordinal));

        /// <summary>The object in which the C# compiler puts the variables that a lambda captures.</summary>
        private static bool IsClosure(Type type) => type.Name.StartsWith("<>c__DisplayClass", StringComparison.Ordinal);

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
