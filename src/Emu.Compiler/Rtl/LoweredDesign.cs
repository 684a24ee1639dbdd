using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>
/// The operations of a design as they become a circuit: what the tools would warn of (a comparison that is always
/// false, a shift past the width, an operation on constants) is replaced by its value, what a wire names by that wire;
/// and how often each is used.
/// </summary>
internal sealed class LoweredDesign
{
    private readonly Dictionary<Operation, Value> _replaced = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Operation, Value[]> _operands = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Operation, int> _uses = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Operation> _counted = new(ReferenceEqualityComparer.Instance);

    public LoweredDesign(Design design)
    {
        var roots = design.Sections.SelectMany(s => s.Items)
            .SelectMany(Roots).Concat(design.Outputs.SelectMany(o => o.Parts)).ToList();
        var simplify = new PostOrder(
            v => v is not Operation, v => ((Operation)v).Operands, _ => { }, v => Simplify((Operation)v));
        foreach (var root in roots) simplify.Visit(root);

        foreach (var wire in design.Wires)
            if (Simplified(wire.Source) is Operation source) _replaced.TryAdd(source, wire);

        var printed = design.Wires.Select(SourceOf).Concat(roots.Select(Of)).ToList();
        var count = new PostOrder(
            v => v is not Operation, v => Operands((Operation)v), _ => { },
            v => Count(Operands((Operation)v), Parity.Is((Operation)v)));
        Count(printed);
        foreach (var root in printed) count.Visit(root);
    }

    /// <summary>The values that an item is made of.</summary>
    public static IEnumerable<Value> Roots(IDesignItem item) => item switch
    {
        Flop flop => Given(flop.Clear, flop.Enable, flop.Next),
        Wire wire => [wire.Source],
        RamRead read => Given(read.Address, read.Enable),
        Ram { Write: { } write } => [write.Enable, write.Address, write.Data],
        CoreInstance core => core.Inputs,
        _ => [],
    };

    /// <summary>The value that takes the place of another.</summary>
    public Value Of(Value value)
    {
        value = Simplified(value);
        return value is Operation operation && _replaced.TryGetValue(operation, out var wire) ? wire : value;
    }

    /// <summary>The source of a wire.</summary>
    public Value SourceOf(Wire wire) =>
        Of(wire.Source) is var source && source == wire ? Simplified(wire.Source) : source;

    /// <summary>The operands of an operation, as they become a circuit.</summary>
    public Value[] Operands(Operation operation)
    {
        if (_operands.TryGetValue(operation, out var operands)) return operands;
        operands = [.. operation.Operands.Select(Of)];
        if (operation.Opcode is Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned)
            operands[1] = WithoutZeros(operands[1]);
        return _operands[operation] = operands;
    }

    /// <summary>The circuit that an operation becomes.</summary>
    public OperationForm FormOf(Operation operation) => OperationForms.Of(operation.Opcode, Operands(operation));

    /// <summary>The number of places that use an operation.</summary>
    public int Uses(Operation operation) => _uses.GetValueOrDefault(operation);

    /// <summary>True if an operation counts ones of which only the parity is used.</summary>
    public bool IsParity(Operation count) => count.Opcode == Opcode.PopCount && !_counted.Contains(count);

    // An amount may have any width, and Verilator 5.006 takes {96'd0, x} for x modulo the word.
    private Value WithoutZeros(Value amount)
    {
        while (amount is Operation { Opcode: Opcode.ZeroExtend or Opcode.Concat } extended)
        {
            var operands = Operands(extended);
            if (operands.Length > 1 && !Constant.Is(operands[0], 0)) break;
            amount = operands[^1];
        }
        return amount;
    }

    private static IEnumerable<Value> Given(params Value?[] values) => values.OfType<Value>();

    private void Count(IEnumerable<Value> used, bool asParity = false)
    {
        foreach (var operation in used.OfType<Operation>())
        {
            _uses[operation] = Uses(operation) + 1;
            if (!asParity) _counted.Add(operation);
        }
    }

    private Value Simplified(Value value) =>
        value is Operation operation && _replaced.TryGetValue(operation, out var simpler) && simpler is not Wire
            ? simpler
            : value;

    private void Simplify(Operation operation)
    {
        var operands = operation.Operands.Select(Simplified).ToArray();
        if (Simpler(operation, operands) is { } simpler) _replaced[operation] = simpler;
    }

    private static Value? Simpler(Operation operation, Value[] operands)
    {
        var width = operands[0].Width;
        if (operands.All(o => o is Constant))
            return IsUndefined(operation, operands) ? null : Folded(operation, operands);
        switch (operation.Opcode)
        {
            case Opcode.LessUnsigned
                when Constant.Is(operands[1], 0) || Constant.Is(operands[0], Arithmetic.Mask(width)):
            case Opcode.LessSigned
                when Constant.Is(operands[1], Least(width)) || Constant.Is(operands[0], Least(width) - 1):
            case Opcode.ShiftLeft or Opcode.ShiftRight
                when operands[1] is Constant amount && amount.Bits >= (UInt128)width:
                return new Constant(operation.Width, 0);
            case Opcode.ShiftLeft or Opcode.ShiftRight or Opcode.ShiftRightSigned when Constant.Is(operands[1], 0):
                return operands[0];
            case Opcode.Equal when width == 1 && Constant.Is(operands[1], 1):
                return operands[0];
            case Opcode.Equal when width == 1 && Constant.Is(operands[0], 1):
                return operands[1];
            case Opcode.Select when operands[0] is Constant condition:
                return operands[condition.Bits != 0 ? 1 : 2];
            default:
                return null;
        }
    }

    private static UInt128 Least(int width) => UInt128.One << (width - 1);

    private static bool IsUndefined(Operation operation, Value[] operands) => operation.Opcode switch
    {
        Opcode.DivideUnsigned or Opcode.RemainderUnsigned => Constant.Is(operands[1], 0),
        Opcode.DivideSigned or Opcode.RemainderSigned =>
            Constant.Is(operands[1], 0)
            || Constant.Is(operands[0], Least(operation.Width))
                && Constant.Is(operands[1], Arithmetic.Mask(operation.Width)),
        _ => false,
    };

    private static Constant Folded(Operation operation, Value[] operands)
    {
        UInt128 Bits(int index) => index < operands.Length ? ((Constant)operands[index]).Bits : 0;
        return new Constant(operation.Width, Arithmetic.Compute(operation, Bits(0), Bits(1), Bits(2)));
    }
}
