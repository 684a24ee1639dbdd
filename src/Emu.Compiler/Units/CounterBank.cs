using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// Counters of 64 bits in a RAM. Each has a few bits of its own, in which what is added to it is summed up until its
/// turn comes; then they are added to its word: the low half in one cycle, the high half in the next. So a counter
/// costs a few LUTs, or two for each bit of what is added, however many there are, and a read needs no wide
/// multiplexer.
/// </summary>
internal sealed class CounterBank
{
    /// <summary>The bits of a counter.</summary>
    public const int Bits = 2 * Half;

    /// <summary>The least cycles from one turn of a counter to the next.</summary>
    public const int MinTurns = 4;

    private const int Half = 32;

    /// <summary>Cycles from an event until it can be in a turn.</summary>
    private const int SettleBits = 3;

    /// <summary>
    /// Bits of the cycles, beyond those of the turns, in which all that has happened is surely in the words: a turn of
    /// each counter, with the way to it and from it.
    /// </summary>
    private const int WaitBits = 2;

    private readonly Netlist _n;
    private readonly List<(string Name, Value Event, int Width)> _counters = [];
    private CounterPort? _port;

    public CounterBank(Netlist netlist) => _n = netlist;

    /// <summary>The low halves; known when it is built.</summary>
    public Ram Low { get; private set; } = null!;

    /// <summary>The high halves.</summary>
    public Ram High { get; private set; } = null!;

    /// <summary>The accesses of the circuit itself, beside those from outside.</summary>
    public CounterPort Port => _port ??= new CounterPort(
        _n.DeclareWire("count_is_done", 1), _n.DeclareWire("count", Bits, "the one that the slow path has asked for"));

    /// <summary>The number of counters.</summary>
    public int Count => _counters.Count;

    /// <summary>The cycles that clearing takes at most.</summary>
    public static int ClearCycles(int counters) => 2 * Turns(counters);

    /// <summary>Adds a counter; gives its index.</summary>
    /// <param name="name">Its name in the circuit.</param>
    /// <param name="counts">The amount added to it in each cycle.</param>
    /// <param name="width">
    /// Bits of what is added in a cycle on average: less than 2 to this power, from one turn to the next.
    /// </param>
    public int Add(string name, Value counts, int width)
    {
        _counters.Add((name, counts, width));
        return _counters.Count - 1;
    }

    /// <summary>Connects it.</summary>
    /// <param name="clears">1 while all are set to 0, for <see cref="ClearCycles"/> or longer.</param>
    /// <param name="asks">1 from the cycle in which a count is asked for until it is there.</param>
    /// <param name="settles">1 while something else waits for as many cycles.</param>
    /// <param name="wanted">The index of the counter that is asked for.</param>
    /// <returns>
    /// Has is 1 when the count is there, IsSettled when the wait is over. Low is the count's low half in the cycle in
    /// which it is there and 0 in others; High is its high half from the next cycle on.
    /// </returns>
    public (Value Has, Value IsSettled, Value Low, Value High) Build(
        Value clears, Value asks, Value settles, Value wanted)
    {
        var n = _n;
        n.Begin("counters");
        var turns = Turns(_counters.Count);
        var bits = Interval.Of((UInt128)turns - 1).Width;
        var turn = n.AddFlop("counter_turn", bits, 0);
        Value IsTurn(int counter) => n.Equal(turn, new Constant(bits, (UInt128)counter));
        var next = n.Add(turn, new Constant(bits, 1));
        turn.Next = int.IsPow2(turns) ? next : n.Select(IsTurn(turns - 1), FoldingBuilder.Zero(bits), next);
        var pending = _counters
            .Select((c, i) => Pending(c.Name, c.Event, IsTurn(i), PendingBits(turns, c.Event.Width, c.Width)))
            .ToList();
        var width = pending.Max(p => p.Width);
        var ofTurn = n.SelectOneHot(width, pending.Select((p, i) => (IsTurn(i), n.Resize(p, width))));
        var added = n.Registered("counter_added", ofTurn, 0);

        // Settled: what had happened when the question came is in the counters' own bits.
        var settle = n.AddFlop("counter_settle", SettleBits, 0);
        var isSettled = n.Equal(settle, new Constant(SettleBits, Arithmetic.Mask(SettleBits)));
        settle.Next = n.Select(
            n.Or(asks, settles),
            n.Select(isSettled, settle, n.Add(settle, new Constant(SettleBits, 1))),
            FoldingBuilder.Zero(SettleBits));
        var isWanted = n.Registered(
            "counter_wanted", n.And(n.And(asks, isSettled), n.Equal(turn, n.Resize(wanted, bits))), 0);

        var lowTurn = n.Registered("counter_low_turn", turn, 0);
        var highTurn = n.Registered("counter_high_turn", lowTurn, 0);
        var (low, lowRead) = Words("counters_low", 1 << bits, lowTurn);
        var (index, isLowSet, isLowCleared) = Accesses(bits, lowTurn);
        var lowAdded = n.Resize(added, Math.Min(Half, width));
        var sum = n.Add(n.Resize(Chosen(isLowSet, 0, lowRead), Half + 1), n.Resize(lowAdded, Half + 1));
        // A cycle on its way, since a flop is set to 0 at no cost.
        var lowSum = n.Registered(
            "counter_low_sum",
            n.Select(Either(clears, isLowCleared), FoldingBuilder.Zero(Half), n.Extract(sum, 0, Half)));
        low.Write = new RamWrite(highTurn, lowSum, FoldingBuilder.Bit(true));
        var carry = n.Registered("counter_carry", n.Extract(sum, Half, 1), 0);
        var (high, highRead) = Words("counters_high", 1 << bits, highTurn);
        (Low, High) = (low, high);
        var isHighSet = isLowSet is null ? null : n.Registered("count_high_set", isLowSet, 0);
        var isHighCleared = isLowCleared is null ? null : n.Registered("count_high_cleared", isLowCleared, 0);
        var before = Chosen(isHighSet, Half, highRead);
        Value highSum;
        if (width > Half)
        {
            var highAdded = n.Registered("counter_high_added", n.Extract(added, Half, width - Half), 0);
            // The carry comes in by a bit of its own below.
            highSum = n.Extract(
                n.Add(n.Concat(before, FoldingBuilder.Bit(true)), n.Concat(n.Resize(highAdded, Half), carry)),
                1, Half);
        }
        else highSum = n.Add(before, n.Resize(carry, Half));
        var highKept = n.Registered(
            "counter_high_sum", n.Select(Either(clears, isHighCleared), FoldingBuilder.Zero(Half), highSum));
        high.Write = new RamWrite(n.Registered("counter_last_turn", highTurn, 0), highKept, FoldingBuilder.Bit(true));

        var isLow = n.Registered("counter_low_wanted", isWanted, 0);
        var lowShown = n.Registered("counter_low", n.Select(isLow, lowSum, FoldingBuilder.Zero(Half)));
        var isShown = n.Registered("counter_shown", isLow, 0);
        var highShown = n.Registered("counter_high", highKept, null, isShown);
        if (_port is not null) Answer(_port, index!);
        return (n.And(asks, isShown), n.And(settles, isSettled), lowShown, highShown);
    }

    /// <summary>
    /// Counts the cycles of an access of the circuit itself. Nothing is added to the counter meanwhile: what it holds
    /// is there, and it is set, when everything that was on its way has had its turn.
    /// </summary>
    /// <param name="bits">The bits of the turns.</param>
    /// <param name="lowTurn">The counter whose low half is added to.</param>
    /// <returns>The counter, and when its low half is set, and set to 0; null where that never is.</returns>
    private (Value? Index, Value? IsLowSet, Value? IsLowCleared) Accesses(int bits, Value lowTurn)
    {
        if (_port is not { } port) return (null, null, null);
        var n = _n;
        var asks = n.ReduceOr(port.All.Select(access => access.IsAsked));
        var wait = n.AddFlop("count_wait", bits + WaitBits, 0, "cycles in which the count settles");
        wait.Next = n.Select(asks, n.Add(wait, new Constant(wait.Width, 1)), FoldingBuilder.Zero(wait.Width));
        port.IsDone.Source = n.Equal(wait, new Constant(wait.Width, Arithmetic.Mask(wait.Width)));
        var index = n.SelectOneHot(
            bits, port.All.Select(access => (access.IsAsked, (Value)new Constant(bits, (UInt128)access.Index()))));
        if (port.Writes.Count + port.Clears.Count == 0) return (index, null, null);
        // In the last of the rounds, in which each counter has one turn.
        var isLast = n.Equal(n.Extract(wait, bits, WaitBits), new Constant(WaitBits, Arithmetic.Mask(WaitBits)));
        var isTurn = n.And(isLast, n.Equal(lowTurn, index));
        Value? InTurn(IReadOnlyList<Value> asked) => asked.Count == 0 ? null : n.And(n.ReduceOr(asked), isTurn);
        return (index, InTurn(port.Writes), InTurn(port.Clears));
    }

    private Value Either(Value one, Value? other) => other is null ? one : _n.Or(one, other);

    /// <summary>Half of a word, or of what it is set to.</summary>
    private Value Chosen(Value? isSet, int first, Value word) =>
        isSet is null ? word : _n.Select(isSet, _n.Extract(_port!.Given!, first, Half), word);

    /// <summary>Has the words show what the circuit asks for.</summary>
    private void Answer(CounterPort port, Value index)
    {
        Value Word(string name, Ram ram) =>
            _n.Registered(name, _n.AddRead($"{name}_read", ram, index, isRegistered: false));
        port.Count.Source = _n.Concat(Word("count_high", High), Word("count_low", Low));
    }

    private static int Turns(int counters) => Math.Max(MinTurns, counters);

    /// <summary>
    /// The bits of what is added from one turn to the next. Where more may be added in a cycle than on average, there
    /// is room for that.
    /// </summary>
    private static int PendingBits(int turns, int mostBits, int width)
    {
        var most = mostBits > width
            ? System.Numerics.BitOperations.RoundUpToPowerOf2((uint)turns) * (UInt128.One << width) - 1
            : (UInt128)turns * Arithmetic.Mask(width);
        return Math.Min(Bits, Interval.Of(most).Width);
    }

    private Flop Pending(string name, Value counts, Value isTurn, int bits)
    {
        var happened = _n.Registered($"{name}_event", counts, 0);
        var pending = _n.AddFlop($"{name}_pending", bits, 0);
        pending.Next = _n.Add(_n.Select(isTurn, FoldingBuilder.Zero(bits), pending), _n.Resize(happened, bits));
        return pending;
    }

    private (Ram Ram, Value Word) Words(string name, int depth, Value address)
    {
        var ram = _n.AddRam(name, Half, depth);
        return (ram, _n.AddRead($"{name}_read", ram, address, isRegistered: false));
    }
}
