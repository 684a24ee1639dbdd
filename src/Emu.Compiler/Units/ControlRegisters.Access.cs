using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

internal sealed partial class ControlRegisters
{
    private static Constant Word(int address) => new(AddressBits - 2, (UInt128)(address / 4));

    private InputBits In(string name, int width) => new InputBits(_n.Input($"s_axi_{name}", width), 0, width);

    private void Write()
    {
        var n = _n;
        var (awaddr, awvalid) = (In("awaddr", AddressBits), In("awvalid", 1));
        var (wdata, wstrb, wvalid, bready) = (In("wdata", WordBits), In("wstrb", 4), In("wvalid", 1), In("bready", 1));
        var ready = n.AddFlop("write_ready", 1, 0);
        var responds = n.AddFlop("response_valid", 1, 0);
        ready.Next = n.And(n.And(awvalid, wvalid), n.And(n.Not(ready), n.Not(responds)));
        responds.Next = n.Or(ready, n.And(responds, n.Not(bready)));
        Value Writes(int address, int lane) =>
            n.And(
                n.And(ready, n.Equal(n.Extract(awaddr, 2, AddressBits - 2), Word(address))), n.Extract(wstrb, lane, 1));
        var bytes = Enumerable.Range(0, 4).Select(i =>
            (Value)n.Registered($"complement_{i}", n.Extract(wdata, 8 * i, 8), 0, Writes(ComplementAddress, i)));
        _written = bytes.Aggregate((low, high) => n.Concat(high, low));
        _entries.Add(new RegisterEntry(ComplementAddress, "complement", "the complement of what was written last"));
        var starts = n.And(Writes(ResetAddress, 0), n.Extract(wdata, 0, 1));
        Resets.Next = n.Or(starts, n.And(Resets, n.Not(ResetDone)));
        for (var i = 0; i < _indexBytes.Count; i++)
            (_indexBytes[i].Next, _indexBytes[i].Enable) =
                (n.Extract(wdata, 8 * i, _indexBytes[i].Width), Writes(_indexAddress, i));
        // A reset ends the wait, so that it can always be had.
        if (_holds is not null)
            _holds.Next = n.And(
                n.Not(Resets), n.Select(Writes(_indexAddress, HoldBit / 8), n.Extract(wdata, HoldBit, 1), _holds));
        n.Output("s_axi_awready", ready);
        n.Output("s_axi_wready", ready);
        n.Output("s_axi_bresp", FoldingBuilder.Zero(2));
        n.Output("s_axi_bvalid", responds);
    }

    /// <summary>
    /// An address is taken, then its word looked for: a counter's comes when it is its turn,
    /// the state's between two events.
    /// </summary>
    private void Read(Value clears)
    {
        var n = _n;
        var (araddr, arvalid, rready) = (In("araddr", AddressBits), In("arvalid", 1), In("rready", 1));
        var ready = n.AddFlop("read_ready", 1, 0);
        var looks = n.AddFlop("read_looks", 1, 0, "an address is taken, its word is not there yet");
        var valid = n.AddFlop("read_valid", 1, 0);
        ready.Next = n.And(arvalid, n.Not(n.ReduceOr([ready, looks, valid])));

        // The meaning of the address is known when the address is taken.
        Value At(int address) => n.Equal(n.Extract(araddr, 2, AddressBits - 2), Word(address));
        Flop Asks(string name, IEnumerable<int> addresses) =>
            n.Registered($"read_{name}", n.ReduceOr(addresses.Select(At)), 0, ready);
        var isCounter = Asks("counter", _counters.Select(c => c.Address));
        Value isState = _pauses is null
            ? FoldingBuilder.Bit(false)
            : Asks("state", _registers.Concat(_columns).Select(v => v.Address));
        var indexBits = Math.Max(8, Interval.Of((UInt128)_bank.Count).Width);
        var counter = n.Registered(
            "read_counter_index",
            n.SelectOneHot(indexBits, _counters.Select(c => (At(c.Address), (Value)Number(indexBits, c.Index)))),
            0,
            ready);
        if (_pauses is not null) _pauses.Next = n.Or(n.And(looks, isState), _holds ?? (Value)FoldingBuilder.Bit(false));
        var (hasCount, isSettled, low, high) = _bank.Build(
            clears, n.And(looks, isCounter), n.And(n.And(looks, isState), ShowsTables), counter);
        n.Continue(_section);
        var isShown = n.Registered("read_shown", n.And(looks, n.Select(isState, isSettled, n.Not(isCounter))), 0);
        var has = n.AddWire("read_has", n.And(looks, n.Or(hasCount, isShown)));
        looks.Next = n.Or(ready, n.And(looks, n.Not(has)));
        valid.Next = n.Or(has, n.And(valid, n.Not(rready)));

        // Each word is in a flop that is 0 unless its address was asked for, which costs nothing;
        // so all are joined without being chosen.
        List<Value> words = [CountShown(low, 0, Asks)];
        foreach (var (address, value) in _constants)
            words.Add(
                n.Select(Asks("constant", [address]), new Constant(WordBits, value), FoldingBuilder.Zero(WordBits)));
        Value Shown(Value asked, Value word) =>
            n.Resize(n.Registered("read_word", n.Select(asked, word, FoldingBuilder.Zero(word.Width)), 0), WordBits);
        // The complement is inverted behind the flop that joins it with the others,
        // so its bits need no inverters before it.
        var ones = new Constant(WordBits, UInt128.MaxValue);
        words.Add(
            n.Not(n.Registered(
                "read_word", n.Select(Asks("complement", [ComplementAddress]), _written, ones), ones.Bits)));
        if (_counters.Exists(c => c.Bits > WordBits))
            words.Add(
                Shown(
                    Asks(
                        "counter_high",
                        _counters.Where(c => c.Bits > WordBits).Select(c => c.Address + WordBytes)),
                    CountShown(high, 1, Asks)));
        foreach (var column in _columns)
        {
            var asked = Asks("column", [column.Address]);
            words.Add(Shown(asked, Part(column.Value, 0)));
            words.AddRange(
                Kept(column, n.And(isSettled, asked)).Select(k => Shown(Asks("column_part", [k.Address]), k.Word)));
        }
        if (_registers.Count > 0) words.Add(Registers(ready, isSettled, At));
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
        var narrow = _counters.Where(c => c.Bits > first && c.Bits < first + WordBits).GroupBy(c => c.Bits - first);
        foreach (var counters in narrow)
        {
            var isAsked = asks($"counter_of_{counters.Key}_bits", counters.Select(c => c.Address + number * WordBytes));
            word = _n.Select(isAsked, _n.Resize(_n.Extract(word, 0, counters.Key), WordBits), word);
        }
        return word;
    }

    /// <summary>
    /// The word of a register of the service, of which there may be many:
    /// chosen by a number that the address was turned into.
    /// </summary>
    private Flop Registers(Value ready, Value isSettled, Func<int, Value> at)
    {
        var n = _n;
        var bits = Interval.Of((UInt128)_registers.Sum(r => Parts(r.Value))).Width;
        var select = n.AddFlop("read_register", bits, 0, "0 for none");
        List<(int Address, Value Word)> words = [(-1, FoldingBuilder.Zero(WordBits))];
        words.AddRange(_registers.Select(r => (r.Address, n.Resize(Part(r.Value, 0), WordBits))));
        for (var i = 0; i < _registers.Count; i++)
        {
            var takes = n.And(isSettled, n.Equal(select, Number(bits, i + 1)));
            words.AddRange(Kept(_registers[i], takes).Select(k => (k.Address, n.Resize(k.Word, WordBits))));
        }
        (select.Next, select.Enable) =
            (n.SelectOneHot(bits, words.Skip(1).Select((w, i) => (at(w.Address), (Value)Number(bits, i + 1)))), ready);
        return n.Registered("read_register_word", n.SelectByIndex([.. words.Select(w => w.Word)], select), 0);
    }

    /// <summary>The words of a wide value but the lowest, as they were when that was read.</summary>
    private List<(int Address, Value Word)> Kept((int Address, Value Value) wide, Value takes) =>
    [
        .. Enumerable.Range(1, Parts(wide.Value) - 1)
            .Select(i => (
                wide.Address + WordBytes * i,
                (Value)_n.Registered("kept_word", Part(wide.Value, i), 0, takes))),
    ];

    private static Constant Number(int bits, int number) => new Constant(bits, (UInt128)number);

    private static int Parts(Value value) => (value.Width + WordBits - 1) / WordBits;

    private Value Part(Value value, int i) =>
        _n.Extract(value, i * WordBits, Math.Min(WordBits, value.Width - i * WordBits));
}
