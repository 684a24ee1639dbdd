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
    private sealed partial class Body
    {
        private readonly Translator _translator;
        private readonly SsaBuilder _builder;
        private readonly MethodBase _method;
        private readonly MethodCode _code;
        private readonly SourceLocation? _caller;
        private readonly string _place;
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
        private bool _isFollowing;

        public Body(
            Translator translator,
            MethodBase method,
            MethodCode code,
            IReadOnlyList<AbstractValue> arguments,
            SourceLocation? caller)
        {
            (_translator, _builder, _method, _code, _caller) = (translator, translator._builder, method, code, caller);
            _place = translator.PlaceOf(method);
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
                new Slot(
                    method.IsStatic ? parameters[i].Name! : i == 0 ? "this" : parameters[i - 1].Name!,
                    $"{_place}.a{i}"))];
            _locals = [.. code.Locals.Select((_, i) => new Slot($"a variable of {method.Name}", $"{_place}.{i}"))];
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
            var isFollowed = _builder.Current is not null && _translator.IsDoneOnce;
            var successors = ControlFlow.Successors(
                _code, isFollowed ? instruction => _translator.MayPause(_method, instruction) : null);
            var entries = isFollowed ? Follow(successors) : null;
            if (_code.Finallys.Count > 0) _builder.Forget();
            var order = ControlFlow.ReversePostorder(
                successors, entries?.Select(entry => entry.Offset) ?? [0], out var loopHeaders);
            if (entries is [var first, ..]) _builder.Current = first.From;
            _blocks.Clear();
            foreach (var offset in order)
                _blocks[offset] = _builder.NewBlock(loopHeaders.Contains(offset), $"{_place}@{offset}");
            if (entries is null) _builder.Jump(_blocks[0]);
            else entries.ForEach(GoOn);

            foreach (var offset in order)
            {
                var block = _blocks[offset];
                // A block is never reached when a constant leads away from it and nothing else leads to it.
                if (block.Predecessors.Count == 0) continue;
                if (!loopHeaders.Contains(offset)) _builder.Seal(block);
                _builder.Current = block;
                TranslateBlock(offset, OperandsOf(block));
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

        private void TranslateBlock(int offset, IReadOnlyList<AbstractValue> stack)
        {
            _stack.Clear();
            foreach (var value in stack) _stack.Push(value);
            for (var index = _indexAt[offset]; _builder.Current is not null; index++)
            {
                var instruction = _code.Instructions[index];
                if (_isFollowing) _translator._followed++;
                else if (++_translator._instructions > MostInstructions)
                    throw _translator.Refuse(
                        DiagnosticNumber.TooLarge,
                        $"the service is more than {MostInstructions} instructions with every call in its place; "
                        + "call less from more than one place");
                _builder.Location = _translator.LocationOf(_method, instruction.Offset, _caller);
                _translator.Mark(_code, instruction, _isFollowing);
                _builder.Failing = FailingAt(instruction.Offset);
                _translator.PauseBefore(_method, instruction.Offset);
                Translate(instruction);
                if (_builder.Current is null || !instruction.FallsThrough) return;
                if (instruction.Targets.Count == 0 && _blocks.TryGetValue(instruction.Next, out var next))
                {
                    Spill(next);
                    _builder.Jump(next);
                }
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
            if (TryTranslateOperand(instruction) || TryTranslateMember(instruction) || TryTranslateObject(instruction)
                || TryTranslateMemory(instruction))
                return;
            throw instruction.OpCode switch
            {
                ILOpCode.Conv_r4 or ILOpCode.Conv_r8 or ILOpCode.Conv_r_un or ILOpCode.Ldc_r4 or ILOpCode.Ldc_r8 =>
                    _translator.Refuse(Refusal.FloatingPoint),
                _ => _translator.Refuse(
                    DiagnosticNumber.Instruction,
                    $"the instruction {instruction.Name} does not compile; write it in plain C#"),
            };
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
    }
}
