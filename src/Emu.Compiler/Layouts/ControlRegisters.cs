namespace Emu.Compiler;

/// <summary>A word of the register map.</summary>
/// <param name="Address">In bytes.</param>
/// <param name="Name">As in C#, or the contract's.</param>
/// <param name="Meaning">One line.</param>
public sealed record RegisterEntry(int Address, string Name, string Meaning);

/// <summary>
/// The AXI4-Lite side: identity, reset, counters. One read and one write at a time; every output is a register. Reading the low word of a wide value
/// keeps its high word for the next read.
/// </summary>
internal sealed class ControlRegisters
{
    private const int AddressBits = 12;
    private const int ResetAddress = 0x08;
    private const int ComplementAddress = 0x0C;
    private const int FirstFree = 0x14;

    private readonly Netlist _n;
    private readonly Section _section;
    private readonly CounterBank _bank;
    private readonly List<(int Address, Value Value)> _words = [];
    private readonly List<(int Address, Value High)> _wide = [];
    private readonly List<(int Address, int Index, bool IsWide)> _counters = [];
    private readonly List<RegisterEntry> _entries = [];
    private readonly List<(Register Register, int Index)> _ofService = [];
    private int _next = FirstFree;

    /// <summary>Declares what the service's reset needs.</summary>
    public ControlRegisters(Netlist netlist, string service)
    {
        _n = netlist;
        _bank = new CounterBank(netlist);
        _section = netlist.Begin("AXI4-Lite registers");
        Resets = netlist.AddFlop("control_reset", 1, 0, "a write to 0x08: back to what the constructor left, between two frames");
        Add(0x00, "id", "the first four letters of the service's name", new Constant(32, Letters(service)));
        Add(0x04, "version", "of this register map", new Constant(32, 0x0001_0000));
        _entries.Add(new RegisterEntry(ResetAddress, "reset", "write 1: back to what the constructor left"));
    }

    /// <summary>1 from a write to the reset register until <see cref="ResetDone"/>.</summary>
    public Flop Resets { get; }

    /// <summary>1 in the cycle that ends a reset.</summary>
    public Value ResetDone { get; set; } = ValueFactory.Bit(false);

    /// <summary>The map, by address.</summary>
    public IReadOnlyList<RegisterEntry> Entries => _entries;

    /// <summary>The cycles that clearing the counters takes; known when all are there.</summary>
    public int ClearCycles => CounterBank.ClearCycles(_bank.Count);

    /// <summary>A counter, one more in each cycle in which a bit is 1.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="meaning">One line.</param>
    /// <param name="counts">The bit.</param>
    /// <param name="isWide">Whether it has 64 bits in the map, or 32.</param>
    public void AddCounter(string name, string meaning, Value counts, bool isWide = false)
    {
        _n.Continue(_section);
        _counters.Add((_next, _bank.Add(Netlist.SnakeCase(name), counts), isWide));
        Enter(name, meaning, isWide);
    }

    /// <summary>A counter of the service's own.</summary>
    public void AddCounter(Register register, Value counts)
    {
        _ofService.Add((register, _bank.Count));
        AddCounter(ServiceState.NameOf(register), "counter of the service", counts, isWide: true);
    }

    /// <summary>Where the service's counters are; known when it is built.</summary>
    public IEnumerable<StatePlace> Places => _ofService.Select(c => new InBank(c.Register, _bank.Low, _bank.High, c.Index));

    /// <summary>A value of up to 64 bits, in one word or two.</summary>
    public void AddNext(string name, string meaning, Value value)
    {
        _words.Add((_next, _n.Resize(_n.Extract(value, 0, Math.Min(32, value.Width)), 32)));
        if (value.Width > 32) _wide.Add((_next, _n.Resize(_n.Extract(value, 32, value.Width - 32), 32)));
        Enter(name, meaning, value.Width > 32);
    }

    /// <summary>The handshakes, when all registers are known.</summary>
    /// <param name="clears">1 while the service is set to what the constructor left.</param>
    public void Build(Value clears)
    {
        _n.Continue(_section);
        Write();
        Read(clears);
        _entries.Sort((a, b) => a.Address.CompareTo(b.Address));
    }

    private static Constant Word(int address) => new(AddressBits - 2, (UInt128)(address / 4));

    private static uint Letters(string name) => name.Take(4).Aggregate(0u, (id, letter) => id << 8 | (byte)char.ToUpperInvariant(letter));

    private InputBits In(string name, int width) => new InputBits(_n.Input($"s_axi_{name}", width), 0, width);

    private void Enter(string name, string meaning, bool isWide)
    {
        _entries.Add(new RegisterEntry(_next, name, isWide ? $"{meaning} (low word; reading it keeps the high word)" : meaning));
        if (isWide) _entries.Add(new RegisterEntry(_next + 4, $"{name}.high", $"{meaning} (high word, as it was when the low word was read)"));
        _next += isWide ? 8 : 4;
    }

    private void Add(int address, string name, string meaning, Value value)
    {
        _words.Add((address, value));
        _entries.Add(new RegisterEntry(address, name, meaning));
    }

    private void Write()
    {
        var n = _n;
        var (awaddr, awvalid) = (In("awaddr", AddressBits), In("awvalid", 1));
        var (wdata, wstrb, wvalid, bready) = (In("wdata", 32), In("wstrb", 4), In("wvalid", 1), In("bready", 1));
        var ready = n.AddFlop("write_ready", 1, 0);
        var responds = n.AddFlop("response_valid", 1, 0);
        ready.Next = n.And(n.And(awvalid, wvalid), n.And(n.Not(ready), n.Not(responds)));
        responds.Next = n.Or(ready, n.And(responds, n.Not(bready)));
        var word = n.Extract(awaddr, 2, AddressBits - 2);
        var writes = n.And(ready, n.Equal(word, Word(ComplementAddress)));
        var bytes = Enumerable.Range(0, 4).Select(i => (Value)n.Delay($"complement_{i}", n.Extract(wdata, 8 * i, 8), 0, n.And(writes, n.Extract(wstrb, i, 1))));
        Add(ComplementAddress, "complement", "the complement of what was written last", n.Not(bytes.Aggregate((low, high) => n.Concat(high, low))));
        var starts = n.And(n.And(ready, n.Equal(word, Word(ResetAddress))), n.And(n.Extract(wstrb, 0, 1), n.Extract(wdata, 0, 1)));
        Resets.Next = n.Or(starts, n.And(Resets, n.Not(ResetDone)));
        n.Output("s_axi_awready", ready);
        n.Output("s_axi_wready", ready);
        n.Output("s_axi_bresp", ValueFactory.Zero(2));
        n.Output("s_axi_bvalid", responds);
    }

    /// <summary>An address is taken, then its word looked for: a counter's comes when it is its turn.</summary>
    private void Read(Value clears)
    {
        var n = _n;
        var (araddr, arvalid, rready) = (In("araddr", AddressBits), In("arvalid", 1), In("rready", 1));
        var ready = n.AddFlop("read_ready", 1, 0);
        var looks = n.AddFlop("read_looks", 1, 0, "an address is taken, its word is not there yet");
        var valid = n.AddFlop("read_valid", 1, 0);
        ready.Next = n.And(arvalid, n.Not(n.Any([ready, looks, valid])));
        var address = n.Delay("read_address", n.Extract(araddr, 2, AddressBits - 2), 0, ready);
        var isCounter = n.AddWire("read_is_counter", n.Any(_counters.Select(c => n.Equal(address, Word(c.Address)))));
        var index = n.OneOf(8, _counters.Select(c => (n.Equal(address, Word(c.Address)), (Value)new Constant(8, (UInt128)c.Index))));
        var (hasCount, low, high) = _bank.Build(clears, n.And(looks, isCounter), index);
        n.Continue(_section);
        var has = n.AddWire("read_has", n.And(looks, n.Or(hasCount, n.Not(isCounter))));
        looks.Next = n.Or(ready, n.And(looks, n.Not(has)));
        valid.Next = n.Or(has, n.And(valid, n.Not(rready)));

        // The high word of the wide value whose low word was read last.
        List<(Value Condition, Value Value)> wide = [(isCounter, high), .. _wide.Select(w => (n.Equal(address, Word(w.Address)), w.High))];
        var kept = n.Delay("high_word", wide.Count == 1 ? high : n.OneOf(32, wide), 0, n.And(has, n.Any(wide.Select(w => w.Condition))));
        var isHigh = n.Any(_wide.Select(w => w.Address).Concat(_counters.Where(c => c.IsWide).Select(c => c.Address)).Select(a => n.Equal(address, Word(a + 4))));
        var words = _words.Select(w => (n.Equal(address, Word(w.Address)), w.Value)).Append((isCounter, low)).Append((isHigh, kept));
        var data = n.Delay("read_data", n.OneOf(32, words), 0, has);
        n.Output("s_axi_arready", ready);
        n.Output("s_axi_rdata", data);
        n.Output("s_axi_rresp", ValueFactory.Zero(2));
        n.Output("s_axi_rvalid", valid);
    }
}
