using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Divisions of the arrival time by a constant, as seconds are: they are done beside the service, not in a stage.
/// </summary>
internal static class TimeDivision
{
    /// <summary>True if an operation divides the time of the event by a constant.</summary>
    public static bool Is(Operation operation) =>
        operation is { Opcode: Opcode.DivideUnsigned, Width: 64 }
        && operation.Operands[0] is Operation { Opcode: Opcode.Input, Input: FrameInput.Time }
        && operation.Operands[1] is Constant divisor && divisor.Bits != 0;

    /// <summary>The divisor of an operation that divides the time by one.</summary>
    public static ulong DivisorOf(Operation operation) => (ulong)((Constant)operation.Operands[1]).Bits;

    /// <summary>The divisors of the time in some functions.</summary>
    public static List<ulong> Divisors(IEnumerable<Function> functions) =>
        [.. functions.SelectMany(f => f.Blocks())
            .SelectMany(b => b.Operations).Where(Is).Select(DivisorOf).Distinct()];
}
