using System.Numerics;
using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>Writes operations as statements.</summary>
internal sealed class OperationWriter(
    ProgramNames names, ProgramTerms terms, ValueUses uses, LiveRanges ranges)
{
    private ProgramState? _state;
    private SourceWriter _text = new();
    private Choice? _choice;

    /// <summary>Writes operations of a state; a pure one that is used once has no statement.</summary>
    public void Write(ProgramState state, IEnumerable<Operation> operations, SourceWriter text)
    {
        (_state, _text) = (state, text);
        foreach (var operation in operations) Write(operation);
        EndChoice();
    }

    /// <summary>The text behind all that is written so far.</summary>
    private SourceWriter Text
    {
        get
        {
            EndChoice();
            return _text;
        }
    }

    private void Write(Operation operation)
    {
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.RegisterRead:
                Each(operation, element => Set(operation, names.Of(element)));
                break;
            case Opcode.RegisterWrite:
                Each(operation, element => Text.Lines($"{names.Of(element)} = {terms.Assigned(o[0])};"));
                break;
            case Opcode.Count:
                Count(operation);
                break;
            case Opcode.MemoryRead:
                var test = operation.Width == 1 ? " != 0" : "";
                Each(operation, element => Set(operation, Word(element, o[0]) + test));
                break;
            case Opcode.MemoryWrite:
                Each(operation, element => WriteWord(element, o[0], o[1]));
                break;
            case Opcode.FrameRead:
                Set(operation, FrameText.Read(operation));
                break;
            case Opcode.FrameWrite:
                WriteFrame(operation);
                break;
            case Opcode.Select when operation.Width > 1:
                Choose(o[0], [() => Set(operation, terms.Assigned(o[2])), () => Set(operation, terms.Assigned(o[1]))]);
                break;
            case Opcode.Send:
                break;
            case Opcode.PopCount when uses.IsParity(operation):
                break;
            default:
                if (terms.Define(operation) is { } expression) Set(operation, expression);
                break;
        }
    }

    private void Set(Operation operation, string expression) =>
        Text.Lines($"{names.Of(operation)} = {expression};");

    /// <summary>Writes a statement for a register or a memory; of several the selector chooses.</summary>
    private void Each(Operation operation, Action<StateElement> write)
    {
        if (GroupedChoices.SelectorOf(operation) is { } selector)
            Choose(selector, [.. operation.State.Select<StateElement, Action>(element => () => write(element))]);
        else
            write(operation.State[0]);
    }

    /// <summary>
    /// Writes what a selector chooses, as one choice for all operations in a row that it chooses for.
    /// </summary>
    /// <param name="selector">The number of an arm; the last is for all greater ones.</param>
    /// <param name="arms">Writes each.</param>
    private void Choose(Value selector, IReadOnlyList<Action> arms)
    {
        if (_choice is not { } choice || choice.Selector != selector || choice.Arms.Count != arms.Count)
        {
            EndChoice();
            choice = new Choice(selector, [.. arms.Select(_ => _text.Inside().Deeper())]);
        }
        var outer = _text;
        _choice = null;
        foreach (var (text, write) in choice.Arms.Zip(arms))
        {
            _text = text;
            write();
        }
        (_text, _choice) = (outer, choice);
    }

    /// <summary>Writes the choice that is under way.</summary>
    private void EndChoice()
    {
        if (_choice is not var (selector, arms)) return;
        _choice = null;
        if (selector.Width == 1)
        {
            _text.Lines($"if ({terms.Condition(selector)})");
            _text.Braced(arms[1].Text);
            _text.Lines("else");
            _text.Braced(arms[0].Text);
            return;
        }
        foreach (var (i, arm) in arms.Index())
        {
            var condition = i == arms.Count - 1 ? "" : $"if ({terms.Of(selector).Operand} == {i})";
            _text.Lines(i == 0 ? condition : $"else {condition}".TrimEnd());
            _text.Braced(arm.Text);
        }
    }

    private void Count(Operation count)
    {
        var (register, name) = (count.State[0], names.Of(count.State[0]));
        var type = ProgramNames.TypeOf(register.Width);
        var sum = $"{name} + {terms.Number(count.Operands[0], type)}";
        Text.Lines(register.Width is 32 or 64
            ? $"{name} = {sum};"
            : $"{name} = ({sum}) & 0x{(1UL << register.Width) - 1:X};");
    }

    private string Word(StateElement element, Value index)
    {
        var (memory, term) = ((Memory)element, terms.Of(index));
        var bits = BitOperations.Log2((uint)memory.Depth);
        var isSafe = term.Width <= bits || index is Constant || !BitOperations.IsPow2(memory.Depth);
        return $"{names.Of(memory)}[{(isSafe ? term.Text : $"{term.Operand} & {memory.Depth - 1}")}]";
    }

    private void WriteWord(StateElement element, Value index, Value word)
    {
        var number = terms.Number(word, "uint");
        var type = ProgramNames.WordOf(element.Width);
        Text.Lines($"{Word(element, index)} = {(type == "uint" ? number : $"({type})({number})")};");
    }

    private void WriteFrame(Operation write)
    {
        var (offset, word) = (write.Operands[0], write.Operands[1]);
        var type = ProgramNames.TypeOf(word.Width);
        if (offset is Constant place && word is Constant { Bits: var bytes })
        {
            foreach (var statement in FrameText.Write((int)place.Bits, (ulong)bytes, word.Width / 8))
                Text.Lines(statement);
            return;
        }
        var data = terms.Of(word) is var term && (term.IsAtom || word.Width == 8) ? terms.Number(word, type) : null;
        if (data is null)
        {
            data = names.Temporary("bytes", word.Width, ranges.At(_state!, write));
            Text.Lines($"{data} = {terms.Number(word, type)};");
        }
        foreach (var statement in FrameText.Write(offset as Constant, data, word.Width / 8)) Text.Lines(statement);
    }

    /// <summary>Statements of which a selector chooses those that are done.</summary>
    /// <param name="Selector">The number of the arm; the last is for all greater ones.</param>
    /// <param name="Arms">The statements of each.</param>
    private sealed record Choice(Value Selector, List<SourceWriter> Arms);
}
