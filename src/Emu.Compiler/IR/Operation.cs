namespace Emu.Compiler.IR;

/// <summary>One operation of a block: pure, a read of state, or an effect.</summary>
/// <param name="opcode">The kind of the operation.</param>
/// <param name="width">
/// The width of the result; an effect has one of width 1 that nothing uses, unless its opcode says more.
/// </param>
/// <param name="operands">The operands that <paramref name="opcode"/> states.</param>
public sealed class Operation(Opcode opcode, int width, params IEnumerable<Value> operands) : Value(width)
{
    /// <summary>The kind of the operation.</summary>
    public Opcode Opcode { get; } = opcode;

    /// <summary>The operands that <see cref="Opcode"/> states.</summary>
    public List<Value> Operands { get; } = [.. operands];

    /// <summary>For <see cref="Opcode.Input"/>: which.</summary>
    public FrameInput Input { get; init; }

    /// <summary>For <see cref="Opcode.Extract"/>: the lowest bit.</summary>
    public int Low { get; init; }

    /// <summary>
    /// For reads and writes of state: the candidates, of which a selector chooses when there are several.
    /// </summary>
    public IReadOnlyList<StateElement> State { get; init; } = [];

    /// <summary>
    /// For <see cref="Opcode.FrameFold"/> and <see cref="Opcode.FrameMap"/>: what it does with each byte; null for
    /// others.
    /// </summary>
    public FrameFold? Fold { get; init; }

    /// <summary>For <see cref="Opcode.Print"/>: what is printed.</summary>
    public IReadOnlyList<TextPart> Text { get; init; } = [];

    /// <summary>For <see cref="Opcode.Call"/>: the procedure; null for others.</summary>
    public Function? Callee { get; internal set; }

    /// <summary>The C# it comes from.</summary>
    public SourceLocation? Location { get; init; }

    /// <summary>True if it changes something, and so stays where it is even if nothing uses it.</summary>
    public bool IsEffect => OpcodeTable.Of(Opcode).Kind is OpcodeKind.FrameWrite or OpcodeKind.Effect;

    /// <summary>True if it changes the state that it is on, rather than the frame alone.</summary>
    public bool WritesState => OpcodeTable.Of(Opcode).Kind == OpcodeKind.Effect;

    /// <summary>True if it changes bytes of the frame.</summary>
    public bool WritesFrame =>
        Callee is null ? OpcodeTable.Of(Opcode).Kind == OpcodeKind.FrameWrite : CallEffects.Of(Callee).WritesFrame;

    /// <summary>True if its result depends on when it is done.</summary>
    public bool ReadsState => OpcodeTable.Of(Opcode).Kind == OpcodeKind.StateRead;
}
