using System.Numerics;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The AXI4-Lite side: identity, reset, counters, state. One read and one write at a time; every output is a register.
/// Reading the low word of a wide value keeps its other words for the reads that follow. State is read between two
/// events: none begins while a read waits.
/// </summary>
internal sealed partial class ControlRegisters
{
    private const int WordBits = 32;
    private const int WordBytes = WordBits / 8;
    private const int AddressBits = 12;
    private const int ResetAddress = 0x08;
    private const int ComplementAddress = 0x0C;
    private const int FirstFree = 0x14;
    private const int HoldBit = 31;

    private readonly Netlist _n;
    private readonly Section _section;
    private readonly CounterBank _bank;
    private readonly List<(int Address, UInt128 Value)> _constants = [];
    private readonly List<(int Address, Value Value)> _registers = [];
    private readonly List<(int Address, Value Value)> _columns = [];
    private readonly List<(int Address, int Index, int Bits)> _counters = [];
    private readonly List<RegisterEntry> _entries = [];
    private readonly List<(Register Register, int Index)> _ofService = [];
    private readonly List<Flop> _indexBytes = [];
    private Flop? _pauses, _holds;
    private Value _written = FoldingBuilder.Zero(WordBits);
    private int _next = FirstFree, _indexAddress;

    /// <summary>Declares what the service's reset needs.</summary>
    public ControlRegisters(Netlist netlist, string service)
    {
        _n = netlist;
        _bank = new CounterBank(netlist);
        _section = netlist.Begin("AXI4-Lite registers");
        Resets = netlist.AddFlop(
            "control_reset", 1, 0, "a write to 0x08: back to what the constructor left, between two frames");
        AddConstant(0x00, "id", "the first four letters of the service's name", Letters(service));
        AddConstant(0x04, "version", "of this register map", 0x0001_0000);
        _entries.Add(new RegisterEntry(ResetAddress, "reset", "write 1: back to what the constructor left"));
    }

    /// <summary>1 from a write to the reset register until <see cref="ResetDone"/>.</summary>
    public Flop Resets { get; }

    /// <summary>1 in the cycle that ends a reset.</summary>
    public Value ResetDone { get; set; } = FoldingBuilder.Bit(false);

    /// <summary>1 while no further event may begin.</summary>
    public Value Pauses => _pauses ?? (Value)FoldingBuilder.Bit(false);

    /// <summary>1 while no event is under way; once it is, it stays so while <see cref="Pauses"/> is 1.</summary>
    public Value IsBetween { get; set; } = FoldingBuilder.Bit(false);

    /// <summary>1 while tables must show the entry of <see cref="TableIndex"/>.</summary>
    public Value ShowsTables => _n.And(Pauses, IsBetween);

    /// <summary>The entry of the tables that can be read.</summary>
    public Value TableIndex => _indexBytes.Aggregate((Value low, Value high) => _n.Concat(high, low));

    /// <summary>The map, by address.</summary>
    public IReadOnlyList<RegisterEntry> Entries => _entries;

    /// <summary>The cycles that clearing the counters takes; known when all are there.</summary>
    public int ClearCycles => CounterBank.ClearCycles(_bank.Count);

    /// <summary>The places of the service's counters; known when they are built.</summary>
    public IEnumerable<StatePlace> Places =>
        _ofService.Select(c => new InBank(c.Register, _bank.Low, _bank.High, c.Index));

    /// <summary>Declares what reading the service's state needs; before any event is laid out.</summary>
    public void Show(ServiceState state)
    {
        if (!state.HasRegisters && state.Columns.Count == 0) return;
        _n.Continue(_section);
        _pauses = _n.AddFlop("control_pauses", 1, 0, "no further event begins");
        if (state.Columns.Count == 0) return;
        var bits = state.Columns.Max(column => IndexBits(state, column));
        for (var low = 0; low < bits; low += 8)
            _indexBytes.Add(_n.AddFlop($"table_index_{low / 8}", Math.Min(8, bits - low), 0));
        _holds = _n.AddFlop("table_holds", 1, 0, $"bit {HoldBit} of table_index: events wait");
    }

    /// <summary>A counter.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="meaning">The meaning, one line.</param>
    /// <param name="counts">The amount added to it in each cycle.</param>
    /// <param name="bits">Its bits in the map, 1 to 64: what it counts is taken modulo 2 to their power.</param>
    /// <param name="width">The width that <see cref="CounterBank.Add"/> describes.</param>
    public void AddCounter(string name, string meaning, Value counts, int bits = WordBits, int width = 1)
    {
        _n.Continue(_section);
        _counters.Add((_next, _bank.Add(Netlist.SnakeCase(name), counts, width), bits));
        Enter(name, meaning, bits > WordBits ? 2 : 1, null);
    }

    /// <summary>An accumulator of the service's own.</summary>
    public void AddCounter(Register register, Value counts, int width)
    {
        _ofService.Add((register, _bank.Count));
        AddCounter(ServiceState.NameOf(register), "counter of the service", counts, register.Width, width);
    }

    /// <summary>The state of the service, behind all counters: its registers, then its tables.</summary>
    /// <param name="state">The state.</param>
    /// <param name="word">The word of a memory at an address, while <see cref="ShowsTables"/>.</param>
    public void AddState(ServiceState state, Func<MemoryPorts, Value, Value> word)
    {
        _n.Continue(_section);
        foreach (var (register, flop) in state.Registers)
        {
            _registers.Add((_next, flop));
            Enter(register.Name, "state of the service", Parts(flop), null);
        }
        if (state.Columns.Count == 0) return;
        _indexAddress = _next;
        const string Index =
            "the entry that the registers of tables show; while bit 31 is 1, frames wait, "
            + "so that all that is read is of one moment";
        Enter("table_index", Index, 1, null);
        foreach (var column in state.Columns) AddColumn(state, column, word);
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

    private static int IndexBits(ServiceState state, ControlColumn column) =>
        state.Of(column.Memories[0]).Ram.AddressWidth
        + BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)column.Memories.Count));

    private static uint Letters(string name) =>
        name.Take(4).Aggregate(0u, (id, letter) => id << 8 | (byte)char.ToUpperInvariant(letter));

    private void AddColumn(ServiceState state, ControlColumn column, Func<MemoryPorts, Value, Value> word)
    {
        var ports = column.Memories.Select(state.Of).ToList();
        var stride = ports[0].Ram.Depth;
        var width = ports.Max(p => p.Ram.Width);
        List<Value> words = [.. ports.Select(p => _n.Resize(word(p, p.Address(TableIndex)), width))];
        var shown = words.Count == 1 ? words[0]
            : _n.SelectByIndex(
                words, _n.Extract(TableIndex, ports[0].Ram.AddressWidth, TableIndex.Width - ports[0].Ram.AddressWidth));
        var depth = column.Memories[0].Depth;
        var entry = column.Memories.Count == 1
            ? ""
            : $"; index a × {stride} + i is entry i of array a, 0 to {column.Memories.Count - 1}";
        _columns.Add((_next, shown));
        Enter(
            column.Name,
            $"of a table, at table_index, 0 to {depth - 1}{entry}",
            Parts(shown),
            stride * (column.Memories.Count - 1) + depth);
    }

    private void Enter(string name, string meaning, int words, int? entries)
    {
        _entries.Add(new RegisterEntry(
            _next, name, words == 1 ? meaning : $"{meaning} (low word; reading it keeps the others)", entries));
        for (var i = 1; i < words; i++)
        {
            var (suffix, which) = words == 2 ? ("high", "high word") : ($"word{i}", $"word {i}, from 0");
            _entries.Add(new RegisterEntry(
                _next + WordBytes * i,
                $"{name}.{suffix}",
                $"{meaning} ({which}, as it was when the low word was read)",
                entries));
        }
        _next += WordBytes * words;
        if (_next <= 1 << AddressBits) return;
        var reason =
            $"{name} has no address left: the register map has {(1 << AddressBits) / WordBytes} words; "
            + "count and show less, or keep the counts in an array";
        throw new CompileException(DiagnosticNumber.RegisterMap, reason, null);
    }

    private void AddConstant(int address, string name, string meaning, UInt128 value)
    {
        _constants.Add((address, value));
        _entries.Add(new RegisterEntry(address, name, meaning));
    }
}
