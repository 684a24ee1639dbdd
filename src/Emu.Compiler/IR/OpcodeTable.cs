using static Emu.Compiler.IR.Arithmetic;

namespace Emu.Compiler.IR;

/// <summary>
/// The facts of every opcode that no device changes: operands, widths, evaluation, range. What an operation costs, and
/// how long it takes, is a matter of the device; how it is written, one of the printer.
/// </summary>
internal static class OpcodeTable
{
    private static readonly OpcodeRow[] s_rows = InOrder(
        [.. Sums(), .. Bits(), .. Comparisons(), .. Counts(), .. State()]);

    /// <summary>All rows, in the order of the opcodes.</summary>
    public static IReadOnlyList<OpcodeRow> All => s_rows;

    /// <summary>The row of an opcode.</summary>
    public static OpcodeRow Of(Opcode opcode) => s_rows[(int)opcode];

    private static OpcodeRow[] InOrder(IReadOnlyList<OpcodeRow> rows) =>
        [.. Enum.GetValues<Opcode>().Select(opcode => rows.Single(row => row.Opcode == opcode))];

    private static IEnumerable<OpcodeRow> Sums() =>
    [
        Pure(Opcode.Add, 2, OperandsAreAsWide, (_, a, b, _) => a + b, OpcodeRanges.Add),
        Pure(Opcode.Subtract, 2, OperandsAreAsWide, (_, a, b, _) => a - b, OpcodeRanges.Subtract),
        Pure(Opcode.Multiply, 2, OperandsAreAsWide, (_, a, b, _) => a * b, OpcodeRanges.Multiply),
        Pure(Opcode.DivideUnsigned, 2, OperandsAreAsWide, (_, a, b, _) => a / b, OpcodeRanges.DivideUnsigned),
        Pure(
            Opcode.DivideSigned, 2, OperandsAreAsWide,
            (o, a, b, _) => (UInt128)(ToSigned(a, o.Width) / ToSigned(b, o.Width)), OpcodeRanges.DivideSigned),
        Pure(Opcode.RemainderUnsigned, 2, OperandsAreAsWide, (_, a, b, _) => a % b, OpcodeRanges.RemainderUnsigned),
        Pure(
            Opcode.RemainderSigned, 2, OperandsAreAsWide,
            (o, a, b, _) => (UInt128)(ToSigned(a, o.Width) % ToSigned(b, o.Width)), OpcodeRanges.RemainderSigned),
    ];

    private static IEnumerable<OpcodeRow> Bits() =>
    [
        Pure(Opcode.And, 2, OperandsAreAsWide, (_, a, b, _) => a & b, OpcodeRanges.And),
        Pure(Opcode.Or, 2, OperandsAreAsWide, (_, a, b, _) => a | b, OpcodeRanges.Or),
        Pure(Opcode.Xor, 2, OperandsAreAsWide, (_, a, b, _) => a ^ b, OpcodeRanges.Xor),
        Pure(
            Opcode.ShiftLeft, 2, FirstIsAsWide, (o, a, b, _) => b < (UInt128)o.Width ? a << (int)b : 0,
            OpcodeRanges.ShiftLeft),
        Pure(
            Opcode.ShiftRight, 2, FirstIsAsWide, (o, a, b, _) => b < (UInt128)o.Width ? a >> (int)b : 0,
            OpcodeRanges.ShiftRight),
        Pure(
            Opcode.ShiftRightSigned, 2, FirstIsAsWide,
            (o, a, b, _) => (UInt128)(ToSigned(a, o.Width) >> (int)UInt128.Min(b, (UInt128)(o.Width - 1))),
            OpcodeRanges.Full),
        Pure(Opcode.ZeroExtend, 1, o => o.Operands[0].Width < o.Width, (_, a, _, _) => a, OpcodeRanges.Same),
        Pure(
            Opcode.SignExtend, 1, o => o.Operands[0].Width < o.Width,
            (o, a, _, _) => (UInt128)ToSigned(a, o.Operands[0].Width), OpcodeRanges.SignExtend),
        Pure(Opcode.Truncate, 1, o => o.Operands[0].Width > o.Width, (_, a, _, _) => a, OpcodeRanges.Extract),
        Pure(
            Opcode.Extract, 1, o => o.Low >= 0 && o.Low + o.Width <= o.Operands[0].Width, (o, a, _, _) => a >> o.Low,
            OpcodeRanges.Extract),
        Pure(
            Opcode.Concat, 2, o => o.Operands[0].Width + o.Operands[1].Width == o.Width,
            (o, a, b, _) => a << o.Operands[1].Width | b, OpcodeRanges.Concat),
        Pure(
            Opcode.Select, 3,
            o => o.Operands[0].Width == 1 && o.Operands[1].Width == o.Width && o.Operands[2].Width == o.Width,
            (_, a, b, c) => a != 0 ? b : c, OpcodeRanges.Select),
    ];

    private static IEnumerable<OpcodeRow> Comparisons() =>
    [
        Pure(Opcode.Equal, 2, IsComparison, (_, a, b, _) => Bit(a == b), OpcodeRanges.Equal),
        Pure(Opcode.LessUnsigned, 2, IsComparison, (_, a, b, _) => Bit(a < b), OpcodeRanges.LessUnsigned),
        Pure(
            Opcode.LessSigned, 2, IsComparison,
            (o, a, b, _) => Bit(ToSigned(a, o.Operands[0].Width) < ToSigned(b, o.Operands[0].Width)),
            OpcodeRanges.LessSigned),
    ];

    private static IEnumerable<OpcodeRow> Counts() =>
    [
        Pure(Opcode.PopCount, 1, _ => true, (_, a, _, _) => UInt128.PopCount(a), OpcodeRanges.Count),
        Pure(
            Opcode.LeadingZeros, 1, _ => true,
            (o, a, _, _) => UInt128.LeadingZeroCount(a) - (UInt128)(Value.MaxWidth - o.Operands[0].Width),
            OpcodeRanges.Count),
        Pure(
            Opcode.TrailingZeros, 1, _ => true,
            (o, a, _, _) => a == 0 ? (UInt128)o.Operands[0].Width : UInt128.TrailingZeroCount(a), OpcodeRanges.Count),
        Pure(Opcode.OnesSum, 1, o => o.Width == 16, (_, a, _, _) => OnesSum(a), OpcodeRanges.Full),
    ];

    private static IEnumerable<OpcodeRow> State() =>
    [
        new(Opcode.Input, OpcodeKind.Input, 0, _ => true),
        new(Opcode.FrameRead, OpcodeKind.StateRead, 1, o => o.Width % 8 == 0),
        new(Opcode.FrameSum, OpcodeKind.StateRead, 2, o => o.Width == 16),
        new(Opcode.FrameFold, OpcodeKind.StateRead, 1, o => o.Fold?.Accepts(o) == true)
            { State = typeof(Memory), TakesSelector = true, IsStateOptional = true, TakesMore = true },
        new(Opcode.FrameWrite, OpcodeKind.FrameWrite, 2, o => o.Operands[1].Width % 8 == 0),
        new(Opcode.FrameMap, OpcodeKind.FrameWrite, 2, o => o.Fold?.AcceptsMap(o) == true) { TakesMore = true },
        new(Opcode.FrameLoad, OpcodeKind.FrameWrite, 3, o => o.State[0].Width == 8) { State = typeof(Memory) },
        new(Opcode.FrameMove, OpcodeKind.FrameWrite, 3, _ => true),
        new(
            Opcode.FrameResize, OpcodeKind.FrameWrite, 2,
            o => o.Operands is [_, _] or [_, _, Constant, Constant]) { TakesMore = true },
        new(Opcode.RegisterRead, OpcodeKind.StateRead, 0, o => StateIsAsWide(o, o))
            { State = typeof(Register), TakesSelector = true },
        new(Opcode.RegisterWrite, OpcodeKind.Effect, 1, o => StateIsAsWide(o, o.Operands[0]))
            { State = typeof(Register), TakesSelector = true },
        new(Opcode.Count, OpcodeKind.Effect, 1, o => o.Operands[0].Width <= o.State[0].Width)
            { State = typeof(Register) },
        new(Opcode.MemoryRead, OpcodeKind.StateRead, 1, o => StateIsAsWide(o, o))
            { State = typeof(Memory), TakesSelector = true },
        new(Opcode.MemoryWrite, OpcodeKind.Effect, 2, o => StateIsAsWide(o, o.Operands[1]))
            { State = typeof(Memory), TakesSelector = true },
        new(Opcode.Send, OpcodeKind.Effect, 3, _ => true),
        new(Opcode.Wait, OpcodeKind.Effect, 0, o => o.Width == 1),
        new(Opcode.Hold, OpcodeKind.Effect, 3, o => o.Width == 1),
        new(
            Opcode.Print, OpcodeKind.Effect, 0,
            o => o.Width == 1 && o.Operands.Count == o.Text.Count(part => part.TakesOperand)) { TakesMore = true },
        new(Opcode.CoreCall, OpcodeKind.Effect, 0, o => IsCallOf((VerilogCore)o.State[0], o))
            { State = typeof(VerilogCore), TakesMore = true },
        new(Opcode.Call, OpcodeKind.Effect, 0, o => o.Width == 1),
    ];

    private static OpcodeRow Pure(
        Opcode opcode, int arity, Predicate<Operation> hasRightWidths,
        Func<Operation, UInt128, UInt128, UInt128, UInt128> evaluate,
        Func<Operation, Func<Value, Interval>, Interval> range) =>
        new(opcode, OpcodeKind.Pure, arity, hasRightWidths) { Evaluate = evaluate, Range = range };

    private static bool OperandsAreAsWide(Operation o) => o.Operands.TrueForAll(operand => operand.Width == o.Width);

    private static bool FirstIsAsWide(Operation o) => o.Operands[0].Width == o.Width;

    private static bool IsComparison(Operation o) => o.Width == 1 && o.Operands[0].Width == o.Operands[1].Width;

    private static bool StateIsAsWide(Operation o, Value value) => o.State.All(s => s.Width == value.Width);

    private static bool IsCallOf(VerilogCore core, Operation o) =>
        o.Width == core.Width
        && o.Operands.Select(operand => operand.Width).SequenceEqual(core.Inputs.Select(port => port.Width));

    private static UInt128 OnesSum(UInt128 words)
    {
        while (words > ushort.MaxValue) words = (words & ushort.MaxValue) + (words >> 16);
        return words;
    }

    private static UInt128 Bit(bool value) => value ? UInt128.One : UInt128.Zero;
}
