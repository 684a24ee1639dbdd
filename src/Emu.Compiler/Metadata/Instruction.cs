using System.Reflection.Emit;
using System.Reflection.Metadata;

namespace Emu.Compiler.Metadata;

/// <summary>One CIL instruction (ECMA-335 part III).</summary>
/// <param name="Offset">The offset in the method's body, in bytes.</param>
/// <param name="Next">The offset behind it.</param>
/// <param name="Code">The operation code, as .NET describes it.</param>
/// <param name="Operand">A number, a resolved member or type, an offset, or the offsets of a switch.</param>
internal sealed record Instruction(int Offset, int Next, OpCode Code, object? Operand)
{
    /// <summary>The operation code.</summary>
    public ILOpCode OpCode { get; } = (ILOpCode)(ushort)Code.Value;

    /// <summary>The name in the standard.</summary>
    public string Name => Code.Name!;

    /// <summary>The offsets at which it may go on, apart from the instruction behind it.</summary>
    public IReadOnlyList<int> Targets => Operand switch
    {
        int target when Code.OperandType is OperandType.InlineBrTarget or OperandType.ShortInlineBrTarget => [target],
        int[] targets => targets,
        _ => [],
    };

    /// <summary>True if the instruction behind it may be next.</summary>
    public bool FallsThrough =>
        Code.FlowControl is not (FlowControl.Branch or FlowControl.Return or FlowControl.Throw);

    /// <summary>The operation code of a branch in its long form; others as they are.</summary>
    public ILOpCode LongForm => OpCode.IsBranch() ? OpCode.GetLongBranch() : OpCode;
}
