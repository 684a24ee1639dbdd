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

    private readonly Netlist _netlist;
    private readonly Section _section;
    private readonly List<(int Address, Value Value)> _words = [];
    private readonly List<(int Address, Value High)> _wide = [];
    private readonly List<RegisterEntry> _entries = [];
    private int _next = FirstFree;

    /// <summary>Declares the inputs.</summary>
    public ControlRegisters(Netlist netlist, string service)
    {
        _netlist = netlist;
        _section = netlist.Begin("AXI4-Lite registers");
        Resets = netlist.AddFlop("control_reset", 1, 0, "a write to 0x08: back to what the constructor left, between two frames");
        Add(0x00, "id", "the first four letters of the service's name", new Constant(32, Letters(service)));
        Add(0x04, "version", "of this register map", new Constant(32, 0x0001_0000));
        _entries.Add(new RegisterEntry(ResetAddress, "reset", "write: back to what the constructor left"));
    }

    /// <summary>1 from a write to the reset register until <see cref="ResetDone"/>.</summary>
    public Flop Resets { get; }

    /// <summary>1 in the cycle that ends a reset.</summary>
    public Value ResetDone { get; set; } = ValueFactory.Bit(false);

    /// <summary>The map, by address.</summary>
    public IReadOnlyList<RegisterEntry> Entries => _entries;

    /// <summary>A counter of 32 bits, one more in each cycle in which a bit is 1.</summary>
    public void AddCounter(string name, string meaning, Value counts)
    {
        _netlist.Continue(_section);
        var snake = Netlist.SnakeCase(name);
        // The event is kept for a cycle, so that its logic does not end in an adder.
        var happened = _netlist.Delay($"{snake}_event", counts, 0);
        var counter = _netlist.AddFlop(snake, 32, 0);
        (counter.Next, counter.Enable) = (_netlist.Add(counter, new Constant(32, 1)), happened);
        AddNext(name, meaning, counter);
    }

    /// <summary>A value of up to 64 bits, in one word or two.</summary>
    public void AddNext(string name, string meaning, Value value)
    {
        if (value.Width <= 32)
        {
            Add(_next, name, meaning, _netlist.Resize(value, 32));
            _next += 4;
            return;
        }
        Add(_next, name, $"{meaning} (low word; reading it keeps the high word)", _netlist.Extract(value, 0, 32));
        _wide.Add((_next, _netlist.Resize(_netlist.Extract(value, 32, value.Width - 32), 32)));
        _entries.Add(new RegisterEntry(_next + 4, $"{name}.high", $"{meaning} (high word, as it was when the low word was read)"));
        _next += 8;
    }

    /// <summary>The handshakes, when all registers are known.</summary>
    public void Build()
    {
        var n = _netlist;
        n.Continue(_section);
        Value In(string name, int width) => new InputBits(n.Input($"s_axi_{name}", width), 0, width);
        var (awaddr, awvalid) = (In("awaddr", AddressBits), In("awvalid", 1));
        var (wdata, wstrb, wvalid, bready) = (In("wdata", 32), In("wstrb", 4), In("wvalid", 1), In("bready", 1));
        var (araddr, arvalid, rready) = (In("araddr", AddressBits), In("arvalid", 1), In("rready", 1));

        var writeReady = n.AddFlop("write_ready", 1, 0);
        var responseValid = n.AddFlop("response_valid", 1, 0);
        writeReady.Next = n.And(n.And(awvalid, wvalid), n.And(n.Not(writeReady), n.Not(responseValid)));
        responseValid.Next = n.Or(writeReady, n.And(responseValid, n.Not(bready)));
        var word = n.Extract(awaddr, 2, AddressBits - 2);
        var complement = n.AddFlop("complement", 32, 0, "what was written to 0x0C, inverted when it is read");
        complement.Enable = n.And(writeReady, n.Equal(word, Word(ComplementAddress)));
        complement.Next = Enumerable.Range(0, 4).Select(i => n.Select(n.Extract(wstrb, i, 1), n.Extract(wdata, 8 * i, 8), n.Extract(complement, 8 * i, 8)))
            .Aggregate((low, high) => n.Concat(high, low));
        Add(ComplementAddress, "complement", "the complement of what was written last", n.Not(complement));
        var starts = n.And(n.And(writeReady, n.Equal(word, Word(ResetAddress))), n.And(n.Extract(wstrb, 0, 1), n.Extract(wdata, 0, 1)));
        Resets.Next = n.Or(starts, n.And(Resets, n.Not(ResetDone)));

        var readReady = n.AddFlop("read_ready", 1, 0);
        var readValid = n.AddFlop("read_valid", 1, 0);
        readReady.Next = n.And(arvalid, n.And(n.Not(readReady), n.Not(readValid)));
        readValid.Next = n.Or(readReady, n.And(readValid, n.Not(rready)));
        var read = n.Extract(araddr, 2, AddressBits - 2);
        if (_wide.Count > 0)
        {
            var high = n.AddFlop("high_word", 32, null, "the high word of the wide value whose low word was read last");
            var isWide = n.Any(_wide.Select(w => n.Equal(read, Word(w.Address))));
            (high.Next, high.Enable) = (n.OneOf(32, _wide.Select(w => (n.Equal(read, Word(w.Address)), w.High))), n.And(readReady, isWide));
            foreach (var (address, _) in _wide) _words.Add((address + 4, high));
        }
        var data = n.AddFlop("read_data", 32, null);
        (data.Next, data.Enable) = (n.OneOf(32, _words.Select(w => (n.Equal(read, Word(w.Address)), w.Value))), readReady);
        _entries.Sort((a, b) => a.Address.CompareTo(b.Address));

        n.Output("s_axi_awready", writeReady);
        n.Output("s_axi_wready", writeReady);
        n.Output("s_axi_bresp", ValueFactory.Zero(2));
        n.Output("s_axi_bvalid", responseValid);
        n.Output("s_axi_arready", readReady);
        n.Output("s_axi_rdata", data);
        n.Output("s_axi_rresp", ValueFactory.Zero(2));
        n.Output("s_axi_rvalid", readValid);
    }

    private static Constant Word(int address) => new(AddressBits - 2, (UInt128)(address / 4));

    private void Add(int address, string name, string meaning, Value value)
    {
        _words.Add((address, value));
        _entries.Add(new RegisterEntry(address, name, meaning));
    }

    private static uint Letters(string name) => name.Take(4).Aggregate(0u, (id, letter) => id << 8 | (byte)char.ToUpperInvariant(letter));
}
