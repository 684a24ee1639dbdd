using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>Writes ones' complement sums of words out as additions.</summary>
internal static class OnesComplementSums
{
    private const int WordBits = 16;

    /// <summary>
    /// Bits of a sum of all the frame's words with its carries, and of what else is added to it before they are folded.
    /// </summary>
    public const int WidestSum = 30;

    /// <summary>
    /// Checksums over the frame that may be added with their carries and stay within <see cref="WidestSum"/>.
    /// </summary>
    private const int MaxFrameSums = 2;

    /// <summary>
    /// Writes all out but those of which it is only asked whether they are all ones:
    /// a pipeline knows that without adding carries.
    /// </summary>
    public static void RunButChecks(Function function)
    {
        var uses = function.Blocks().SelectMany(UsesIn).ToList();
        Run(function, sum =>
            sum.Operands[0].Width < WidestSum && FrameSumsIn(sum) <= MaxFrameSums
            && uses.TrueForAll(use => use.Value != sum || use.IsCheck));
    }

    /// <summary>Writes all out.</summary>
    public static void Run(Function function) => Run(function, _ => false);

    /// <summary>The sum that is compared with all ones; null if an operation is no such comparison.</summary>
    public static Operation? Checked(Operation operation) =>
        operation is
        {
            Opcode: Opcode.Equal,
            Operands: [Operation { Opcode: Opcode.OnesSum or Opcode.FrameSum } sum, Constant { Bits: var ones }]
        }
        && ones == ushort.MaxValue
            ? sum
            : null;

    /// <summary>
    /// The values whose sum a value is, in which nothing overflows, or whose ones' complement sum it is.
    /// </summary>
    public static IReadOnlyList<Value> Terms(Value value) => value switch
    {
        Operation { Opcode: Opcode.OnesSum } sum => Terms(sum.Operands[0]),
        Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0 =>
            Terms(low),
        Operation { Opcode: Opcode.Add } add when Most(add) is not null => [.. add.Operands.SelectMany(Terms)],
        _ => [value],
    };

    /// <summary>A number that a value does not exceed; null for a sum that may overflow.</summary>
    private static UInt128? Most(Value value) => value switch
    {
        Constant constant => constant.Bits,
        Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0 =>
            Most(low) ?? Arithmetic.Mask(low.Width),
        Operation { Opcode: Opcode.Add, Width: < Value.MaxWidth, Operands: [var a, var b] } =>
            (Most(a) ?? Arithmetic.Mask(a.Width)) + (Most(b) ?? Arithmetic.Mask(b.Width)) is var most
            && most <= Arithmetic.Mask(value.Width)
                ? most
                : null,
        _ => Arithmetic.Mask(value.Width),
    };

    private static int FrameSumsIn(Operation sum) =>
        Terms(sum).Count(term => term is Operation { Opcode: Opcode.FrameSum });

    private static IEnumerable<(Value Value, bool IsCheck)> UsesIn(Block block) =>
        block.Operations.SelectMany(operation => operation.Operands.Select(o => (o, Checked(operation) == o)))
            .Concat(block.Phis.SelectMany(phi => phi.Operands).Select(o => (o, false)))
            .Concat(block.Terminator switch
            {
                Branch branch => [(branch.Condition, false)],
                Return end => [(end.Start, false), (end.Length, false), (end.Egress, false)],
                _ => [],
            });

    private static void Run(Function function, Func<Operation, bool> stays)
    {
        var known = new Substitution();
        foreach (var block in function.Blocks())
        {
            var operations = new List<Operation>();
            foreach (var operation in block.Operations)
            {
                if (operation.Opcode == Opcode.OnesSum && !stays(operation))
                    known.Add(operation, Additions(operation, operations));
                else operations.Add(operation);
            }
            block.Operations.Clear();
            block.Operations.AddRange(operations);
        }
        known.Apply(function);
    }

    /// <summary>The words added up, then the carries, of which one may come of that.</summary>
    private static Operation Additions(Operation sum, List<Operation> operations)
    {
        Operation Add(Operation operation)
        {
            operations.Add(operation);
            return operation;
        }
        Operation Extended(Value value, int width) =>
            Add(new Operation(Opcode.ZeroExtend, width, value) { Location = sum.Location });
        Operation Part(Value value, int low, int width) =>
            Add(new Operation(Opcode.Extract, width, value) { Low = low, Location = sum.Location });
        Operation Sum(int width, Value a, Value b) =>
            Add(new Operation(Opcode.Add, width, Extended(a, width), Extended(b, width)) { Location = sum.Location });

        var value = sum.Operands[0];
        var words = Enumerable.Range(0, (value.Width + WordBits - 1) / WordBits)
            .Select(i => Part(value, WordBits * i, Math.Min(WordBits, value.Width - WordBits * i))).ToList();
        var total = Sum(WordBits + 1, words[0], words.Count > 1 ? words[1] : new Constant(1, 0));
        foreach (var word in words.Skip(2)) total = Sum(total.Width + 1, total, word);
        var low = Part(total, 0, WordBits);
        if (words.Count <= 2)
            return Add(new Operation(Opcode.Add, WordBits, low, Extended(Part(total, WordBits, 1), WordBits))
            {
                Location = sum.Location,
            });

        // Both are added up at once, and the carry chooses.
        var carries = Part(total, WordBits, total.Width - WordBits);
        var without = Sum(WordBits + 1, low, carries);
        var oneMore = Sum(carries.Width + 1, carries, new Constant(1, 1));
        var with = Add(
            new Operation(Opcode.Add, WordBits, low, Extended(oneMore, WordBits)) { Location = sum.Location });
        return Add(new Operation(Opcode.Select, WordBits, Part(without, WordBits, 1), with, Part(without, 0, WordBits))
        {
            Location = sum.Location,
        });
    }
}
