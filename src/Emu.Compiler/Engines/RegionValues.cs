using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Engines;

/// <summary>The values of a state: those that it computes, and those that states before it kept for it.</summary>
internal sealed class RegionValues(EngineDesign design, EngineProgram program, EngineState state)
{
    private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);
    private bool _hasLogic;

    /// <summary>A value that the state computes.</summary>
    public Value this[Value computed]
    {
        get => _values[computed];
        set => _values[computed] = value;
    }

    /// <summary>
    /// A value of the program in this state. Constant bits are not kept with the others: what uses them looks for them.
    /// </summary>
    public Value Of(Value value) =>
        value is Constant ? value
            : _values.TryGetValue(value, out var here) ? here
            : HasConstant(value) && value is Operation { Operands: [var high, var low] }
                ? design.Netlist.Concat(Of(high), Of(low))
                : program.Kept(value);

    private static bool HasConstant(Value value) =>
        value is Operation { Opcode: Opcode.Concat } concat
        && concat.Operands.Exists(part => part is Constant || HasConstant(part));

    /// <summary>Says what an operation gives here, for this state and those behind it.</summary>
    /// <returns>True: it is done.</returns>
    public bool Define(Operation operation, Value value, Value condition)
    {
        _values[operation] = value;
        program.Define(operation, condition, value);
        state.Values.Add(value);
        _hasLogic |= design.Delays.Of(value) > 0;
        return true;
    }

    /// <summary>
    /// True if an operation is a product for which a cycle has no time, and one multiplier block makes it.
    /// </summary>
    public bool TakesBlock(Operation operation) =>
        design.Options.IsFast && design.Delays.IsOneBlock(operation)
        && design.Delays.LevelsMadeOf(operation) > design.LatestWritten;

    /// <summary>The product of an operation.</summary>
    public Value Product(Operation operation)
    {
        var n = design.Netlist;
        n.Location = operation.Location;
        return n.Make(new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
        {
            Location = operation.Location,
        });
    }

    /// <summary>
    /// Does an operation on values, unless it would come too late; alone it may take as long as it does.
    /// </summary>
    public bool TryCompute(Operation operation, Value condition)
    {
        var n = design.Netlist;
        n.Location = operation.Location;
        var value = TimeDivision.Is(operation) && program.Receiver.Quotient is { } quotient
            ? quotient.Quotient
            : CarrySelect.Make(
                n,
                new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
                {
                    Low = operation.Low,
                    Location = operation.Location,
                },
                design.Options.LongestCarry);
        return !IsLate(value, design.Budget) && Define(operation, value, condition);
    }

    /// <summary>
    /// True if a value comes later than a budget allows; one of a state that has no logic yet never does.
    /// </summary>
    public bool IsLate(Value value, int budget) =>
        !OperatorChaining.Fits(_hasLogic, design.Delays.Of(value), budget);

    /// <summary>The last value written, under its condition; else the value from before.</summary>
    public Value Latest(IEnumerable<(Value Condition, Value Value)> writes, Value before) =>
        writes.Aggregate(before, (so, write) => design.Netlist.Select(write.Condition, write.Value, so));

    /// <summary>The value that is read of the register or memory that an operand selects.</summary>
    public Value Selected(Operation operation, int selector, Func<StateElement, Value> read)
    {
        if (operation.State.Count == 1) return read(operation.State[0]);
        var n = design.Netlist;
        var selected = Of(operation.Operands[selector]);
        return operation.State.Select((element, i) => (element, i)).Skip(1)
            .Aggregate(read(operation.State[0]), (so, next) =>
                n.Select(n.Equal(selected, new Constant(selected.Width, (UInt128)next.i)), read(next.element), so));
    }
}
