using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// A function without loops as one expression for each of its results: every operation is done, and conditions say what
/// counts. State is as it was before the event; what the event itself has written before is chosen by comparison.
/// </summary>
internal sealed class Dataflow
{
    private readonly Netlist _n;
    private readonly IEventSource _source;
    private readonly FrameDataflow _frame;
    private readonly StateDataflow _state;
    private readonly SpeculativeSelection _selection;
    private readonly CoreCalls _cores;
    private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);
    private readonly KeyedLists<FaultKind, Value> _faults = new();
    private LeavingFrame? _leaving;

    /// <summary>Computes them.</summary>
    /// <param name="netlist">The netlist in which values are made.</param>
    /// <param name="function">Without loops.</param>
    /// <param name="source">Gives the values that the event begins with.</param>
    public Dataflow(Netlist netlist, Function function, IEventSource source)
    {
        (_n, _source, _selection) = (netlist, source, new SpeculativeSelection(netlist));
        var paths = new BlockPaths(function);
        _frame = new FrameDataflow(netlist, source, paths, FrameShift.Of(function).Leaving);
        _state = new StateDataflow(netlist, source, paths, _selection);
        _cores = new CoreCalls(netlist, paths);
        var conditions = new ConditionTable(netlist, function.Blocks(), new Dominators(function), Of);
        foreach (var block in function.Blocks())
        {
            // Conditions and choices come from the branch that leads here.
            _n.Location = block.Predecessors is [{ Terminator: Branch { Condition: Operation decided } }, ..]
                ? decided.Location
                : null;
            foreach (var phi in block.Phis)
                _values[phi] = conditions.Choose(block, way => Of(phi.Operands[way]));
            var condition = conditions.Of(block);
            foreach (var operation in block.Operations) Do(operation, block, condition);
            End(block.Terminator!, condition);
        }
        Faults = _faults.ToDictionary(f => f.Key, f => _n.ReduceOr(f.Value));
        (Writes, Collisions) = _state.Writes();
        (Counts, Updates) = (_state.Counts(), _state.Updates());
    }

    /// <summary>The reads and writes of state by the event, in the order of the C#.</summary>
    public List<StateAccess> Accesses { get; } = [];

    /// <summary>Words read.</summary>
    public IReadOnlyList<MemoryAccess> Reads => _state.Reads;

    /// <summary>The read of which a value is the word; null if it is none.</summary>
    public MemoryAccess? ReadOf(Value word) => _state.ReadOf(word);

    /// <summary>
    /// The writes of each memory, in their order: several where an event writes several of its words, each time
    /// whichever of the others happens.
    /// </summary>
    public IReadOnlyList<(Memory Memory, MemoryUpdate Update)> Writes { get; }

    /// <summary>The writes of a memory, one by one, in the order of the C#.</summary>
    public IEnumerable<MemoryUpdate> WritesOf(Memory memory) => _state.WritesOf(memory);

    /// <summary>The number of times at which an event needs the write port of a memory.</summary>
    public int TurnsOf(Memory memory) => Writes.Count(write => write.Memory == memory);

    /// <summary>The memories of which an event writes several words, each with a write that shows it.</summary>
    public IReadOnlyList<(Memory Memory, MemoryUpdate Update)> Collisions { get; }

    /// <summary>True if an event reads at most one of two words.</summary>
    public bool Exclude(MemoryAccess one, MemoryAccess other) => _state.Exclude(one, other);

    /// <summary>The write of each register: the last that happens.</summary>
    public IReadOnlyList<(Register Register, RegisterUpdate Update)> Updates { get; }

    /// <summary>The calls of cores, one for each instance.</summary>
    public IReadOnlyList<CoreCall> CoreCalls => _cores.All;

    /// <summary>The call whose results a value is; null if it is none.</summary>
    public CoreCall? CallOf(Value results) => _cores.Of(results);

    /// <summary>A core that an event may call twice, which has one set of ports; null if there is none.</summary>
    public CoreCall? TwiceCalled => _cores.Twice;

    /// <summary>The amounts added to the registers that are only added to: 0 when nothing is added.</summary>
    public IReadOnlyList<(Register Register, Value Amount)> Counts { get; }

    /// <summary>The frame as it leaves in the end.</summary>
    public LeavingFrame Frame => _leaving ??= _frame.AtEnd();

    /// <summary>The copies that are sent before, in their order.</summary>
    public List<SentCopy> Copies { get; } = [];

    /// <summary>Text that a simulation prints, in order, each with its condition and its values.</summary>
    public List<(Operation Print, Value Condition, IReadOnlyList<Value> Values)> Prints { get; } = [];

    /// <summary>The conditions under which the event is left to another function.</summary>
    public List<(SideExit Exit, Value Condition)> SideExits { get; } = [];

    /// <summary>The ways in which the event ends with a verdict.</summary>
    public List<(Value Condition, Value Length, Value Egress)> Returns { get; } = [];

    /// <summary>The conditions under which the event ends with a fault.</summary>
    public IReadOnlyDictionary<FaultKind, Value> Faults { get; }

    private Value Of(Value value) => value is Constant ? value : _values[value];

    private static int ConstantOf(Operation operation, int operand) =>
        (int)((Constant)operation.Operands[operand]).Bits;

    private void End(Terminator terminator, Value condition)
    {
        if (terminator is Return end) Returns.Add((condition, Of(end.Length), Of(end.Egress)));
        else if (terminator is Fault fault) _faults.Add(fault.Kind, condition);
        else if (terminator is SideExit exit) SideExits.Add((exit, condition));
    }

    private void Do(Operation operation, Block block, Value condition)
    {
        _n.Location = operation.Location;
        foreach (var element in operation.State)
            Accesses.Add(new StateAccess(element, operation.WritesState, operation.Location));
        if (operation.Opcode == Opcode.CoreCall)
            _values[operation] = _cores.Add(operation, block, condition, [.. operation.Operands.Select(Of)]);
        else if (operation.IsEffect) DoEffect(operation, block, condition);
        // Only comparisons are made of a ones' complement sum, and they need just its terms.
        else if (operation.Opcode != Opcode.OnesSum) _values[operation] = ValueOf(operation, block, condition);
    }

    private void DoEffect(Operation operation, Block block, Value condition)
    {
        switch (operation.Opcode)
        {
            case Opcode.FrameWrite:
                var (place, data) = (operation.Operands[0], Of(operation.Operands[1]));
                if (place is Constant) _frame.Write(ConstantOf(operation, 0), data, block, condition);
                else _frame.WriteAt(place, Of(place), data, block, condition);
                break;
            case Opcode.FrameLoad:
                _frame.Load((Memory)operation.State[0], [.. operation.Operands.Select(Of)], block, condition);
                break;
            case Opcode.FrameMove:
                if (operation.Operands is [Constant, Constant, _])
                    _frame.Move(operation, ConstantOf(operation, 0), ConstantOf(operation, 1), block, condition);
                else _frame.Move(operation, Of(operation.Operands[0]), Of(operation.Operands[1]), block, condition);
                break;
            case Opcode.FrameMap:
                _frame.Map(block, new MappedBytes(
                    operation.Fold!, condition, [.. operation.Operands.Select(Of)]));
                break;
            case Opcode.FrameResize:
                _frame.Resize(block);
                if (Constant.Is(operation.Operands[0], 0)) _frame.Clear(block, condition);
                if (operation.Operands is [var old, _, Constant first, Constant end])
                    _frame.Clear(Of(old), (int)first.Bits, (int)end.Bits, block, condition);
                break;
            case Opcode.Send:
                Copies.Add(new SentCopy(
                    condition, Of(operation.Operands[1]), Of(operation.Operands[2]), _frame.Now(block)));
                break;
            case Opcode.Count:
                _state.Count((Register)operation.State[0], block, condition, Of(operation.Operands[0]));
                break;
            case Opcode.RegisterWrite:
                foreach (var (element, selected) in StateSelection.Conditions(_n, operation, 1, condition, Of))
                    _state.Write(
                        (Register)element,
                        block,
                        new RegisterUpdate(selected, Of(operation.Operands[0]), operation.Location),
                        isOfBlock: operation.State.Count == 1);
                break;
            case Opcode.MemoryWrite:
                foreach (var (element, selected) in StateSelection.Conditions(_n, operation, 2, condition, Of))
                    _state.Write(
                        (Memory)element,
                        PlaceOf(operation, (Memory)element, block),
                        new MemoryUpdate(
                            selected, Of(operation.Operands[0]), Of(operation.Operands[1]), operation.Location));
                break;
            case Opcode.Print:
                Prints.Add((operation, condition, [.. operation.Operands.Select(Of)]));
                break;
            default:
                throw new InvalidOperationException($"{operation.Opcode} is no effect of a pipeline");
        }
    }

    private static EffectPlace PlaceOf(Operation write, Memory memory, Block block) => write.State is [_]
        ? new EffectPlace(block, null, 0)
        : new EffectPlace(block, write.Operands[2], write.State.ToList().IndexOf(memory));

    private Value ValueOf(Operation operation, Block block, Value condition)
    {
        switch (operation.Opcode)
        {
            case Opcode.FrameSum:
                return _source.Sum(
                    operation, condition, Of(operation.Operands[1]), _frame.WrittenEnd(block),
                    _frame.Maps(block), at => _frame.Octet(at, block));
            case Opcode.FrameFold:
                return _source.Fold(operation, condition, Of);
            case Opcode.Input:
            case Opcode.DivideUnsigned when TimeDivision.Is(operation):
                return _source.Input(operation, Of);
            case Opcode.Equal when OnesComplementSums.Checked(operation) is { } sum:
                return _source.IsAllOnes([.. OnesComplementSums.Terms(sum).Select(Of)]);
            case Opcode.FrameRead:
                return _frame.Read(operation, ConstantOf(operation, 0), block);
            case Opcode.RegisterRead:
                return Selected(operation, 0, element => _state.Read((Register)element, block));
            case Opcode.MemoryRead:
                var word = Selected(
                    operation,
                    1,
                    element => _state.Read((Memory)element, Of(operation.Operands[0]), block, condition));
                if (operation.State.Count > 1) _selection.AddOfMemories(word);
                return word;
            default:
                return _selection.Compute(operation, [.. operation.Operands.Select(Of)]);
        }
    }

    /// <summary>The value read of the register or memory that an operand selects.</summary>
    private Value Selected(Operation operation, int selector, Func<StateElement, Value> read) =>
        operation.State.Count == 1
            ? read(operation.State[0])
            : _n.SelectByIndex([.. operation.State.Select(read)], Of(operation.Operands[selector]));
}
