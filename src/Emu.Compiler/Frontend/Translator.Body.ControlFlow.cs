using System.Reflection;
using System.Reflection.Metadata;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

internal sealed partial class Translator
{
    private sealed partial class Body
    {
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
                    _entryStacks[target] = slots =
                        [.. values.Select((_, i) => new Slot("an operand", $"{_place}.s{i}"))];
                if (slots.Count != values.Count)
                    throw _translator.Refuse(
                        DiagnosticNumber.InvalidCil,
                        $"{_method.Name} leaves different numbers of operands to the same instruction");
                for (var i = 0; i < values.Count; i++) _builder.Write(slots[i], values[i]);
            }
        }

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

        private void Return()
        {
            if (_method is MethodInfo { ReturnType: var type } && type != typeof(void))
                _builder.Write(_result, ToStorage(Pop(), type));
            _builder.Jump(_exit);
        }
    }
}
