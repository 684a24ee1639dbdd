namespace Emu.Compiler.IR;

/// <summary>The facts of an opcode that no device changes: a row of <see cref="OpcodeTable"/>.</summary>
/// <param name="Opcode">The opcode.</param>
/// <param name="Kind">Its relation to what is around it.</param>
/// <param name="Arity">The operands, without a selector of state.</param>
/// <param name="HasRightWidths">True if the widths fit together, when there are as many operands as that.</param>
internal sealed record OpcodeRow(Opcode Opcode, OpcodeKind Kind, int Arity, Predicate<Operation> HasRightWidths)
{
    /// <summary>The kind of state that it is on; null for none.</summary>
    public Type? State { get; init; }

    /// <summary>True if a selector chooses among several registers or memories.</summary>
    public bool TakesSelector { get; init; }

    /// <summary>True if there need not be state.</summary>
    public bool IsStateOptional { get; init; }

    /// <summary>True if there may be more operands than <see cref="Arity"/>.</summary>
    public bool TakesMore { get; init; }

    /// <summary>
    /// Of pure ones: the result, of which the bits above the width are cut off, from three operands;
    /// those beyond <see cref="Arity"/> are 0.
    /// </summary>
    public Func<Operation, UInt128, UInt128, UInt128, UInt128>? Evaluate { get; init; }

    /// <summary>Of pure ones: the numbers that the result can be, if operands are as the function says.</summary>
    public Func<Operation, Func<Value, Interval>, Interval>? Range { get; init; }

    /// <summary>True if an operation has the operands, the state and the widths of its opcode.</summary>
    public bool Accepts(Operation operation) =>
        HasRightState(operation.State)
        && (TakesMore
            ? operation.Operands.Count >= Arity
            : operation.Operands.Count == Arity + (TakesSelector && operation.State.Count > 1 ? 1 : 0))
        && HasRightWidths(operation);

    private bool HasRightState(IReadOnlyList<StateElement> state) =>
        State is null
            ? state.Count == 0
            : (state.Count > 0 || IsStateOptional) && (TakesSelector || state.Count == 1)
                && state.All(s => s.GetType() == State);
}
