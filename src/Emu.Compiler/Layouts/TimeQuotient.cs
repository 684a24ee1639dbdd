namespace Emu.Compiler;

/// <summary>
/// The arrival time divided by a constant, its seconds for instance. Time never goes back, so the quotient of the event before is right
/// until a multiple has passed; only then is it divided anew, bit by bit, while the next event waits.
/// </summary>
internal sealed class TimeQuotient
{
    private const int Bits = 64;

    /// <summary>Adds the divider.</summary>
    /// <param name="n">The design.</param>
    /// <param name="divisor">At least 1.</param>
    /// <param name="start">1 in a cycle in which <paramref name="time"/> is new.</param>
    /// <param name="time">64 bits, held until the divider is ready.</param>
    public TimeQuotient(Netlist n, ulong divisor, Value start, Value time)
    {
        var name = divisor == 1_000_000_000 ? "seconds" : $"time_over_{divisor}";
        n.Begin($"{name}: the time of the event divided by {divisor}");
        var width = Interval.Of(ulong.MaxValue / divisor).Width;
        var quotient = n.AddFlop(name, width, 0);
        var multiple = n.AddFlop($"{name}_begin", Bits, 0, "the time at which this quotient began");
        var isChecking = n.Delay($"{name}_checking", start, 0);
        // The difference is registered before it is compared.
        var age = n.Delay($"{name}_age", n.Subtract(time, multiple));
        var isOver = n.Not(n.Less(age, new Constant(Bits, divisor)));

        var isDividing = n.AddFlop($"{name}_dividing", 1, 0);
        var step = n.AddFlop($"{name}_step", 6, 0);
        var rest = n.AddFlop($"{name}_rest", Interval.Of(divisor).Width, 0);
        var digits = n.AddFlop($"{name}_digits", Bits, null, "what is still to divide, above the quotient so far");
        var begins = n.And(isChecking, isOver);
        var last = n.Equal(step, new Constant(6, Bits - 1));
        var shifted = n.Concat(rest, n.Extract(digits, Bits - 1, 1));
        var limit = new Constant(shifted.Width, divisor);
        var fits = n.Not(n.Less(shifted, limit));
        var next = n.Extract(n.Select(fits, n.Subtract(shifted, limit), shifted), 0, rest.Width);
        var moved = n.Concat(n.Extract(digits, 0, Bits - 1), fits);
        isDividing.Next = n.Or(begins, n.And(isDividing, n.Not(last)));
        step.Next = n.Select(isDividing, n.Add(step, new Constant(6, 1)), ValueFactory.Zero(6));
        rest.Next = n.Select(isDividing, next, ValueFactory.Zero(rest.Width));
        digits.Next = n.Select(isDividing, moved, time);
        var ends = n.And(isDividing, last);
        (quotient.Next, quotient.Enable) = (n.Extract(moved, 0, width), ends);
        (multiple.Next, multiple.Enable) = (n.Subtract(time, n.Resize(next, Bits)), ends);

        Quotient = n.Resize(quotient, Bits);
        IsBusy = n.Or(isChecking, isDividing);
    }

    /// <summary>64 bits.</summary>
    public Value Quotient { get; }

    /// <summary>From the cycle after the start until the quotient is right.</summary>
    public Value IsBusy { get; }
}
