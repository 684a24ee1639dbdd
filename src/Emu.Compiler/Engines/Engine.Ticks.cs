using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

internal sealed partial class Engine
{
    /// <summary>The next tick's time is added up in parts of so many bits, one a cycle.</summary>
    private const int TickPartBits = 22;

    private Flop? _isTick, _hasBegun;
    private Value _nextTick = FoldingBuilder.Zero(64), _runBegins = FoldingBuilder.Bit(false);
    private Value _tickBegins = FoldingBuilder.Bit(false), _tickAdmitted = FoldingBuilder.Bit(false);

    /// <summary>
    /// Looks at the time of a beat that waits on the bus, before the beat is taken: the ticks that are due by then run
    /// first, while the frame memory is free. The first beat after reset begins the run,
    /// and ticks are counted from its time.
    /// </summary>
    /// <param name="valid">True if a beat waits.</param>
    /// <param name="time">The time of that beat.</param>
    /// <returns>1 in the cycle in which no tick is due, and the beat may be taken.</returns>
    private Value LookForTicks(Value valid, Value time)
    {
        var n = _n;
        n.Begin("ticks: those that are due run before the beat that waits is taken");
        var looks = n.AddFlop("tick_looks", 1, 0, "between two events");
        var isCompared = n.AddFlop("tick_compared", 1, 0);
        _hasBegun = n.AddFlop("run_begun", 1, 0, "since the first beat after reset");
        var next = n.AddFlop("tick_next", 64, null, "when the next tick is due");
        _nextTick = next;
        var isNever = n.AddFlop("tick_never", 1, 0, "time ends before the next tick");
        List<Flop> adds = [.. Enumerable.Range(0, (next.Width + TickPartBits - 1) / TickPartBits)
            .Select(i => n.AddFlop($"tick_adds_{i}", 1, 0))];

        _pauses = n.AddWire(
            "pauses", n.And(n.And(_control.Resets, looks), n.Not(isCompared)), "a reset between two events");
        var compares = n.AddWire(
            "tick_compares", n.And(n.And(looks, valid), n.Not(n.ReduceOr([isCompared, _control.Resets, .. adds]))));
        isCompared.Next = compares;
        var isReached = TimeQuotient.HasReached(n, "tick", compares, time, next);
        // As on .NET, the last nanosecond of time stands for never.
        var isLast = n.Registered("tick_at_end", n.Equal(next, new Constant(next.Width, ulong.MaxValue)), 0, compares);
        var begins = _runBegins = n.AddWire("run_begins", n.And(isCompared, n.Not(_hasBegun)));
        _tickBegins = n.AddWire(
            "tick_begins", n.And(n.And(isCompared, _hasBegun), n.And(isReached, n.Not(n.Or(isNever, isLast)))));
        looks.Next = n.Or(_returns, n.And(looks, n.Not(n.Or(isCompared, _pauses))));

        adds[0].Next = n.Or(begins, _tickBegins);
        for (var i = 1; i < adds.Count; i++) adds[i].Next = adds[i - 1];
        var (sum, carry) = NextTick(next, adds);
        (next.Next, next.Enable) = (n.Select(begins, time, sum), n.ReduceOr([begins, .. adds]));
        isNever.Next = n.And(n.Not(begins), n.Or(isNever, n.And(adds[^1], carry)));
        _betweenEvents.Add(looks);
        _isTick = n.AddFlop("is_tick", 1, 0, "the event is a tick");
        return n.And(isCompared, n.Not(_tickBegins));
    }

    /// <summary>The interval later, in the part that is its turn; and the carry out of that part.</summary>
    private (Value Sum, Value Carry) NextTick(Flop next, List<Flop> adds)
    {
        var n = _n;
        var carry = n.AddFlop("tick_carry", 1, 0);
        var (parts, carries) = (new List<Value>(), new List<(Value Condition, Value Carry)>());
        for (var i = 0; i < adds.Count; i++)
        {
            var (low, width) = (i * TickPartBits, Math.Min(TickPartBits, next.Width - i * TickPartBits));
            var before = n.Extract(next, low, width);
            var interval = new Constant(width + 1, (_compilation.TickInterval >> low) & Arithmetic.Mask(width));
            var sum = n.Add(n.Resize(before, width + 1), interval);
            if (i > 0) sum = n.Add(sum, n.Resize(carry, width + 1));
            parts.Add(n.Select(adds[i], n.Extract(sum, 0, width), before));
            carries.Add((adds[i], n.Extract(sum, width, 1)));
        }
        carry.Next = n.SelectOneHot(1, carries);
        return (parts.Aggregate((low, high) => n.Concat(high, low)), carry.Next);
    }

    /// <summary><c>tuser</c> of a tick: its time, and no port.</summary>
    private Value TickUser(Value time) =>
        _n.Resize(_n.Concat(time, FoldingBuilder.Zero(AxiStream.TimeLow)), AxiStream.UserBits);

    /// <summary>A tick begins when its time is divided.</summary>
    private void AdmitTick(Value isDivided)
    {
        var waits = _n.AddFlop("tick_waits", 1, 0);
        waits.Next = _n.Or(_tickBegins, _n.And(waits, _n.Not(isDivided)));
        _betweenEvents.Add(waits);
        _tickAdmitted = _n.AddWire("tick_admitted", _n.And(waits, isDivided));
    }
}
