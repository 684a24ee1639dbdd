using System.Numerics;
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
internal sealed class ControlRegisters
{
    private readonly Netlist _n;
    private readonly Section _section;
    private readonly CounterBank _bank;
    private readonly ControlMap _map = new();
    private readonly List<(Register Register, int Index)> _ofService = [];
    private readonly List<Flop> _indexBytes = [];
    private Flop? _pauses, _holds;
    private ServiceState? _state;

    /// <summary>Declares what the service's reset needs.</summary>
    public ControlRegisters(Netlist netlist, string service)
    {
        _n = netlist;
        _bank = new CounterBank(netlist);
        _section = netlist.Begin("AXI4-Lite registers");
        Resets = netlist.AddFlop(
            "control_reset", 1, 0, "a write to 0x08: back to what the constructor left, between two frames");
        _map.AddConstant(0x00, "id", "the first four letters of the service's name", Letters(service));
        _map.AddConstant(0x04, "version", "of this register map", 0x0001_0000);
        _map.Entries.Add(
            new RegisterEntry(ControlMap.ResetAddress, "reset", "write 1: back to what the constructor left"));
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
    public IReadOnlyList<RegisterEntry> Entries => _map.Entries;

    /// <summary>The cycles that clearing the counters takes; known when all are there.</summary>
    public int ClearCycles => CounterBank.ClearCycles(_bank.Count);

    /// <summary>The places of the service's counters; known when they are built.</summary>
    public IEnumerable<StatePlace> Places =>
        _ofService.Select(c => new InBank(c.Register, _bank.Low, _bank.High, c.Index));

    /// <summary>Declares what reading the service's state needs; before any event is laid out.</summary>
    public void Show(ServiceState state)
    {
        _state = state;
        if (!state.HasRegisters && state.Columns.Count == 0) return;
        _n.Continue(_section);
        _pauses = _n.AddFlop("control_pauses", 1, 0, "no further event begins");
        if (state.Columns.Count == 0) return;
        var bits = state.Columns.Max(column => IndexBits(state, column));
        for (var low = 0; low < bits; low += 8)
            _indexBytes.Add(_n.AddFlop($"table_index_{low / 8}", Math.Min(8, bits - low), 0));
        _holds = _n.AddFlop("table_holds", 1, 0, $"bit {ControlMap.HoldBit} of table_index: events wait");
    }

    /// <summary>Reads an accumulator of the service, which may be added later.</summary>
    /// <param name="register">The accumulator.</param>
    /// <param name="isAsked">1 while it is asked for: see <see cref="CounterPort.Read"/>.</param>
    /// <returns>When it is there, and what it is in the cycle behind that.</returns>
    public (Value IsThere, Value Count) Read(Register register, Value isAsked) =>
        (_bank.Port.IsDone, _bank.Port.Read(isAsked, () => IndexOf(register)));

    /// <summary>Sets an accumulator of the service, which may be added later.</summary>
    /// <param name="register">The accumulator.</param>
    /// <param name="isAsked">1 while it is to be set: see <see cref="CounterPort.Write"/>.</param>
    /// <param name="count">What it is set to, the same in all writes of a circuit; null for 0.</param>
    /// <returns>When it is that.</returns>
    public Value Write(Register register, Value isAsked, Value? count)
    {
        if (count is null) _bank.Port.Clear(isAsked, () => IndexOf(register));
        else _bank.Port.Write(isAsked, () => IndexOf(register), count);
        return _bank.Port.IsDone;
    }

    /// <summary>A counter.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="meaning">The meaning, one line.</param>
    /// <param name="counts">The amount added to it in each cycle.</param>
    /// <param name="bits">Its bits in the map, 1 to 64: what it counts is taken modulo 2 to their power.</param>
    /// <param name="width">The width that <see cref="CounterBank.Add"/> describes.</param>
    public void AddCounter(string name, string meaning, Value counts, int bits = ControlMap.WordBits, int width = 1)
    {
        _n.Continue(_section);
        var index = _bank.Add(Netlist.SnakeCase(name), counts, width);
        _map.Counters.Add((_map.Enter(name, meaning, bits > ControlMap.WordBits ? 2 : 1, null), index, bits));
    }

    /// <summary>
    /// An accumulator of the service's own. A number that is hidden has no place in the map; the value of a
    /// <see cref="Counter"/> has one wherever it is.
    /// </summary>
    public void AddCounter(Register register, Value counts, int width)
    {
        _ofService.Add((register, _bank.Count));
        var name = ServiceState.NameOf(register);
        if (name == register.Name && _state?.IsHidden(register) == true)
        {
            _n.Continue(_section);
            _bank.Add(Netlist.SnakeCase(name), counts, width);
            return;
        }
        AddCounter(name, "counter of the service", counts, register.Width, width);
    }

    /// <summary>The state of the service, behind all counters: its registers, then its tables.</summary>
    /// <param name="state">The state.</param>
    /// <param name="word">The word of a memory at an address, while <see cref="ShowsTables"/>.</param>
    public void AddState(ServiceState state, Func<MemoryPorts, Value, Value> word)
    {
        _n.Continue(_section);
        foreach (var (register, flop) in state.ShownRegisters)
        {
            var address = _map.Enter(register.Name, "state of the service", ControlMap.Words(flop), null);
            _map.Registers.Add((address, flop));
        }
        if (state.Columns.Count == 0) return;
        const string Index =
            "the entry that the registers of tables show; while bit 31 is 1, frames wait, "
            + "so that all that is read is of one moment";
        _map.AddTableIndex("table_index", Index);
        foreach (var column in state.Columns) AddColumn(state, column, word);
    }

    /// <summary>The handshakes, when all registers are known.</summary>
    /// <param name="clears">1 while the service is set to what the constructor left.</param>
    public void Build(Value clears)
    {
        _n.Continue(_section);
        var written = ControlWrites.Build(_n, _map, Resets, ResetDone, _indexBytes, _holds);
        new ControlReads(_n, _section, _map, _bank, written, _pauses, _holds, ShowsTables).Build(clears);
        _map.Entries.Sort((a, b) => a.Address.CompareTo(b.Address));
    }

    private int IndexOf(Register register) => _ofService.First(c => c.Register == register).Index;

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
        var address = _map.Enter(
            column.Name,
            $"of a table, at table_index, 0 to {depth - 1}{entry}",
            ControlMap.Words(shown),
            stride * (column.Memories.Count - 1) + depth);
        _map.Columns.Add((address, shown));
    }
}
