using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The arrival time divided by a constant, its seconds for instance. Time never goes back, so the quotient of the event
/// before is right until the time has passed where the next one begins; only then is it divided anew, bit by bit,
/// while the event waits.
/// </summary>
internal sealed class TimeQuotient
{
    private const int TimeBits = 64;
    private const int StepBits = 6;

    /// <summary>Adds the divider.</summary>
    /// <param name="n">The design.</param>
    /// <param name="divisor">The divisor, at least 2.</param>
    /// <param name="start">1 in a cycle in which <paramref name="time"/> is new.</param>
    /// <param name="time">64 bits.</param>
    /// <param name="held">The same, from the next cycle on, until the divider is ready.</param>
    public TimeQuotient(Netlist n, ulong divisor, Value start, Value time, Value held)
    {
        var name = divisor == 1_000_000_000 ? "seconds" : $"time_over_{divisor}";
        n.Begin($"{name}: the time of the event divided by {divisor}");
        var quotient = n.AddFlop(name, Interval.Of(ulong.MaxValue / divisor).Width, 0);
        // A factor of two divides by leaving a bit away; what is left is at least 2.
        var twos = Math.Min(BitOperations.TrailingZeroCount(divisor), BitOperations.Log2(divisor) - 1);
        divisor >>= twos;
        var bits = TimeBits - twos;
        (time, held) = (n.Extract(time, twos, bits), n.Extract(held, twos, bits));
        var limit = n.AddFlop(
            $"{name}_limit", bits, divisor,
            "the time at which the next one begins" + (twos > 0 ? $", over {1UL << twos}" : ""));
        var isOver = HasReached(n, name, start, time, limit);

        // Digit by digit, the highest first; then limit = time + (divisor - rest), the lowest first.
        var isNew = n.Registered($"{name}_new", start, 0);
        var isDividing = n.AddFlop($"{name}_dividing", 1, 0);
        var isAdding = n.AddFlop($"{name}_adding", 1, 0);
        // Up to the last, then on from 0.
        var begin = new Constant(StepBits, (UInt128)(TimeBits - bits));
        var step = n.AddFlop($"{name}_step", StepBits, begin.Bits);
        var rest = n.AddFlop($"{name}_rest", Interval.Of(divisor).Width, 0);
        var begins = n.AddWire($"{name}_begins", n.And(isNew, isOver));
        var isDivided = n.Equal(step, new Constant(StepBits, TimeBits - 1));
        var isAdded = n.Equal(step, new Constant(StepBits, (UInt128)(bits - 1)));
        var dividesNext = n.Or(begins, n.And(isDividing, n.Not(isDivided)));
        var addsNext = n.Or(n.And(isDividing, isDivided), n.And(isAdding, n.Not(isAdded)));
        step.Next = n.Select(n.Or(isDividing, isAdding), n.Add(step, new Constant(StepBits, 1)), begin);

        // The digit is looked up a cycle before it is used: what works is a cycle behind the step.
        var place = n.Select(isDividing, n.Not(step), step);
        var digit = n.Registered($"{name}_digit", n.Extract(n.Make(Opcode.ShiftRight, bits, held, place), 0, 1), 0);
        var ofDivisor = n.Registered(
            $"{name}_divisor_digit",
            n.Extract(n.Make(Opcode.ShiftRight, bits, new Constant(bits, divisor), step), 0, 1),
            0);
        var (stepDivides, stepAdds) = (isDividing, isAdding);
        (stepDivides.Next, stepAdds.Next) = (dividesNext, addsNext);
        isDividing = n.Registered($"{name}_divides", stepDivides, 0);
        isAdding = n.Registered($"{name}_adds", stepAdds, 0);
        var works = n.Or(isDividing, isAdding);
        var shifted = n.Concat(rest, digit);
        // One subtraction says both what is left and, by its borrow, whether the divisor fits.
        var by = new Constant(shifted.Width + 1, divisor);
        var difference = n.AddWire($"{name}_difference", n.Subtract(n.Resize(shifted, by.Width), by));
        var isLess = n.Extract(difference, shifted.Width, 1);
        var fits = n.AddWire($"{name}_fits", n.Not(isLess));
        var reduced = n.Extract(n.Select(isLess, n.Resize(shifted, by.Width), difference), 0, rest.Width);
        rest.Next = n.Select(
            works, n.Select(isAdding, n.Concat(FoldingBuilder.Zero(1), n.Extract(rest, 1, rest.Width - 1)), reduced),
            FoldingBuilder.Zero(rest.Width));
        (quotient.Next, quotient.Enable) = (
            quotient.Width == 1 ? fits : n.Concat(n.Extract(quotient, 0, quotient.Width - 1), fits), isDividing);

        // divisor - rest, bit by bit, and the sum with the time.
        var borrow = n.AddFlop($"{name}_borrow", 1, 0);
        var carry = n.AddFlop($"{name}_carry", 1, 0);
        var ofRest = n.Extract(rest, 0, 1);
        var left = n.Make(Opcode.Xor, 1, n.Make(Opcode.Xor, 1, ofDivisor, ofRest), borrow);
        borrow.Next = n.And(isAdding, n.Or(n.And(n.Not(ofDivisor), n.Or(ofRest, borrow)), n.And(ofRest, borrow)));
        var sum = n.Make(Opcode.Xor, 1, n.Make(Opcode.Xor, 1, digit, left), carry);
        carry.Next = n.And(isAdding, n.Or(n.And(digit, n.Or(left, carry)), n.And(left, carry)));
        (limit.Next, limit.Enable) = (n.Concat(sum, n.Extract(limit, 1, bits - 1)), isAdding);

        Quotient = n.Resize(quotient, TimeBits);
        IsBusy = n.AddWire($"{name}_busy", n.ReduceOr([begins, stepDivides, stepAdds, isDividing, isAdding]));
    }

    /// <summary>
    /// 64 bits; right for the event from the cycle after its start on, while <see cref="IsBusy"/> is 0.
    /// </summary>
    public Value Quotient { get; }

    /// <summary>True if the event must wait.</summary>
    public Value IsBusy { get; }

    /// <summary>
    /// True if the time has reached the limit: compared in the cycle of the start, known in the next.
    /// </summary>
    internal static Value HasReached(Netlist n, string name, Value start, Value time, Value limit) =>
        n.Not(n.Registered($"{name}_less", n.Less(time, limit), 0, start));
}
