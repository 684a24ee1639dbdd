using System.Numerics;
using Emu.Compiler.IR;

namespace Emu.Compiler.Dialect;

/// <summary>Writes operations as statements.</summary>
internal sealed class OperationWriter(ProgramNames names, ProgramTerms terms, ValueUses uses)
{
    private SourceWriter _text = new();

    /// <summary>Writes an operation; a pure one that is used once has no statement.</summary>
    public void Write(Operation operation, SourceWriter text)
    {
        _text = text;
        var o = operation.Operands;
        switch (operation.Opcode)
        {
            case Opcode.RegisterRead:
                Each(operation, 0, element => Set(operation, names.Of(element)));
                break;
            case Opcode.RegisterWrite:
                Each(operation, 1, element => _text.Lines($"{names.Of(element)} = {terms.Assigned(o[0])};"));
                break;
            case Opcode.Count:
                Count(operation);
                break;
            case Opcode.MemoryRead:
                var test = operation.Width == 1 ? " != 0" : "";
                Each(operation, 1, element => Set(operation, Word(element, o[0]) + test));
                break;
            case Opcode.MemoryWrite:
                Each(operation, 2, element => WriteWord(element, o[0], o[1]));
                break;
            case Opcode.FrameRead:
                Set(operation, FrameText.Read(operation));
                break;
            case Opcode.FrameWrite:
                WriteFrame(operation);
                break;
            case Opcode.Select when operation.Width > 1:
                Choose(operation);
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
        _text.Lines($"{names.Of(operation)} = {expression};");

    /// <summary>Writes a statement for a register or a memory; of several the selector chooses.</summary>
    private void Each(Operation operation, int selector, Action<StateElement> write)
    {
        if (operation.State.Count == 1)
        {
            write(operation.State[0]);
            return;
        }
        var selected = operation.Operands[selector];
        var outer = _text;
        foreach (var (i, element) in operation.State.Index())
        {
            var inside = _text = outer.Inside().Deeper();
            write(element);
            _text = outer;
            var isLast = i == operation.State.Count - 1;
            var condition = selected.Width == 1
                ? (i == 0 ? "!" : "") + $"({terms.Condition(selected)})"
                : $"{terms.Of(selected).Operand} == {i}";
            _text.Lines((i > 0 ? "else" : "") + (isLast ? "" : (i > 0 ? " " : "") + $"if ({condition})"));
            _text.Braced(inside.Text);
        }
    }

    private void Count(Operation count)
    {
        var (register, name) = (count.State[0], names.Of(count.State[0]));
        var type = ProgramNames.TypeOf(register.Width);
        var sum = $"{name} + {terms.Number(count.Operands[0], type)}";
        _text.Lines(register.Width is 32 or 64
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
        _text.Lines($"{Word(element, index)} = {(type == "uint" ? number : $"({type})({number})")};");
    }

    private void WriteFrame(Operation write)
    {
        var (offset, word) = (write.Operands[0], write.Operands[1]);
        var type = ProgramNames.TypeOf(word.Width);
        if (offset is Constant place && word is Constant { Bits: var bytes })
        {
            foreach (var statement in FrameText.Write((int)place.Bits, (ulong)bytes, word.Width / 8))
                _text.Lines(statement);
            return;
        }
        var data = terms.Of(word) is var term && (term.IsAtom || word.Width == 8) ? terms.Number(word, type) : null;
        if (data is null)
        {
            data = names.Variable("bytes", word.Width);
            _text.Lines($"{data} = {terms.Number(word, type)};");
        }
        foreach (var statement in FrameText.Write(offset as Constant, data, word.Width / 8)) _text.Lines(statement);
    }

    private void Choose(Operation select)
    {
        var o = select.Operands;
        _text.Lines($"if ({terms.Condition(o[0])}) {names.Of(select)} = {terms.Assigned(o[1])};");
        _text.Lines($"else {names.Of(select)} = {terms.Assigned(o[2])};");
    }
}
