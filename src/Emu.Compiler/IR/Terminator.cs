namespace Emu.Compiler.IR;

/// <summary>The end of a block.</summary>
public abstract record Terminator
{
    /// <summary>The blocks at which it may go on.</summary>
    public virtual Successors Successors => default;
}

/// <summary>Goes on there.</summary>
public sealed record Jump(Block Target) : Terminator
{
    /// <inheritdoc/>
    public override Successors Successors => new(Target);
}

/// <summary>Goes on at the first block when the condition, of width 1, is 1, else at the second; they differ.</summary>
public sealed record Branch(Value Condition, Block Then, Block Else) : Terminator
{
    /// <inheritdoc/>
    public override Successors Successors => new(Then, Else);
}

/// <summary>
/// The event ends: the frame that starts at <paramref name="Start"/>, of <paramref name="Length"/> bytes, leaves by the
/// ports of <paramref name="Egress"/>.
/// </summary>
public sealed record Return(Value Start, Value Length, Value Egress) : Terminator;

/// <summary>A procedure ends: the event goes on behind the <see cref="Opcode.Call"/>.</summary>
public sealed record GoBack : Terminator;

/// <summary>A turn of a <see cref="FrameFold"/> ends.</summary>
/// <param name="IsLeft">1 if the loop is left in this turn.</param>
/// <param name="Values">What the turn has found, and the state for the next.</param>
public sealed record Yield(Value IsLeft, IReadOnlyList<Value> Values) : Terminator;

/// <summary>The event ends in a fault.</summary>
public sealed record Fault(FaultKind Kind, SourceLocation? Location) : Terminator;

/// <summary>A thread of the clock level waits for the next clock edge, and goes on there.</summary>
public sealed record Pause(SourceLocation? Location, Block Target) : Terminator
{
    /// <inheritdoc/>
    public override Successors Successors => new(Target);
}

/// <summary>The event is one of the rare ones: it goes on where no pipeline can.</summary>
/// <param name="Reason">The reason: the thing that it meets there.</param>
/// <param name="Location">The C#.</param>
/// <param name="Target">The block where it goes on; null in a function that leaves such events to another,
/// which takes them from the start.</param>
public sealed record SideExit(string Reason, SourceLocation? Location, Block? Target) : Terminator
{
    /// <inheritdoc/>
    public override Successors Successors => new(Target);
}
