using Emu.Compiler.IR;

namespace Emu.Compiler.Tests;

/// <summary>The rows of the table of opcodes, tried on all numbers of small widths.</summary>
public sealed class OpcodeTableTests
{
    private const int WidestOperand = 3;

    public static TheoryData<Opcode> PureOpcodes =>
        [.. OpcodeTable.All.Where(row => row.Kind == OpcodeKind.Pure).Select(row => row.Opcode)];

    [Fact]
    public void Every_opcode_has_its_row()
    {
        Assert.Equal(Enum.GetValues<Opcode>(), OpcodeTable.All.Select(row => row.Opcode));
        Assert.All(OpcodeTable.All, row => Assert.Same(row, OpcodeTable.Of(row.Opcode)));
    }

    [Fact]
    public void Pure_opcodes_and_no_others_can_be_evaluated() =>
        Assert.All(OpcodeTable.All, row =>
        {
            Assert.Equal(row.Kind == OpcodeKind.Pure, row.Evaluate is not null);
            Assert.Equal(row.Kind == OpcodeKind.Pure, row.Range is not null);
        });

    [Theory]
    [MemberData(nameof(PureOpcodes))]
    public void The_range_has_every_result(Opcode opcode)
    {
        var shapes = Shapes(opcode).ToList();
        Assert.NotEmpty(shapes);
        foreach (var operation in shapes)
            foreach (var ranges in Choices([.. operation.Operands.Select(o => Intervals(o.Width))]))
                AssertInside(operation, ranges);
    }

    [Theory]
    [InlineData(Opcode.LessUnsigned)]
    [InlineData(Opcode.LessSigned)]
    public void The_range_of_a_minimum_has_every_result(Opcode less)
    {
        Value a = Leaf(WidestOperand), b = Leaf(WidestOperand);
        var condition = new Operation(less, 1, a, b);
        foreach (var minimum in new[] { new Operation(Opcode.Select, WidestOperand, condition, a, b),
            new Operation(Opcode.Select, WidestOperand, condition, b, a) })
        {
            foreach (var ranges in Choices([Intervals(a.Width), Intervals(b.Width)]))
            {
                var range = OpcodeTable.Of(Opcode.Select).Range!(
                    minimum, v => v == a ? ranges[0] : v == b ? ranges[1] : Interval.Full(v.Width));
                foreach (var numbers in Choices([.. ranges.Select(Numbers)]))
                {
                    UInt128 Of(Value value) => numbers[value == a ? 0 : 1];
                    var holds = Arithmetic.Compute(condition, numbers[0], numbers[1], 0);
                    var result = Arithmetic.Compute(minimum, holds, Of(minimum.Operands[1]), Of(minimum.Operands[2]));
                    Assert.NotNull(range.Meet(Interval.Of(result)));
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(PureOpcodes))]
    public void An_operand_too_few_or_too_many_is_refused(Opcode opcode)
    {
        var row = OpcodeTable.Of(opcode);
        foreach (var operation in Shapes(opcode))
        {
            Assert.False(row.Accepts(Like(operation, operation.Operands.SkipLast(1))));
            Assert.False(row.Accepts(Like(operation, operation.Operands.Append(Leaf(1)))));
        }
    }

    [Fact]
    public void State_of_the_wrong_kind_or_number_is_refused()
    {
        var (register, memory) = (new Register("r", 2, 0), new Memory("m", 2, [0, 0]));
        Operation Read(Opcode opcode, StateElement[] state, params Value[] operands) =>
            new(opcode, 2, operands) { State = state };
        bool Accepts(Operation operation) => OpcodeTable.Of(operation.Opcode).Accepts(operation);

        Assert.True(Accepts(Read(Opcode.RegisterRead, [register])));
        Assert.True(Accepts(Read(Opcode.RegisterRead, [register, register], Leaf(1))));
        Assert.False(Accepts(Read(Opcode.RegisterRead, [register, register])));
        Assert.False(Accepts(Read(Opcode.RegisterRead, [register], Leaf(1))));
        Assert.False(Accepts(Read(Opcode.RegisterRead, [memory])));
        Assert.False(Accepts(Read(Opcode.RegisterRead, [])));
        Assert.True(Accepts(Read(Opcode.MemoryRead, [memory], Leaf(1))));
        Assert.False(Accepts(Read(Opcode.MemoryRead, [register], Leaf(1))));
        Assert.True(Accepts(Read(Opcode.Count, [register], Leaf(2))));
        Assert.False(Accepts(Read(Opcode.Count, [register], Leaf(3))));
        Assert.False(Accepts(Read(Opcode.Count, [register, register], Leaf(1))));
        Assert.False(Accepts(Read(Opcode.Add, [register], Leaf(2), Leaf(2))));
    }

    private static void AssertInside(Operation operation, Interval[] ranges)
    {
        var range = OpcodeTable.Of(operation.Opcode).Range!(operation, v => ranges[operation.Operands.IndexOf(v)]);
        Assert.True(range.Min <= range.Max && range.Max <= Arithmetic.Mask(operation.Width));
        foreach (var numbers in Choices([.. ranges.Select(Numbers)]))
        {
            if (IsUndefined(operation, numbers)) continue;
            var result = Arithmetic.Compute(
                operation, numbers[0], numbers.ElementAtOrDefault(1), numbers.ElementAtOrDefault(2));
            Assert.True(
                range.Min <= result && result <= range.Max,
                $"{operation.Opcode}:{operation.Width} of {string.Join(", ", numbers)} is {result}, not in {range}");
        }
    }

    private static bool IsUndefined(Operation operation, UInt128[] numbers)
    {
        if (operation.Opcode is Opcode.DivideUnsigned or Opcode.RemainderUnsigned) return numbers[1] == 0;
        return operation.Opcode is Opcode.DivideSigned or Opcode.RemainderSigned
            && (numbers[1] == 0 || numbers[0] == Arithmetic.Mask(operation.Width - 1) + 1
                && numbers[1] == Arithmetic.Mask(operation.Width));
    }

    /// <summary>The operations of an opcode on narrow operands.</summary>
    private static IEnumerable<Operation> Shapes(Opcode opcode)
    {
        var row = OpcodeTable.Of(opcode);
        var widths = Enumerable.Range(1, WidestOperand);
        foreach (var operands in Choices(Enumerable.Repeat(widths, row.Arity).ToArray()))
            foreach (var width in widths.Append(2 * WidestOperand).Append(16))
                foreach (var low in opcode == Opcode.Extract ? new[] { 0, 1 } : [0])
                {
                    var operation = new Operation(opcode, width, operands.Select(Leaf)) { Low = low };
                    if (row.Accepts(operation)) yield return operation;
                }
    }

    private static Operation Like(Operation operation, IEnumerable<Value> operands) =>
        new(operation.Opcode, operation.Width, operands) { Low = operation.Low };

    private static Operation Leaf(int width) => new(Opcode.Input, width);

    private static IEnumerable<UInt128> Numbers(Interval interval)
    {
        for (var number = interval.Min; number <= interval.Max; number++) yield return number;
    }

    private static IEnumerable<Interval> Intervals(int width) =>
        from min in Numbers(Interval.Full(width))
        from max in Numbers(Interval.Full(width))
        where min <= max
        select new Interval(min, max);

    /// <summary>One of each, in all ways.</summary>
    private static IEnumerable<T[]> Choices<T>(IReadOnlyList<IEnumerable<T>> parts) => parts.Aggregate(
        (IEnumerable<T[]>)[[]],
        (chosen, part) => chosen.SelectMany(before => part.Select(next => (T[])[.. before, next])));
}
