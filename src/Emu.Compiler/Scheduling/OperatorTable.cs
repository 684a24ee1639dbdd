using Emu.Compiler.Devices;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>The delays of every operation that a circuit can have, by its opcode.</summary>
internal static class OperatorTable
{
    /// <summary>A level, in the unit of what is planned: tenths.</summary>
    public const int Level = 10;

    /// <summary>
    /// A gate of two or three inputs, in the same unit: a LUT holds more than two that follow one another.
    /// </summary>
    public const int Gate = 4;

    /// <summary>The same, as a part of a LUT.</summary>
    private const double PartOfLut = (double)Gate / Level;

    /// <summary>The most inputs that are a gate.</summary>
    private const int GateInputs = 3;

    /// <summary>Bits of two values, or of one and a constant, that a LUT compares before a carry cell.</summary>
    private const int ComparedBits = 2, ComparedWithConstant = 4;

    /// <summary>The same where a schedule is made: with the neighbours it becomes one more.</summary>
    private const int ComparedBitsPlanned = 3;

    private static readonly OperatorRow[] s_rows =
    [
        Wiring(Opcode.Extract), Wiring(Opcode.Concat), Wiring(Opcode.ZeroExtend), Wiring(Opcode.SignExtend),
        Wiring(Opcode.Truncate),
        Bitwise(Opcode.And, (_, _) => Gate), Bitwise(Opcode.Or, (_, _) => Gate),
        Bitwise(Opcode.Xor, (o, _) => IsBySecondConstant(o) ? 0 : Gate),
        new(Opcode.Select, (_, _) => new CellPath(PartOfLut), (_, _) => Gate),
        new(Opcode.Equal, PathOfEqual, PlannedForEqual),
        Less(Opcode.LessUnsigned), Less(Opcode.LessSigned),
        Sum(Opcode.Add), Sum(Opcode.Subtract),
        Shift(Opcode.ShiftLeft), Shift(Opcode.ShiftRight), Shift(Opcode.ShiftRightSigned),
        BitCount(
            Opcode.PopCount,
            (width, device) => width <= device.LutInputs ? Level : PlannedForCount(width, device)),
        BitCount(Opcode.LeadingZeros, PlannedForCount), BitCount(Opcode.TrailingZeros, PlannedForCount),
        new(
            Opcode.Multiply, PathOfProduct,
            (o, device) => (int)Math.Round(Level * PathOfProduct(o, device).Levels)),
        Division(Opcode.DivideUnsigned), Division(Opcode.DivideSigned), Division(Opcode.RemainderUnsigned),
        Division(Opcode.RemainderSigned),
    ];

    private static readonly Dictionary<Opcode, OperatorRow> s_byOpcode = s_rows.ToDictionary(row => row.Opcode);

    /// <summary>All rows.</summary>
    public static IReadOnlyList<OperatorRow> All => s_rows;

    /// <summary>The row of an opcode that a circuit can have.</summary>
    public static OperatorRow Of(Opcode opcode) => s_byOpcode[opcode];

    /// <summary>The tenths of levels planned for a sum up to some of its bits: the carry goes on from there.</summary>
    public static int PlannedForSum(int bits, Device device) => Level * (1 + Cells(bits, device.CarryBits));

    /// <summary>The cells before the last of some low bits of a sum.</summary>
    public static CellPath PathOfSum(int bits, Device device) => Chain(Cells(bits, device.CarryBits));

    /// <summary>The cells before the parity of some bits.</summary>
    public static CellPath PathOfParity(int bits, Device device) => new(Tree(bits, device));

    private static OperatorRow Wiring(Opcode opcode) => new(opcode, (_, _) => default, (_, _) => 0);

    private static OperatorRow Bitwise(Opcode opcode, Func<Operation, Device, int> planned) =>
        new(opcode, (o, _) => HasConstant(o) ? default : new CellPath(PartOfLut), planned);

    private static OperatorRow Less(Opcode opcode) => new(
        opcode,
        (o, device) => HasConstant(o) && WidthOf(o) <= device.LutInputs
            ? new CellPath(1)
            : Chain(Cells(WidthOf(o), device.CarryBits * (HasConstant(o) ? ComparedWithConstant : ComparedBits))),
        (o, device) => Level * (1 + Cells(WidthOf(o), device.CarryBits * ComparedBitsPlanned)));

    private static OperatorRow Sum(Opcode opcode) => new(
        opcode, (o, device) => PathOfSum(WidthOf(o), device),
        (o, device) => PlannedForSum(WidthOf(o), device));

    /// <summary>A row of choices for each bit of the amount.</summary>
    private static OperatorRow Shift(Opcode opcode) =>
        new(opcode, (o, _) => new CellPath(PartOfLut * AmountBits(o)), (o, _) => Gate * AmountBits(o));

    private static OperatorRow BitCount(Opcode opcode, Func<int, Device, int> planned) => new(
        opcode, (o, device) => new CellPath(2 * Tree(WidthOf(o), device)), (o, device) => planned(WidthOf(o), device));

    /// <summary>
    /// A row for each bit of the quotient: a subtraction, and a choice by its borrow that the next row waits for.
    /// </summary>
    private static OperatorRow Division(Opcode opcode) => new(
        opcode,
        (o, device) => new CellPath(WidthOf(o) * (4 + 0.25 * Cells(WidthOf(o), device.CarryBits))),
        (o, device) => Level * WidthOf(o) * (1 + WidthOf(o) / device.CarryBits));

    private static CellPath PathOfEqual(Operation o, Device device) =>
        IsCarryChain(o)
            ? Chain(Cells(WideComparison.Parts(WidthOf(o)), device.CarryBits))
            : new CellPath(Tree(HasConstant(o) ? WidthOf(o) : 2 * WidthOf(o), device));

    private static int PlannedForEqual(Operation o, Device device)
    {
        var (width, isByConstant) = (WidthOf(o), IsBySecondConstant(o));
        var inputs = isByConstant ? width : 2 * width;
        return inputs <= GateInputs ? Gate
            : IsCarryChain(o)
                ? Level * (2 + WideComparison.Parts(width) / device.CarryBits)
                : Level * TreeLevels(inputs, device);
    }

    private static bool IsCarryChain(Operation o) =>
        OperationForms.Of(o.Opcode, o.Operands) == OperationForm.CarryChain;

    private static int PlannedForCount(int width, Device device) => 2 * Level * TreeLevels(width, device);

    /// <summary>
    /// Small products are LUTs; others are pieces of 17 bits by 24, each in a multiplier block, whose products go
    /// through a column of blocks.
    /// </summary>
    private static CellPath PathOfProduct(Operation o, Device device)
    {
        const int Small = 10, Piece = 17, PiecesInColumn = 3;
        var isByConstant = HasConstant(o);
        if (o.Width <= Small) return new CellPath(isByConstant ? 4 : 7);
        if (WideArithmetic.FitsBlock(o.Operands[0], o.Operands[1])) return new CellPath(0, Multipliers: 1);
        var pieces = Cells(o.Width, Piece);
        return isByConstant || pieces <= PiecesInColumn
            ? new CellPath(0, Multipliers: pieces)
            : Chain(Cells(o.Width, device.CarryBits)) with { Multipliers = pieces };
    }

    /// <summary>A LUT, and a carry chain behind it.</summary>
    private static CellPath Chain(int cells) => new(1, CarryCells: cells);

    /// <summary>A tree of LUTs; a gate for what needs less than one.</summary>
    private static double Tree(int inputs, Device device) =>
        inputs <= GateInputs ? PartOfLut : TreeLevels(inputs, device);

    private static int TreeLevels(int inputs, Device device)
    {
        var levels = 1;
        for (; inputs > device.LutInputs; inputs = Cells(inputs, device.LutInputs)) levels++;
        return levels;
    }

    private static int Cells(int bits, int bitsOfCell) => (bits + bitsOfCell - 1) / bitsOfCell;

    private static int WidthOf(Operation o) => o.Operands[0].Width;

    private static int AmountBits(Operation o) => Interval.Of((UInt128)WidthOf(o)).Width;

    private static bool HasConstant(Operation o) => o.Operands.Exists(operand => operand is Constant);

    private static bool IsBySecondConstant(Operation o) => o.Operands[1] is Constant;
}
