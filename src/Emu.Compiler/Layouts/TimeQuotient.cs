namespace Emu.Compiler;

/// <summary>
/// The arrival time divided by a constant, its seconds for instance. Time never goes back, so the quotient of the event before is right
/// until the time has passed where the next one begins; only then is it divided anew, bit by bit, while the event waits.
/// </summary>
internal sealed class TimeQuotient
{
    private const int Bits = 64;
    private const int Half = Bits / 2;

    /// <summary>The comparison is cut into parts, each of which a cycle has time for.</summary>
    private const int PartBits = 22;

    /// <summary>Adds the divider.</summary>
    /// <param name="n">The design.</param>
    /// <param name="divisor">At least 1.</param>
    /// <param name="start">1 in a cycle in which <paramref name="time"/> is new.</param>
    /// <param name="time">64 bits.</param>
    /// <param name="held">The same, from the next cycle on, until the divider is ready.</param>
    public TimeQuotient(Netlist n, ulong divisor, Value start, Value time, Value held)
    {
        var name = divisor == 1_000_000_000 ? "seconds" : $"time_over_{divisor}";
        n.Begin($"{name}: the time of the event divided by {divisor}");
        var quotient = n.AddFlop(name, Interval.Of(ulong.MaxValue / divisor).Width, 0);
        var limit = n.AddFlop($"{name}_limit", Bits, divisor, "the time at which the next one begins");
        var isOver = IsOver(n, name, start, time, limit);

        // rest, digits: what is left of the digits so far, the digits still to come above those of the quotient.
        var isNew = n.Delay($"{name}_new", start, 0);
        var isDividing = n.AddFlop($"{name}_dividing", 1, 0);
        var step = n.AddFlop($"{name}_step", 6, 0);
        var rest = n.AddFlop($"{name}_rest", Interval.Of(divisor).Width, 0);
        var digits = n.AddFlop($"{name}_digits", Bits, 0);
        var begins = n.AddWire($"{name}_begins", n.And(isNew, isOver));
        var last = n.Equal(step, new Constant(6, Bits - 1));
        var shifted = n.Concat(rest, n.Extract(digits, Bits - 1, 1));
        var by = new Constant(shifted.Width, divisor);
        var fits = n.AddWire($"{name}_fits", n.Not(n.Less(shifted, by)));
        isDividing.Next = n.Or(begins, n.And(isDividing, n.Not(last)));
        step.Next = n.Select(isDividing, n.Add(step, new Constant(6, 1)), ValueFactory.Zero(6));
        var reduced = n.Extract(n.Select(fits, n.Subtract(shifted, by), shifted), 0, rest.Width);
        (rest.Next, rest.Enable) = (n.Select(isDividing, reduced, ValueFactory.Zero(rest.Width)), n.Or(begins, isDividing));
        (digits.Next, digits.Enable) = (n.Select(isDividing, n.Concat(n.Extract(digits, 0, Bits - 1), fits), held), n.Or(begins, isDividing));

        // limit = time + (divisor - rest), a half a cycle.
        var isDivided = n.Delay($"{name}_divided", n.And(isDividing, last), 0);
        var hasLeft = n.Delay($"{name}_has_left", isDivided, 0);
        var hasLow = n.Delay($"{name}_has_low", hasLeft, 0);
        var left = n.Delay($"{name}_left", n.Subtract(new Constant(rest.Width, divisor), rest));
        var low = n.Delay($"{name}_low", n.Add(n.Resize(n.Extract(held, 0, Half), Half + 1), n.Resize(left, Half + 1)));
        (limit.Next, limit.Enable) = (n.Concat(n.Add(n.Extract(held, Half, Half), n.Resize(n.Extract(low, Half, 1), Half)), n.Extract(low, 0, Half)), hasLow);
        (quotient.Next, quotient.Enable) = (n.Extract(digits, 0, quotient.Width), isDivided);
        Quotient = n.Resize(quotient, Bits);
        IsBusy = n.AddWire($"{name}_busy", n.Any([begins, isDividing, isDivided, hasLeft, hasLow]));
    }

    /// <summary>64 bits; right for the event from the cycle after its start on, while <see cref="IsBusy"/> is 0.</summary>
    public Value Quotient { get; }

    /// <summary>Whether the event must wait.</summary>
    public Value IsBusy { get; }

    /// <summary>Whether an operation divides the time of the event by a constant.</summary>
    public static bool Is(Operation operation) =>
        operation is { Opcode: Opcode.DivideUnsigned, Width: Bits } && operation.Operands[0] is Operation { Opcode: Opcode.Input, Input: FrameInput.Time }
        && operation.Operands[1] is Constant divisor && divisor.Bits != 0;

    /// <summary>The divisors of the time in some functions.</summary>
    public static List<ulong> Divisors(IEnumerable<Function> functions) =>
        [.. functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations).Where(Is).Select(o => (ulong)((Constant)o.Operands[1]).Bits).Distinct()];

    /// <summary>Whether the time has reached the limit: part by part in the first cycle, all of it in the next.</summary>
    private static Value IsOver(Netlist n, string name, Value start, Value time, Value limit)
    {
        Value? isBelow = null;
        for (var at = 0; at < Bits; at += PartBits)
        {
            var width = Math.Min(PartBits, Bits - at);
            var (t, l) = (n.Extract(time, at, width), n.Extract(limit, at, width));
            var less = n.Delay($"{name}_less_{at}", n.Less(t, l), 0, start);
            var equal = n.Delay($"{name}_equal_{at}", n.Equal(t, l), 0, start);
            isBelow = isBelow is null ? less : n.Or(less, n.And(equal, isBelow));
        }
        return n.Not(isBelow!);
    }
}
