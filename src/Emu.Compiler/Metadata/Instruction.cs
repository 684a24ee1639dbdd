using System.Reflection.Emit;

namespace Emu.Compiler.Metadata;

/// <summary>One CIL instruction (ECMA-335 part III).</summary>
/// <param name="Offset">The offset in the method's body, in bytes.</param>
/// <param name="Next">The offset behind it.</param>
/// <param name="OpCode">The operation code.</param>
/// <param name="Operand">A number, a resolved member or type, an offset, or the offsets of a switch.</param>
internal sealed record Instruction(int Offset, int Next, OpCode OpCode, object? Operand)
{
    /// <summary>The offsets at which it may go on, apart from the instruction behind it.</summary>
    public IReadOnlyList<int> Targets => Operand switch
    {
        int target when OpCode.OperandType is OperandType.InlineBrTarget or OperandType.ShortInlineBrTarget => [target],
        int[] targets => targets,
        _ => [],
    };

    /// <summary>True if the instruction behind it may be next.</summary>
    public bool FallsThrough =>
        OpCode.FlowControl is not (FlowControl.Branch or FlowControl.Return or FlowControl.Throw);
}
