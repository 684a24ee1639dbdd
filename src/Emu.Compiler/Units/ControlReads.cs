using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The read channels of AXI4-Lite: one read at a time.</summary>
/// <param name="n">The netlist in which they are made.</param>
/// <param name="section">The section of the registers.</param>
/// <param name="map">The register map.</param>
/// <param name="bank">The counters.</param>
/// <param name="written">The word whose complement can be read.</param>
/// <param name="pauses">1 while no further event may begin; null if the service has no state to show.</param>
/// <param name="holds">1 while frames wait; null if there are no tables.</param>
/// <param name="showsTables">1 while tables show the entry that was asked for.</param>
internal sealed class ControlReads(
    Netlist n, Section section, ControlMap map, CounterBank bank, Value written, Flop? pauses, Flop? holds,
    Value showsTables)
{
    private const int WordBits = ControlMap.WordBits;
    private const int WordBytes = ControlMap.WordBytes;

    /// <summary>
    /// An address is taken, then its word looked for: a counter's comes when it is its turn,
    /// the state's between two events.
    /// </summary>
    public void Build(Value clears)
    {
        InputBits In(string name, int width) => new(n.Input($"s_axi_{name}", width), 0, width);
        var (araddr, arvalid, rready) = (In("araddr", ControlMap.AddressBits), In("arvalid", 1), In("rready", 1));
        var ready = n.AddFlop("read_ready", 1, 0);
        var looks = n.AddFlop("read_looks", 1, 0, "an address is taken, its word is not there yet");
        var valid = n.AddFlop("read_valid", 1, 0);
        ready.Next = n.And(arvalid, n.Not(n.ReduceOr([ready, looks, valid])));

        // The meaning of the address is known when the address is taken.
        Value At(int address) => n.Equal(n.Extract(araddr, 2, ControlMap.AddressBits - 2), ControlMap.Word(address));
        Flop Asks(string name, IEnumerable<int> addresses) =>
            n.Registered($"read_{name}", n.ReduceOr(addresses.Select(At)), 0, ready);
        var isCounter = Asks("counter", map.Counters.Select(c => c.Address));
        Value isState = pauses is null
            ? FoldingBuilder.Bit(false)
            : Asks("state", map.Registers.Concat(map.Columns).Select(v => v.Address));
        var indexBits = Math.Max(8, Interval.Of((UInt128)bank.Count).Width);
        var counter = n.Registered(
            "read_counter_index",
            n.SelectOneHot(indexBits, map.Counters.Select(c => (At(c.Address), (Value)Number(indexBits, c.Index)))),
            0,
            ready);
        if (pauses is not null) pauses.Next = n.Or(n.And(looks, isState), holds ?? (Value)FoldingBuilder.Bit(false));
        var (hasCount, isSettled, low, high) = bank.Build(
            clears, n.And(looks, isCounter), n.And(n.And(looks, isState), showsTables), counter);
        n.Continue(section);
        var isShown = n.Registered("read_shown", n.And(looks, n.Select(isState, isSettled, n.Not(isCounter))), 0);
        var has = n.AddWire("read_has", n.And(looks, n.Or(hasCount, isShown)));
        looks.Next = n.Or(ready, n.And(looks, n.Not(has)));
        valid.Next = n.Or(has, n.And(valid, n.Not(rready)));

        // Each word is in a flop that is 0 unless its address was asked for, which costs nothing;
        // so all are joined without being chosen.
        List<Value> words = [CountShown(low, 0, Asks)];
        foreach (var (address, value) in map.Constants)
            words.Add(
                n.Select(Asks("constant", [address]), new Constant(WordBits, value), FoldingBuilder.Zero(WordBits)));
        Value Shown(Value asked, Value word) =>
            n.Resize(n.Registered("read_word", n.Select(asked, word, FoldingBuilder.Zero(word.Width)), 0), WordBits);
        // The complement is inverted behind the flop that joins it with the others,
        // so its bits need no inverters before it.
        var ones = new Constant(WordBits, UInt128.MaxValue);
        words.Add(
            n.Not(n.Registered(
                "read_word", n.Select(Asks("complement", [ControlMap.ComplementAddress]), written, ones), ones.Bits)));
        if (map.Counters.Exists(c => c.Bits > WordBits))
            words.Add(
                Shown(
                    Asks(
                        "counter_high",
                        map.Counters.Where(c => c.Bits > WordBits).Select(c => c.Address + WordBytes)),
                    CountShown(high, 1, Asks)));
        foreach (var column in map.Columns)
        {
            var asked = Asks("column", [column.Address]);
            words.Add(Shown(asked, Part(column.Value, 0)));
            words.AddRange(
                Kept(column, n.And(isSettled, asked)).Select(k => Shown(Asks("column_part", [k.Address]), k.Word)));
        }
        if (map.Registers.Count > 0) words.Add(Registers(ready, isSettled, At));
        n.Output("s_axi_arready", ready);
        n.Output(
            "s_axi_rdata",
            n.Registered(
                "read_data",
                n.SelectOneHot(WordBits, words.Select(word => ((Value)FoldingBuilder.Bit(true), word))),
                0,
                has));
        n.Output("s_axi_rresp", FoldingBuilder.Zero(2));
        n.Output("s_axi_rvalid", valid);
    }

    /// <summary>A word of the count that was asked for, without the bits that its accumulator does not have.</summary>
    /// <param name="word">The word in the bank.</param>
    /// <param name="number">0 for the low word, 1 for the high one.</param>
    /// <param name="asks">Makes a flop that is 1 while one of some addresses is asked for.</param>
    private Value CountShown(Value word, int number, Func<string, IEnumerable<int>, Flop> asks)
    {
        var first = number * WordBits;
        var narrow = map.Counters.Where(c => c.Bits > first && c.Bits < first + WordBits).GroupBy(c => c.Bits - first);
        foreach (var counters in narrow)
        {
            var isAsked = asks($"counter_of_{counters.Key}_bits", counters.Select(c => c.Address + number * WordBytes));
            word = n.Select(isAsked, n.Resize(n.Extract(word, 0, counters.Key), WordBits), word);
        }
        return word;
    }

    /// <summary>
    /// The word of a register of the service, of which there may be many:
    /// chosen by a number that the address was turned into.
    /// </summary>
    private Flop Registers(Value ready, Value isSettled, Func<int, Value> at)
    {
        var bits = Interval.Of((UInt128)map.Registers.Sum(r => ControlMap.Words(r.Value))).Width;
        var select = n.AddFlop("read_register", bits, 0, "0 for none");
        List<(int Address, Value Word)> words = [(-1, FoldingBuilder.Zero(WordBits))];
        words.AddRange(map.Registers.Select(r => (r.Address, n.Resize(Part(r.Value, 0), WordBits))));
        for (var i = 0; i < map.Registers.Count; i++)
        {
            var takes = n.And(isSettled, n.Equal(select, Number(bits, i + 1)));
            words.AddRange(Kept(map.Registers[i], takes).Select(k => (k.Address, n.Resize(k.Word, WordBits))));
        }
        (select.Next, select.Enable) =
            (n.SelectOneHot(bits, words.Skip(1).Select((w, i) => (at(w.Address), (Value)Number(bits, i + 1)))), ready);
        return n.Registered("read_register_word", n.SelectByIndex([.. words.Select(w => w.Word)], select), 0);
    }

    /// <summary>The words of a wide value but the lowest, as they were when that was read.</summary>
    private List<(int Address, Value Word)> Kept((int Address, Value Value) wide, Value takes) =>
    [
        .. Enumerable.Range(1, ControlMap.Words(wide.Value) - 1)
            .Select(i => (
                wide.Address + WordBytes * i,
                (Value)n.Registered("kept_word", Part(wide.Value, i), 0, takes))),
    ];

    private static Constant Number(int bits, int number) => new Constant(bits, (UInt128)number);

    private Value Part(Value value, int i) =>
        n.Extract(value, i * WordBits, Math.Min(WordBits, value.Width - i * WordBits));
}
