using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>
/// Looks at the time of a beat that waits on the bus, before the beat is taken: the ticks that are due by then run
/// first, while the frame memory is free. The first beat after reset begins the run,
/// and ticks are counted from its time.
/// </summary>
internal sealed class TickTimer
{
    /// <summary>The next tick's time is added up in parts of so many bits, one a cycle.</summary>
    private const int PartBits = 22;

    private readonly Netlist _n;
    private readonly ulong _interval;
    private readonly NextTick _tick;
    private readonly Flop _isTick;
    private readonly Value _runBegins;

    /// <summary>Makes it.</summary>
    /// <param name="design">The engine.</param>
    /// <param name="valid">True if a beat waits.</param>
    /// <param name="time">The time of that beat.</param>
    /// <param name="returns">1 when an event is done with.</param>
    public TickTimer(EngineDesign design, Value valid, Value time, Value returns)
    {
        var n = _n = design.Netlist;
        _interval = design.Compilation.TickInterval;
        n.Begin("ticks: those that are due run before the beat that waits is taken");
        Looks = n.AddFlop("tick_looks", 1, 0, "between two events");
        var isCompared = n.AddFlop("tick_compared", 1, 0);
        _tick = design.Part?.NextTick ?? new NextTick(n);
        var (next, hasBegun, isNever) = (_tick.Time, _tick.HasBegun, _tick.IsNever);
        List<Flop> adds = [.. Enumerable.Range(0, (next.Width + PartBits - 1) / PartBits)
            .Select(i => n.AddFlop($"tick_adds_{i}", 1, 0))];

        Pauses = n.AddWire(
            "pauses", n.And(n.And(design.Resets, Looks), n.Not(isCompared)), "a reset between two events");
        var compares = n.AddWire(
            "tick_compares",
            n.And(n.And(Looks, valid), n.Not(n.ReduceOr([isCompared, design.Resets, .. adds]))));
        isCompared.Next = compares;
        var isReached = TimeQuotient.HasReached(n, "tick", compares, time, next);
        // As on .NET, the last nanosecond of time stands for never.
        var isLast = n.Registered(
            "tick_at_end", n.Equal(next, new Constant(next.Width, ulong.MaxValue)), 0, compares);
        _runBegins = n.AddWire("run_begins", n.And(isCompared, n.Not(hasBegun)));
        Begins = n.AddWire(
            "tick_begins", n.And(n.And(isCompared, hasBegun), n.And(isReached, n.Not(n.Or(isNever, isLast)))));
        Looks.Next = n.Or(returns, n.And(Looks, n.Not(n.Or(isCompared, Pauses))));

        adds[0].Next = n.Or(_runBegins, Begins);
        for (var i = 1; i < adds.Count; i++) adds[i].Next = adds[i - 1];
        var (sum, carry) = AddInterval(adds);
        (next.Next, next.Enable) = (n.Select(_runBegins, time, sum), n.ReduceOr([_runBegins, .. adds]));
        isNever.Next = n.And(n.Not(_runBegins), n.Or(isNever, n.And(adds[^1], carry)));
        _isTick = n.AddFlop("is_tick", 1, 0, "the event is a tick");
        Opens = n.And(isCompared, n.Not(Begins));
    }

    /// <summary>1 between two events, while it is not known what comes next.</summary>
    public Flop Looks { get; }

    /// <summary>1 in the cycle in which no tick is due, and the beat may be taken.</summary>
    public Value Opens { get; }

    /// <summary>1 in the cycle in which a tick begins.</summary>
    public Value Begins { get; }

    /// <summary>1 when a reset begins between two events.</summary>
    public Value Pauses { get; }

    /// <summary>The time of the tick that begins.</summary>
    public Value Time => _tick.Time;

    /// <summary>True if the event is a tick.</summary>
    public Value IsTick => _isTick;

    /// <summary><c>tuser</c> of a tick: its time, and no port.</summary>
    public Value User =>
        _n.Resize(_n.Concat(Time, FoldingBuilder.Zero(StreamUserLayout.TimeLow)), StreamUserLayout.Bits);

    /// <summary>A tick begins when its time is divided; gives the bits that it waits, and that it begins.</summary>
    public (Value Waits, Value Admitted) Admit(Value isDivided)
    {
        var waits = _n.AddFlop("tick_waits", 1, 0);
        waits.Next = _n.Or(Begins, _n.And(waits, _n.Not(isDivided)));
        return (waits, _n.AddWire("tick_admitted", _n.And(waits, isDivided)));
    }

    /// <summary>Connects what is known when the rest of the engine is.</summary>
    /// <param name="finished">1 when an event is finished.</param>
    /// <param name="clears">1 while the service is reset.</param>
    public void Connect(Value finished, Value clears)
    {
        _isTick.Next = _n.Or(Begins, _n.And(_isTick, _n.Not(finished)));
        _tick.HasBegun.Next = _n.And(_n.Not(clears), _n.Or(_tick.HasBegun, _runBegins));
    }

    /// <summary>The interval later, in the part that is its turn; and the carry out of that part.</summary>
    private (Value Sum, Value Carry) AddInterval(List<Flop> adds)
    {
        var n = _n;
        var carry = n.AddFlop("tick_carry", 1, 0);
        var (parts, carries) = (new List<Value>(), new List<(Value Condition, Value Carry)>());
        for (var i = 0; i < adds.Count; i++)
        {
            var (low, width) = (i * PartBits, Math.Min(PartBits, Time.Width - i * PartBits));
            var before = n.Extract(Time, low, width);
            var interval = new Constant(width + 1, (_interval >> low) & Arithmetic.Mask(width));
            // The carry comes in by a bit of its own below.
            var sum = n.Add(
                n.Concat(n.Resize(before, width + 1), new Constant(1, 1)),
                n.Concat(interval, i == 0 ? new Constant(1, 0) : carry));
            parts.Add(n.Select(adds[i], n.Extract(sum, 1, width), before));
            carries.Add((adds[i], n.Extract(sum, width + 1, 1)));
        }
        carry.Next = n.SelectOneHot(1, carries);
        return (parts.Aggregate((low, high) => n.Concat(high, low)), carry.Next);
    }
}
