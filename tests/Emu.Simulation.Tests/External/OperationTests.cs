using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation.Tests.External;

/// <summary>Every pure operation at many widths does in Verilog what <see cref="Arithmetic.Compute"/> says.</summary>
[Slow("Icarus, Verilator, Yosys")]
public sealed class OperationTests
{
    private const int Cycles = 200;

    /// <summary>
    /// Those between are left to the last tier: each has divisions, which take long in every simulator.
    /// </summary>
    private static readonly int[] s_widths =
        Tier.IsAll ? [1, 5, 8, 16, 32, 33, 63, 64, 65, 128] : [1, 8, 33, 64, 65, 128];

    [Fact]
    public void Operations_of_inputs()
    {
        var design = new Design("operations");
        foreach (var width in s_widths)
        {
            foreach (var name in (string[])["a", "b", "c", "divisor", "amount"])
                design.Inputs.Add(new InputPort($"{name}_{width}", width));
            Add(design, width, Operations(
                width, name => new InputBits(design.Inputs.Single(i => i.Name == $"{name}_{width}"), 0, width)));
        }
        Lockstep.Check(design, Cycles, (simulator, cycle) => Drive(simulator, new Random(cycle)));
    }

    [Fact]
    public void Operations_of_a_number_and_an_input()
    {
        var random = new Random(1);
        var design = new Design("constants");
        foreach (var width in (int[])[1, 8, 33, 64, 128])
        {
            var a = new InputPort($"a_{width}", width);
            design.Inputs.Add(a);
            Value x = new InputBits(a, 0, width);
            foreach (var number in Edges(width).Append(Numbers.Next(random, width)).Distinct())
            {
                var c = new Constant(width, number);
                List<Operation> operations = [];
                Opcode[] ofOneWidth =
                [
                    Opcode.Add, Opcode.Subtract, Opcode.And, Opcode.Xor, Opcode.ShiftLeft, Opcode.ShiftRight,
                    Opcode.ShiftRightSigned,
                ];
                foreach (var opcode in ofOneWidth)
                    operations.AddRange([new Operation(opcode, width, x, c), new Operation(opcode, width, c, x)]);
                foreach (var opcode in (Opcode[])[Opcode.Equal, Opcode.LessUnsigned, Opcode.LessSigned])
                    operations.AddRange([new Operation(opcode, 1, x, c), Not(new Operation(opcode, 1, c, x))]);
                if (number != 0 && number != Arithmetic.Mask(width))
                    operations.AddRange([
                        new Operation(Opcode.DivideSigned, width, x, c),
                        new Operation(Opcode.RemainderUnsigned, width, x, c),
                    ]);
                Add(design, width, operations);
            }
        }
        Lockstep.Check(design, Cycles, (simulator, cycle) => Drive(simulator, new Random(cycle)));
    }

    [Fact]
    public void Wide_values_that_are_equal_or_differ_in_one_bit()
    {
        const int MostBits = 70;
        var design = new Design("equality");
        InputPort[] inputs = [new("a", 128), new("differs", 1), new("bit", 8)];
        design.Inputs.AddRange(inputs);
        var (a, differs, bit) =
            (new InputBits(inputs[0], 0, 128), new InputBits(inputs[1], 0, 1), new InputBits(inputs[2], 0, 8));
        for (var width = 20; width <= MostBits; width++)
        {
            var low = new Operation(Opcode.Truncate, width, a);
            var change = new Operation(Opcode.ShiftLeft, width, new Operation(Opcode.ZeroExtend, width, differs), bit);
            Add(design, width, [new Operation(Opcode.Equal, 1, low, new Operation(Opcode.Xor, width, low, change))]);
        }
        Lockstep.Check(design, 2 * MostBits, (simulator, cycle) =>
        {
            simulator.IsInReset = false;
            simulator.Set("a", Numbers.Next(new Random(cycle), 128));
            simulator.Set("differs", (UInt128)(cycle % 2));
            simulator.Set("bit", (UInt128)(cycle / 2));
        });
    }

    private static void Drive(Simulator simulator, Random random)
    {
        simulator.IsInReset = false;
        foreach (var input in simulator.Design.Inputs)
        {
            var number = Numbers.Next(random, input.Width);
            // Not 0, and not -1.
            if (input.Name.StartsWith("divisor", StringComparison.Ordinal)) number = (number | 1) & ~(UInt128)2;
            simulator.Set(input.Name, number);
        }
    }

    private static UInt128[] Edges(int width)
    {
        var (all, least) = (Arithmetic.Mask(width), UInt128.One << (width - 1));
        return [0, 1, all, least, least - 1, (UInt128)width & all];
    }

    private static Operation Not(Value value) =>
        new(Opcode.Xor, value.Width, value, new Constant(value.Width, Arithmetic.Mask(value.Width)));

    private static void Add(Design design, int width, IEnumerable<Operation> operations)
    {
        var section = new Section($"{width} bits");
        design.Sections.Add(section);
        foreach (var operation in operations)
        {
            var flop = new Flop($"y_{design.Outputs.Count}_{operation.Opcode}_{width}_reg", operation.Width, null)
            {
                Next = operation,
            };
            section.Items.Add(flop);
            design.Outputs.Add(new OutputPort($"y_{design.Outputs.Count}_{operation.Opcode}_{width}", flop));
        }
    }

    private static IEnumerable<Operation> Operations(int width, Func<string, Value> input)
    {
        var (a, b, c, divisor, amount) = (input("a"), input("b"), input("c"), input("divisor"), input("amount"));
        foreach (var opcode in (Opcode[])
        [
            Opcode.Add, Opcode.Subtract, Opcode.Multiply, Opcode.And, Opcode.Or, Opcode.Xor,
        ])
            yield return new Operation(opcode, width, a, b);
        yield return new Operation(Opcode.DivideUnsigned, width, a, divisor);
        yield return new Operation(Opcode.RemainderUnsigned, width, a, divisor);
        // The only signed divisor of one bit is -1, and the only other number is the least.
        if (width > 1) yield return new Operation(Opcode.DivideSigned, width, a, divisor);
        if (width > 1) yield return new Operation(Opcode.RemainderSigned, width, a, divisor);
        foreach (var opcode in (Opcode[])[Opcode.ShiftLeft, Opcode.ShiftRight, Opcode.ShiftRightSigned])
        {
            yield return new Operation(opcode, width, a, amount);
            if (width > 8) yield return new Operation(opcode, width, a, new Operation(Opcode.Truncate, 8, amount));
            if (width < 128)
                yield return new Operation(opcode, width, a, new Operation(Opcode.ZeroExtend, 128, amount));
        }
        foreach (var opcode in (Opcode[])[Opcode.Equal, Opcode.LessUnsigned, Opcode.LessSigned])
        {
            yield return new Operation(opcode, 1, a, b);
            yield return Not(new Operation(opcode, 1, a, c));
        }
        foreach (var wider in s_widths.Where(w => w > width && (w == 128 || w <= 2 * width)))
        {
            yield return new Operation(Opcode.ZeroExtend, wider, a);
            yield return new Operation(Opcode.SignExtend, wider, b);
        }
        foreach (var narrower in s_widths.Where(w => w < width && (w == 1 || 2 * w >= width)))
        {
            yield return new Operation(Opcode.Truncate, narrower, new Operation(Opcode.Add, width, a, b));
            yield return new Operation(Opcode.Extract, narrower, b) { Low = (width - narrower) / 2 };
            yield return new Operation(Opcode.Extract, narrower, new Operation(Opcode.Xor, width, a, b))
            {
                Low = width - narrower,
            };
        }
        if (width <= 64) yield return new Operation(Opcode.Concat, 2 * width, a, b);
        if (width <= 32)
            yield return new Operation(Opcode.Concat, 3 * width, new Operation(Opcode.Concat, 2 * width, a, b), c);
        yield return new Operation(Opcode.Select, width, new Operation(Opcode.LessUnsigned, 1, a, b), b, c);
        foreach (var opcode in (Opcode[])[Opcode.PopCount, Opcode.LeadingZeros, Opcode.TrailingZeros])
        {
            yield return new Operation(opcode, 32, a);
            if (width is 8 or 33)
                yield return new Operation(opcode, 2, new Operation(Opcode.ShiftRight, width, a, amount));
            if (width is 1 or 64) yield return new Operation(opcode, 1, b);
        }
    }
}
