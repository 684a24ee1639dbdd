using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The numbers that values can be, given the events that can come. State holds what reset put there or what some event
/// wrote: a fixed point, from the reset values upwards.
/// </summary>
internal sealed class Ranges
{
    private const int RoundsBeforeWidening = 4;

    private readonly NodeTable<Value, Interval> _values = new();
    private readonly Dictionary<StateElement, Interval> _state = new(ReferenceEqualityComparer.Instance);

    public Ranges(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        for (var round = 0; ; round++)
        {
            var changed = false;
            foreach (var (function, events) in functions)
                changed |= Compute(function, events, isWidening: round >= RoundsBeforeWidening);
            if (!changed) return;
        }
    }

    public Interval Of(Value value) =>
        value is Constant constant
            ? Interval.Of(constant.Bits)
            : _values.GetValueOrDefault(value, Interval.Full(value.Width));

    /// <summary>The numbers that a register, or any element of a memory, can hold.</summary>
    public Interval Of(StateElement element) => _state.TryGetValue(element, out var known)
        ? known
        : _state[element] = element switch
        {
            Register register => Interval.Of(register.Reset),
            Memory memory => memory.ResetRange,
            VerilogCore core => Interval.Full(core.Width),
            _ => Interval.Of(0),
        };

    private bool Compute(Function function, EventRange events, bool isWidening)
    {
        var changed = false;
        var done = new NodeSet<Value>();
        foreach (var block in function.Blocks())
        {
            // The value that comes around a loop is not known yet.
            bool IsKnown(Value value) => value is Constant || done.Contains(value);
            var inductive = block.Phis.Exists(phi => !phi.Operands.TrueForAll(IsKnown))
                ? new InductiveRanges(value => IsKnown(value) ? Of(value) : Interval.Full(value.Width))
                    .Of(block, IsKnown)
                : null;
            foreach (var phi in block.Phis)
            {
                _values[phi] = phi.Operands.TrueForAll(IsKnown)
                    ? phi.Operands.Select(Of).Aggregate((a, b) => a.Join(b))
                    : inductive?.TryGetValue(phi, out var range) == true ? range : Interval.Full(phi.Width);
            }
            foreach (var phi in block.Phis) done.Add(phi);
            foreach (var operation in block.Operations)
            {
                if (operation.IsEffect) changed |= Write(operation, isWidening);
                else _values[operation] = Transfer(operation, events, Of, Of);
                done.Add(operation);
            }
        }
        return changed;
    }

    private bool Write(Operation operation, bool isWidening)
    {
        if (operation.Opcode is not (Opcode.RegisterWrite or Opcode.MemoryWrite or Opcode.Count)) return false;
        var data = operation.Opcode == Opcode.Count
            ? Interval.Full(operation.State[0].Width)
            : Of(operation.Operands[operation.Opcode == Opcode.RegisterWrite ? 0 : 1]);
        var changed = false;
        foreach (var element in operation.State)
        {
            var before = Of(element);
            var after = before.Join(data);
            if (after == before) continue;
            _state[element] = isWidening ? Interval.Full(element.Width) : after;
            changed = true;
        }
        return changed;
    }

    /// <summary>The numbers that an operation can give.</summary>
    /// <param name="operation">An operation that is no effect.</param>
    /// <param name="events">The events that can come.</param>
    /// <param name="of">Gives the numbers that its operands can be.</param>
    /// <param name="ofState">Gives the numbers that state can hold.</param>
    public static Interval Transfer(
        Operation operation, EventRange events, Func<Value, Interval> of, Func<StateElement, Interval> ofState)
    {
        if (FoldRanges.Of(operation, events) is { } found) return found;
        if (OpcodeTable.Of(operation.Opcode).Range is { } range) return range(operation, of);
        if (operation.Opcode == Opcode.Input) return events.Of(operation.Input);
        return operation.State.Count > 0 && operation.Fold is null
            ? operation.State.Select(ofState).Aggregate((x, y) => x.Join(y))
            : Interval.Full(operation.Width);
    }
}
