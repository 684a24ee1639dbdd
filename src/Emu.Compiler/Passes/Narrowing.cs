using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Gives values the bits that their range needs: constant, wherever the branches on the way leave one number,
/// and zeros above the rest.
/// </summary>
internal static class Narrowing
{
    public static void Run(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        var ranges = new Ranges(functions);
        foreach (var (function, events) in functions)
        {
            var facts = new PathRanges(function, events, ranges);
            UseConstants(function, facts);
            Narrow(function, facts);
        }
    }

    /// <summary>Puts a number where a value can be only that one.</summary>
    private static void UseConstants(Function function, PathRanges facts)
    {
        static Value Known(Value value, Interval range) =>
            range.IsOne && value is not Constant ? new Constant(value.Width, range.Min) : value;
        foreach (var block in function.Blocks())
        {
            foreach (var phi in block.Phis)
            {
                for (var i = 0; i < phi.Operands.Count; i++)
                    phi.Operands[i] = Known(phi.Operands[i], facts.On(block.Predecessors[i], block, phi.Operands[i]));
            }
            Value Here(Value value) => Known(value, facts.At(block, value));
            foreach (var operation in block.Operations)
            {
                for (var i = 0; i < operation.Operands.Count; i++) operation.Operands[i] = Here(operation.Operands[i]);
            }
            block.Terminator = block.Terminator switch
            {
                Branch branch => branch with { Condition = Here(branch.Condition) },
                Return end => new Return(Here(end.Start), Here(end.Length), Here(end.Egress)),
                var other => other,
            };
        }
    }

    private static void Narrow(Function function, PathRanges facts)
    {
        var known = new Substitution();
        var parts = new List<(Operation Low, Operation Whole)>();
        foreach (var block in function.Blocks())
        {
            var narrowed = new List<Operation>();
            foreach (var operation in block.Operations)
            {
                if (SmallRemainder(operation, part => facts.At(block, part), narrowed) is { } rest)
                {
                    known.Add(operation, rest);
                    continue;
                }
                narrowed.Add(operation);
                if (!operation.IsEffect) Narrow(operation, facts.AtDefinition(operation), narrowed, known, parts);
            }
            block.Operations.Clear();
            block.Operations.AddRange(narrowed);
        }
        known.Apply(function);
        foreach (var (low, whole) in parts) low.Operands[0] = whole;
    }

    /// <summary>
    /// The remainder by a constant of a number that is less than twice that, as of a sum modulo 255 of which each part
    /// is less: a subtraction, and a choice by its sign. Null for any other.
    /// </summary>
    private static Value? SmallRemainder(Operation operation, Func<Value, Interval> range, List<Operation> block)
    {
        if (operation is not
            {
                Opcode: Opcode.RemainderUnsigned or Opcode.RemainderSigned,
                Operands: [var dividend, Constant divisor],
            }
            || divisor.Bits == 0 || UInt128.IsPow2(divisor.Bits) || divisor.Bits > Arithmetic.Mask(operation.Width - 2)
            || range(dividend).Max >= UInt128.Min(2 * divisor.Bits, Arithmetic.Mask(operation.Width - 2)))
            return null;
        var n = new OperationList(block) { Location = operation.Location };
        // A bit more than the dividend has says whether the difference is negative.
        var bits = Interval.Of(2 * divisor.Bits - 1).Width + 1;
        Value Low(Value value) => n.Extract(value, 0, bits);
        // What comes round in a loop is added last.
        var (first, rest) = dividend is Operation { Opcode: Opcode.Add, Operands: [var a, var b] }
            ? b is Phi ? (b, a) : (a, b)
            : (FoldingBuilder.Zero(dividend.Width), dividend);
        var less = n.Add(Low(first), n.Subtract(Low(rest), new Constant(bits, divisor.Bits)));
        return n.Resize(n.Select(n.Extract(less, bits - 1, 1), Low(dividend), less), operation.Width);
    }

    private static void Narrow(
        Operation operation,
        Interval range,
        List<Operation> block,
        Substitution known,
        List<(Operation Low, Operation Whole)> parts)
    {
        if (range.IsOne)
        {
            known.Add(operation, new Constant(operation.Width, range.Min));
            return;
        }
        // A value that already has zeros on top gains nothing.
        if (range.Width == operation.Width
            || operation.Opcode == Opcode.Concat && Constant.Is(operation.Operands[0], 0))
            return;
        var low = new Operation(Opcode.Extract, range.Width, operation) { Location = operation.Location };
        var whole = new Operation(Opcode.Concat, operation.Width, new Constant(operation.Width - range.Width, 0), low)
        {
            Location = operation.Location,
        };
        block.Add(low);
        block.Add(whole);
        known.Add(operation, whole);
        parts.Add((low, operation));
    }
}
