namespace Emu.Compiler.IR;

/// <summary>The relation of an operation to what is around it.</summary>
internal enum OpcodeKind
{
    /// <summary>The result depends on the operands alone, and nothing is changed.</summary>
    Pure,

    /// <summary>The result is given with the event.</summary>
    Input,

    /// <summary>The result depends on when it is done.</summary>
    StateRead,

    /// <summary>A change of the frame.</summary>
    FrameWrite,

    /// <summary>Another change, or a copy that leaves.</summary>
    Effect,
}
