using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Layouts;

/// <summary>
/// The state of a service as flops and RAMs, with the bits that its ranges need, and what sets it to what the
/// constructor left: reset for flops, for RAMs a walk through all words.
/// </summary>
internal sealed class ServiceState
{
    /// <summary>
    /// Up to here words are read in the cycle in which they are asked for (distributed RAM),
    /// above in the next (block RAM).
    /// </summary>
    public const int MaxDistributedDepth = 64;

    /// <summary>Enough cycles for the counters of any service.</summary>
    private const int MinClearBits = 7;

    private readonly Netlist _n;
    private readonly Ranges _ranges;
    private readonly StateMap _state;
    private readonly Section _section;
    private readonly Dictionary<Memory, MemoryPorts> _memories = [];
    private readonly IReadOnlyList<VerilogCore> _cores;
    private readonly SortedDictionary<string, (Register Register, Flop Flop)> _registers = new(StringComparer.Ordinal);

    /// <summary>Makes RAMs for all memories that a service uses.</summary>
    /// <param name="netlist">The circuit.</param>
    /// <param name="compilation">The service.</param>
    /// <param name="functions">The functions that the circuit runs for events: all those that share the state.</param>
    public ServiceState(Netlist netlist, Compilation compilation, IReadOnlyList<Function> functions)
    {
        (_n, _ranges, _state) = (netlist, compilation.Ranges(), compilation.State);
        var operations = functions
            .SelectMany(f => f.Blocks())
            .SelectMany(b => b.Operations)
            .Where(o => o.State.Count > 0)
            .ToList();
        var written = ConstantState.Written(functions);
        _section = _n.Begin("state of the service");
        foreach (var memory in operations.SelectMany(o => o.State).OfType<Memory>().Distinct()
            .OrderBy(m => m.Name, StringComparer.Ordinal))
            _memories[memory] = new MemoryPorts(_n, memory, _ranges.Of(memory).Width, written.Contains(memory));
        _cores = [.. operations.SelectMany(o => o.State).OfType<VerilogCore>().Distinct()];
        HasRegisters = operations.Exists(o => o.Opcode is Opcode.RegisterRead or Opcode.RegisterWrite);
        Columns = compilation.State.ControlColumns(_memories.Keys.ToHashSet());
    }

    /// <summary>True if there are registers that are no mere counters.</summary>
    public bool HasRegisters { get; }

    /// <summary>The columns of the tables that can be read from outside.</summary>
    public IReadOnlyList<ControlColumn> Columns { get; }

    /// <summary>The registers, by name.</summary>
    public IEnumerable<(Register Register, Flop Flop)> Registers => _registers.Values;

    /// <summary>The registers that can be read from outside, by name.</summary>
    public IEnumerable<(Register Register, Flop Flop)> ShownRegisters =>
        Registers.Where(known => !known.Register.IsTransient && !IsHidden(known.Register));

    /// <summary>The memories.</summary>
    public IEnumerable<MemoryPorts> Memories => _memories.Values;

    /// <summary>The places of registers and memories.</summary>
    public IEnumerable<StatePlace> Places =>
        _registers.Values.Select(r => (StatePlace)new InFlop(r.Register, r.Flop))
            .Concat(_memories.Select(m => new InRam(m.Key, m.Value.Ram)));

    /// <summary>
    /// The bits of a walk that goes twice through the longest memory that has to be cleared, and through the counters,
    /// and lasts as long as the cores need.
    /// </summary>
    public int ClearBits =>
        _memories.Values.Where(m => m.IsWritten).Select(m => m.Ram.AddressWidth + 1)
            .Concat(_cores.Select(core => Interval.Of((UInt128)core.ResetCycles).Width))
            .Append(MinClearBits).Max();

    /// <summary>A register as a person names it: a counter by the property that holds it.</summary>
    public static string NameOf(Register register) =>
        register.Name.EndsWith(".Value", StringComparison.Ordinal) ? register.Name[..^".Value".Length] : register.Name;

    /// <summary>The flop of a register, made when it is asked for first.</summary>
    public Flop Of(Register register)
    {
        if (_registers.TryGetValue(register.Name, out var known)) return known.Flop;
        _n.Continue(_section);
        var flop = _n.AddFlop(
            Netlist.SnakeCase(register.Name), _ranges.Of(register).Width, register.Reset, register.Name);
        // A register that nothing writes keeps its value from construction.
        flop.Next = new Constant(flop.Width, register.Reset);
        _registers[register.Name] = (register, flop);
        return flop;
    }

    public MemoryPorts Of(Memory memory) => _memories[memory];

    /// <summary>True if a register is not to be seen from outside.</summary>
    public bool IsHidden(Register register) => _state.IsHidden(register);
}

/// <summary>A memory of the service as a RAM, with its accesses so far.</summary>
internal sealed class MemoryPorts
{
    private readonly Netlist _n;
    private readonly Memory _memory;
    private readonly List<(Value Condition, Value Address, Value Data)> _writes = [];
    private readonly UInt128[]? _initial;

    public MemoryPorts(Netlist netlist, Memory memory, int width, bool isWritten)
    {
        (_n, _memory, IsWritten) = (netlist, memory, isWritten);
        var name = Netlist.SnakeCase(memory.Name);
        var depth = Math.Max(2, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)memory.Depth));
        var isZero = memory.Reset.All(bits => bits == 0);
        _initial = isZero
            ? null
            : [.. memory.Reset, .. Enumerable.Repeat(UInt128.Zero, depth - memory.Depth)];
        Ram = _n.AddRam(name, width, depth, _initial, memory.Name);
        IsRegistered = depth > ServiceState.MaxDistributedDepth;
    }

    /// <summary>The memory that it holds.</summary>
    public Memory Memory => _memory;

    public Ram Ram { get; }

    /// <summary>True if a word is there one cycle after its address.</summary>
    public bool IsRegistered { get; }

    public bool IsWritten { get; }

    /// <summary>Copies of it, each in banks that have its words in turn.</summary>
    public List<IReadOnlyList<Ram>> Mirrors { get; } = [];

    /// <summary>The word's index as an address.</summary>
    public Value Address(Value index) => _n.Resize(index, Ram.AddressWidth);

    /// <summary>A word as a value of the memory's element.</summary>
    public Value Element(Value word) => _n.Resize(word, _memory.Width);

    public void Write(Value condition, Value index, Value data) =>
        _writes.Add((condition, Address(index), _n.Resize(data, Ram.Width)));

    /// <summary>Connects the write port.</summary>
    /// <param name="clears">1 while memories are cleared.</param>
    /// <param name="index">The word to clear; a walk goes through all words at least twice.</param>
    /// <param name="isTransient">True if a flop holds nothing that lasts,
    /// and may be set to 0 while memories are cleared.</param>
    public void Build(Value clears, Value index, Func<Flop, bool> isTransient)
    {
        if (!IsWritten) return;
        var address = _n.Resize(index, Ram.AddressWidth);
        var writtenBits = WrittenBits();
        var atReset = AtReset(_n.Resize(address, writtenBits));
        // One write at a time: the clear needs no condition on the others' data.
        var (isOne, first) = (_writes.Count == 1, _writes.FirstOrDefault());
        var written = isOne
            ? first.Address
            : _n.SelectOneHot(Ram.AddressWidth, _writes.Select(w => (w.Condition, w.Address)));
        var data = isOne ? first.Data : _n.SelectOneHot(Ram.Width, _writes.Select(w => (w.Condition, w.Data)));
        var cleared = atReset is null ? ZeroWhile(clears, data, isTransient) : _n.Select(clears, atReset, data);
        Ram.Write = new RamWrite(
            _n.Select(clears, address, written), cleared,
            _n.ReduceOr([IsCleared(clears, address, writtenBits), .. _writes.Select(w => w.Condition)]));
        foreach (var banks in Mirrors) WriteAlso(banks, Ram.Write);
    }

    /// <summary>Connects the write ports of banks, a cycle later: nobody reads there so soon.</summary>
    private void WriteAlso(IReadOnlyList<Ram> banks, RamWrite write)
    {
        var laneBits = System.Numerics.BitOperations.Log2((uint)banks.Count);
        var rowBits = banks[0].AddressWidth;
        var enable = _n.Registered("mirrored", write.Enable, 0);
        var address = _n.Registered("mirrored_address", _n.Resize(write.Address, rowBits + laneBits));
        var data = _n.Resize(_n.Registered("mirrored_data", write.Data), banks[0].Width);
        foreach (var (lane, bank) in banks.Index())
        {
            var isHere = laneBits == 0
                ? enable
                : _n.And(enable, _n.Equal(_n.Extract(address, 0, laneBits), new Constant(laneBits, (UInt128)lane)));
            bank.Write = new RamWrite(_n.Extract(address, laneBits, rowBits), data, isHere);
        }
    }

    /// <summary>
    /// The bits of the addresses that are written. What lies behind these words is what it was, and is not cleared.
    /// </summary>
    private int WrittenBits() =>
        Math.Max(1, _writes.Select(w => Interval.Of(_n.Most(w.Address)).Width).Append(0).Max());

    private Value IsCleared(Value clears, Value address, int writtenBits)
    {
        var above = Ram.AddressWidth - writtenBits;
        return _initial is null || above <= 0
            ? clears
            : _n.And(clears, _n.Equal(_n.Extract(address, writtenBits, above), FoldingBuilder.Zero(above)));
    }

    /// <summary>The value that the constructor left in a word; null if that is 0 in all.</summary>
    private Value? AtReset(Value address)
    {
        if (_initial is null) return null;
        var words = _initial[..Math.Min(_initial.Length, 1 << address.Width)];
        if (LinearContents.Of(_memory.Reset.Count < words.Length ? _memory.Reset : words, Ram.Width) is { } linear)
            return linear.Word(_n, address);
        var rom = _n.AddRam(
            $"{Ram.Name}_at_reset", Ram.Width, words.Length, words, $"what the constructor left in {_memory.Name}");
        return _n.AddRead($"{rom.Name}_read", rom, address, isRegistered: false);
    }

    /// <summary>
    /// The data, 0 while memories are cleared: flops have a reset for that,
    /// so that it costs nothing between them and the RAM.
    /// </summary>
    private Value ZeroWhile(Value clears, Value data, Func<Flop, bool> isTransient)
    {
        switch (data)
        {
            case Constant { Bits: var bits } when bits == 0:
                return data;
            case Flop flop when isTransient(flop):
                flop.Next = _n.Select(clears, FoldingBuilder.Zero(flop.Width), flop.Next);
                flop.Enable = flop.Enable is null ? null : _n.Or(clears, flop.Enable);
                return flop;
            case Operation { Opcode: Opcode.Concat } concat:
                return _n.Concat(
                    ZeroWhile(clears, concat.Operands[0], isTransient),
                    ZeroWhile(clears, concat.Operands[1], isTransient));
            default:
                return _n.Select(clears, FoldingBuilder.Zero(data.Width), data);
        }
    }
}
