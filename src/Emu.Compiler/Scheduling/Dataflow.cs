using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>A word that an event reads from a memory, as it is before the event.</summary>
/// <param name="Memory">The memory.</param>
/// <param name="Index">The word.</param>
/// <param name="Word">Stands for it.</param>
internal sealed record MemoryAccess(Memory Memory, Value Index, Wire Word);

/// <summary>A write of an event.</summary>
/// <param name="Condition">The condition under which it happens.</param>
/// <param name="Index">The word.</param>
/// <param name="Data">The data written.</param>
/// <param name="Location">The C# that writes.</param>
internal sealed record MemoryUpdate(Value Condition, Value Index, Value Data, SourceLocation? Location);

/// <summary>A write of an event to a register.</summary>
/// <param name="Condition">The condition under which it happens.</param>
/// <param name="Value">The value written.</param>
/// <param name="Location">The C# that writes.</param>
internal sealed record RegisterUpdate(Value Condition, Value Value, SourceLocation? Location);

/// <summary>
/// A function without loops as one expression for each of its results: every operation is done, and conditions say what
/// counts. State is as it was before the event; what the event itself has written before is chosen by comparison.
/// </summary>
internal sealed class Dataflow
{
    /// <summary>
    /// For how many values at most an operation is done before one is chosen.
    /// With each operation their number may become its square.
    /// </summary>
    private const int MaxWays = 64;

    /// <summary>An operation is not done more often than that to be done before a choice of writes ahead.</summary>
    private const int MaxOutcomes = 16;

    private readonly Netlist _n;
    private readonly ConditionTable _conditions;
    private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _forwarded = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _ofAhead = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _ofMemories = new(ReferenceEqualityComparer.Instance);
    private readonly Func<Operation, Func<Value, Value>, Value> _input;
    private readonly Func<int, Value> _byte;
    private readonly Func<IReadOnlyList<Value>, Value> _isWhole;
    private readonly Func<Register, Value> _register;
    private readonly Dominators _dominators;
    private readonly Dictionary<Block, HashSet<Block>> _before;
    private readonly Func<Memory, IReadOnlyList<ForwardedWrite>> _ahead;
    private readonly Dictionary<Register, List<(Block Block, RegisterUpdate Update)>> _updates = [];
    private readonly Dictionary<Memory, List<(Block Block, MemoryUpdate Update)>> _writes = [];
    private readonly Dictionary<Register, List<(Block Block, Value Condition, Value Addend)>> _counts = [];
    private readonly SortedDictionary<int, List<(Block Block, Value Condition, Value Byte)>> _bytes = [];
    private readonly Dictionary<FaultKind, List<Value>> _faults = [];
    private readonly List<Block> _resizes = [];
    private Block _block;

    /// <summary>Computes them.</summary>
    /// <param name="netlist">The netlist in which values are made.</param>
    /// <param name="function">Without loops.</param>
    /// <param name="input">
    /// Gives inputs of the event, checksums over the frame, and quotients of the time, of operands that are given too.
    /// </param>
    /// <param name="bytes">Gives the frame's bytes as they came.</param>
    /// <param name="isWhole">
    /// Says whether the ones' complement sum of values, checksums over the frame among them, is all ones.
    /// </param>
    /// <param name="register">Gives what a register holds before the event.</param>
    /// <param name="ahead">
    /// Gives the writes of frames ahead that a read of a memory may have missed, the nearest first.
    /// </param>
    /// <exception cref="NoPipelineException">A memory needs more than one write port.</exception>
    public Dataflow(
        Netlist netlist,
        Function function,
        Func<Operation, Func<Value, Value>, Value> input,
        Func<int, Value> bytes,
        Func<IReadOnlyList<Value>, Value> isWhole,
        Func<Register, Value> register,
        Func<Memory, IReadOnlyList<ForwardedWrite>> ahead)
    {
        (_n, _input, _byte, _isWhole, _register, _ahead) = (netlist, input, bytes, isWhole, register, ahead);
        _dominators = new Dominators(function);
        _conditions = new ConditionTable(netlist, function.Blocks(), _dominators, Of);
        _before = BlocksBefore(function);
        _block = function.Entry;
        foreach (var block in function.Blocks())
        {
            _block = block;
            // Conditions and choices come from the branch that leads here.
            _n.Location = block.Predecessors is [{ Terminator: Branch { Condition: Operation decided } }, ..]
                ? decided.Location
                : null;
            foreach (var phi in block.Phis)
                _values[phi] = _conditions.Choose(block, way => Of(phi.Operands[way]));
            var condition = _conditions.Of(block);
            foreach (var operation in block.Operations) Do(operation, condition);
            End(block.Terminator!, condition);
        }
        Faults = _faults.ToDictionary(f => f.Key, f => _n.ReduceOr(f.Value));
        Writes = [.. _writes.Select(w => (w.Key, OnePort(w.Key, w.Value)))];
        Counts = [.. _counts.Select(c => (c.Key, Amount(c.Key, c.Value)))];
        Updates = [.. _updates.Select(u => (u.Key, Joined(u.Value.ConvertAll(w => w.Update))))];
    }

    /// <summary>The reads and writes of state by the event, in the order of the C#.</summary>
    public List<StateAccess> Accesses { get; } = [];

    /// <summary>Words read.</summary>
    public List<MemoryAccess> Reads { get; } = [];

    /// <summary>The write of each memory: whichever of its writes happens.</summary>
    public IReadOnlyList<(Memory Memory, MemoryUpdate Update)> Writes { get; }

    /// <summary>The write of each register: the last that happens.</summary>
    public IReadOnlyList<(Register Register, RegisterUpdate Update)> Updates { get; }

    /// <summary>The amounts added to the registers that are only added to: 0 when nothing is added.</summary>
    public IReadOnlyList<(Register Register, Value Amount)> Counts { get; }

    /// <summary>Bytes of the frame that are written, by their offset: when, and what they are then.</summary>
    public IEnumerable<(int Offset, Value Condition, Value Byte)> Bytes => _bytes.Select(entry => (entry.Key,
        _n.ReduceOr(entry.Value.Select(w => w.Condition).Distinct(ReferenceEqualityComparer.Instance).Cast<Value>()),
        entry.Value.Skip(1).Aggregate(entry.Value[0].Byte, (so, w) => _n.Select(w.Condition, w.Byte, so))));

    /// <summary>The moves of the bytes from an offset on to another, each with its condition: at most one.</summary>
    public List<(Block Block, Value Condition, int From, int To)> Moves { get; } = [];

    /// <summary>The conditions under which the event is left to another function.</summary>
    public List<(SideExit Exit, Value Condition)> SideExits { get; } = [];

    /// <summary>The ways in which the event ends with a verdict.</summary>
    public List<(Value Condition, Value Length, Value Egress)> Returns { get; } = [];

    /// <summary>The conditions under which the event ends with a fault.</summary>
    public IReadOnlyDictionary<FaultKind, Value> Faults { get; }

    private Value Of(Value value) => value is Constant ? value : _values[value];

    private void End(Terminator terminator, Value condition)
    {
        if (terminator is Return end) Returns.Add((condition, Of(end.Length), Of(end.Egress)));
        else if (terminator is Fault fault) ListOf(_faults, fault.Kind).Add(condition);
        else if (terminator is SideExit defer) SideExits.Add((defer, condition));
    }

    private void Do(Operation operation, Value condition)
    {
        _n.Location = operation.Location;
        foreach (var element in operation.State)
            Accesses.Add(new StateAccess(element, operation.IsEffect, operation.Location));
        switch (operation.Opcode)
        {
            case Opcode.Input or Opcode.FrameSum:
                _values[operation] = _input(operation, Of);
                break;
            case Opcode.Equal when OnesComplementSums.Checked(operation) is { } sum:
                _values[operation] = _isWhole([.. OnesComplementSums.Terms(sum).Select(Of)]);
                break;
            case Opcode.OnesSum:
                // Only comparisons are made of it, and they need just its terms.
                break;
            case Opcode.FrameRead:
                _values[operation] = ReadFrame(operation, (int)((Constant)operation.Operands[0]).Bits);
                break;
            case Opcode.FrameWrite:
                WriteFrame((int)((Constant)operation.Operands[0]).Bits, Of(operation.Operands[1]), condition);
                break;
            case Opcode.DivideUnsigned when TimeDivision.Is(operation):
                _values[operation] = _input(operation, Of);
                break;
            case Opcode.FrameMove:
                Moves.Add((_block, condition, (int)((Constant)operation.Operands[
                    0]).Bits, (int)((Constant)operation.Operands[1]).Bits));
                break;
            case Opcode.FrameResize:
                _resizes.Add(_block);
                break;
            case Opcode.RegisterRead:
                _values[operation] = Chosen(operation, 0, element =>
                    (_updates.GetValueOrDefault((Register)element) ?? [])
                        .Where(u => _before[_block].Contains(u.Block))
                        .Aggregate(_register((Register)element), (so, u) =>
                            _n.Select(u.Update.Condition, u.Update.Value, so)));
                break;
            case Opcode.Count:
                ListOf(_counts, (Register)operation.State[0]).Add((_block, condition, Of(operation.Operands[0])));
                break;
            case Opcode.RegisterWrite:
                foreach (var (element, selected) in Selected(operation, 1, condition))
                    ListOf(_updates, (Register)element)
                        .Add((_block, new RegisterUpdate(selected, Of(operation.Operands[0]), operation.Location)));
                break;
            case Opcode.MemoryRead:
                _values[operation] = Chosen(operation, 1, element => Read((Memory)element, Of(operation.Operands[0])));
                if (operation.State.Count > 1) AddChoices(_values[operation]);
                break;
            case Opcode.MemoryWrite:
                foreach (var (element, selected) in Selected(operation, 2, condition))
                    ListOf(_writes, (Memory)element).Add(
                        (_block, new MemoryUpdate(
                            selected, Of(operation.Operands[0]), Of(operation.Operands[1]), operation.Location)));
                break;
            default:
                _values[operation] = Compute(operation, [.. operation.Operands.Select(Of)]);
                break;
        }
    }

    /// <summary>
    /// An operation on what may have been forwarded is done on both, and then chosen: the comparison need not wait
    /// until it is known which it is.
    /// </summary>
    private Value Compute(Operation operation, List<Value> operands)
    {
        if (operands.Find(_forwarded.Contains) is Operation { Opcode: Opcode.Select } own && Ways(operands) <= MaxWays)
        {
            List<Value> With(Value value) => [.. operands.Select(o => o == own ? value : o)];
            return Chosen(
                _forwarded,
                own.Operands[0],
                Compute(operation, With(own.Operands[1])),
                Compute(operation, With(own.Operands[2])));
        }
        if (operands.Find(o => IsChosenLate(operation, o, operands)) is { } ahead)
        {
            var condition = ConditionOf(ahead)!;
            var (then, @else) = (
                Compute(operation, Given(condition, true, operands)),
                Compute(operation, Given(condition, false, operands)));
            var chosen = Chosen(_ofAhead, condition, then, @else);
            if (operation.Opcode == Opcode.Extract && _ofMemories.Contains(ahead)) _ofMemories.Add(chosen);
            return chosen;
        }
        return _n.Make(new Operation(operation.Opcode, operation.Width, operands)
        {
            Low = operation.Low,
            Location = operation.Location,
        });
    }

    /// <summary>
    /// The number of copies of an operation that it takes to apply it to all values that may have been forwarded.
    /// </summary>
    private int Ways(List<Value> operands) => operands.Distinct(ReferenceEqualityComparer.Instance).Cast<Value>()
        .Aggregate(1, (ways, o) => Math.Min(ways * Ways(o, MaxWays + 1), MaxWays + 1));

    /// <summary>
    /// The number of values from which one that may have been forwarded is chosen, counted up to a limit.
    /// </summary>
    private int Ways(Value value, int most)
    {
        if (!_forwarded.Contains(value) || value is not Operation { Opcode: Opcode.Select } choice) return 1;
        var ways = Ways(choice.Operands[1], most);
        return ways >= most ? most : Math.Min(most, ways + Ways(choice.Operands[2], most - ways));
    }

    private Value Chosen(HashSet<Value> choices, Value condition, Value then, Value @else)
    {
        var chosen = _n.Select(condition, then, @else);
        choices.Add(chosen);
        return chosen;
    }

    /// <summary>
    /// True if an operand is a choice between a word and writes of frames ahead,
    /// and the operation is better done before it.
    /// </summary>
    private bool IsChosenLate(Operation operation, Value operand, List<Value> operands)
    {
        if (!_ofAhead.Contains(operand) || ConditionOf(operand) is null) return false;
        var isForComparison = operation.Opcode is Opcode.Equal
            or Opcode.LessUnsigned or Opcode.LessSigned or Opcode.Extract;
        if (_ofMemories.Contains(operand) && !isForComparison) return false;
        // Of a single bit a gate costs less than the choice that it would be done before.
        var isGate = operand.Width == 1 && operation.Opcode is Opcode.And or Opcode.Or or Opcode.Xor or Opcode.Select;
        return !isGate && Outcomes(operands) <= MaxOutcomes;
    }

    /// <summary>
    /// Words of several memories, of which one is chosen, are compared each: the choice is of one bit then,
    /// and the comparison earlier.
    /// </summary>
    private void AddChoices(Value value)
    {
        if (value is not Operation { Opcode: Opcode.Select } choice || !_ofMemories.Add(choice)) return;
        _ofAhead.Add(choice);
        AddChoices(choice.Operands[1]);
        AddChoices(choice.Operands[2]);
    }

    /// <summary>
    /// The number of copies of an operation that it takes to do it before all choices.
    /// Any number above the limit counts as one more than the limit.
    /// </summary>
    private int Outcomes(List<Value> operands)
    {
        if (operands.Where(_ofAhead.Contains).Select(ConditionOf).FirstOrDefault(c => c is not null)
            is not { } condition)
            return 1;
        var outcomes = Outcomes(Given(condition, true, operands));
        return outcomes > MaxOutcomes
            ? outcomes
            : Math.Min(MaxOutcomes + 1, outcomes + Outcomes(Given(condition, false, operands)));
    }

    /// <summary>The condition of the choice that a value is, or that a part of it is; null if there is none.</summary>
    private static Value? ConditionOf(Value value) => value switch
    {
        Operation { Opcode: Opcode.Select } choice => choice.Operands[0],
        Operation { Opcode: Opcode.Concat } concat =>
            ConditionOf(concat.Operands[0]) ?? ConditionOf(concat.Operands[1]),
        _ => null,
    };

    private List<Value> Given(Value condition, bool holds, List<Value> operands) =>
        [.. operands.Select(o => _ofAhead.Contains(o) ? Given(condition, holds, o) : o)];

    /// <summary>A choice, or what has choices for parts, given the outcome of a condition.</summary>
    private Value Given(Value condition, bool holds, Value value)
    {
        var known = value switch
        {
            Operation { Opcode: Opcode.Select } choice when choice.Operands[0] == condition =>
                choice.Operands[holds ? 1 : 2],
            Operation { Opcode: Opcode.Concat } concat =>
                _n.Concat(Given(condition, holds, concat.Operands[0]), Given(condition, holds, concat.Operands[1])),
            _ => value,
        };
        _ofAhead.Add(known);
        return known;
    }

    private Value Read(Memory memory, Value index)
    {
        var access = Reads.Find(r => r.Memory == memory && Constant.AreSame(r.Index, index));
        if (access is null)
        {
            access = new MemoryAccess(
                memory, index, new Wire($"{Netlist.SnakeCase(memory.Name)}_word", FoldingBuilder.Zero(memory.Width)));
            Reads.Add(access);
        }
        Value word = access.Word;
        foreach (var write in _ahead(memory).Reverse())
        {
            var isHere = _n.And(write.Happens, _n.Equal(write.Address, _n.Resize(index, write.Address.Width)));
            word = _n.Select(isHere, _n.Resize(write.Data, memory.Width), word);
            if (write.IsOutsideLoop) _ofAhead.Add(word);
        }
        foreach (var (block, write) in _writes.GetValueOrDefault(memory) ?? [])
        {
            if (!_before[_block].Contains(block)) continue;
            var isOwn = _n.And(write.Condition, _n.Equal(write.Index, index));
            word = _n.Select(isOwn, write.Data, word);
            _forwarded.Add(word);
        }
        return word;
    }

    private Value ReadFrame(Operation operation, int offset)
    {
        List<Value> bytes = [.. Enumerable.Range(offset, operation.Width / 8).Select(ReadByte)];
        if (operation.Location?.Name is { } name)
            for (var i = 0; i < bytes.Count; i++) if (bytes[i] is not Constant) _n.Describe(bytes[i], name, offset + i);
        return bytes.Aggregate(_n.Concat);
    }

    private Value ReadByte(int offset) => (_bytes.GetValueOrDefault(offset) ?? [])
        .Where(w => _before[_block].Contains(w.Block))
        .Aggregate(Moved(offset), (so, w) =>
            _dominators.Dominates(w.Block, _block) ? w.Byte : _n.Select(w.Condition, w.Byte, so));

    /// <summary>A byte that nobody wrote, where it may have been moved to.</summary>
    private Value Moved(int offset)
    {
        var value = There(offset);
        foreach (var (block, condition, from, to) in Moves.Where(m =>
            _before[_block].Contains(m.Block) && offset >= m.To))
        {
            var moved = There(offset - to + from);
            value = _dominators.Dominates(block, _block) ? moved : _n.Select(condition, moved, value);
        }
        return value;
    }

    /// <summary>A byte as it came; when the frame may have been made longer, 0 behind its end.</summary>
    private Value There(int offset)
    {
        if (!_resizes.Exists(_before[_block].Contains)) return _byte(offset);
        var length = _input(new Operation(Opcode.Input, 32) { Input = FrameInput.Length }, Of);
        return _n.Select(_n.Less(new Constant(32, (UInt128)offset), length), _byte(offset), FoldingBuilder.Zero(8));
    }

    private void WriteFrame(int offset, Value data, Value condition)
    {
        for (var i = 0; i < data.Width / 8; i++)
        {
            if (!_bytes.TryGetValue(offset + i, out var writes)) _bytes[offset + i] = writes = [];
            // A value that is overwritten under the same condition was never there.
            writes.RemoveAll(w => w.Condition == condition);
            writes.Add((_block, condition, _n.Extract(data, data.Width - 8 * (i + 1), 8)));
        }
    }

    /// <summary>
    /// The writes of a memory as one: later ones count where several happen, and those have one index.
    /// </summary>
    private MemoryUpdate OnePort(Memory memory, List<(Block Block, MemoryUpdate Update)> writes)
    {
        for (var i = 0; i < writes.Count; i++)
        {
            var (block, write) = writes[i];
            bool Collides(Block other, MemoryUpdate another) => !Constant.AreSame(another.Index, write.Index)
                && !Exclude(other, another.Condition, block, write.Condition);

            if (writes.Take(i).Any(w => Collides(w.Block, w.Update)))
                throw new NoPipelineException(
                    $"{memory.Name} is written at two places by one frame, and it has one write port", write.Location);
        }
        var first = writes[0].Update;
        var (index, data) = (first.Index, first.Data);
        foreach (var (_, write) in writes.Skip(1))
        {
            _n.Location = write.Location;
            (index, data) =
                (_n.Select(write.Condition, write.Index, index), _n.Select(write.Condition, write.Data, data));
        }
        return new MemoryUpdate(_n.ReduceOr(writes.Select(w => w.Update.Condition)), index, data, first.Location);
    }

    /// <summary>True if at most one of two effects happens: no path passes both, or their conditions say so.</summary>
    private bool Exclude(Block block, Value condition, Block other, Value another) =>
        !_before[other].Contains(block) && !_before[block].Contains(other)
        || Constant.Is(_n.And(condition, another), 0);

    /// <summary>
    /// The total that an event adds to a register. Of places that exclude one another it adds what one of them adds;
    /// the others are summed.
    /// </summary>
    private Value Amount(Register register, List<(Block Block, Value Condition, Value Addend)> places)
    {
        var sets = new List<List<(Block Block, Value Condition, Value Addend)>>();
        foreach (var place in places)
        {
            bool Excludes((Block Block, Value Condition, Value Addend) other) =>
                Exclude(other.Block, other.Condition, place.Block, place.Condition);

            if (sets.Find(set => set.TrueForAll(Excludes)) is { } others) others.Add(place);
            else sets.Add([place]);
        }
        var carries = BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)sets.Count));
        var width = Math.Min(register.Width, places.Max(p => p.Addend.Width) + carries);
        return sets
            .Select(set => _n.SelectOneHot(width, set.Select(p => (p.Condition, _n.Resize(p.Addend, width)))))
            .Aggregate(_n.Add);
    }

    private RegisterUpdate Joined(List<RegisterUpdate> updates)
    {
        var value = updates[0].Value;
        foreach (var update in updates.Skip(1))
        {
            _n.Location = update.Location;
            value = _n.Select(update.Condition, update.Value, value);
        }
        return new RegisterUpdate(_n.ReduceOr(updates.Select(u => u.Condition)), value, updates[0].Location);
    }

    /// <summary>
    /// The blocks from which a block can be reached, itself among them: what others wrote has not happened there.
    /// </summary>
    private static Dictionary<Block, HashSet<Block>> BlocksBefore(Function function)
    {
        var before = new Dictionary<Block, HashSet<Block>>();
        foreach (var block in function.Blocks())
        {
            HashSet<Block> all = [block];
            foreach (var predecessor in block.Predecessors) all.UnionWith(before[predecessor]);
            before[block] = all;
        }
        return before;
    }

    private Value Chosen(Operation operation, int selector, Func<StateElement, Value> read)
    {
        if (operation.State.Count == 1) return read(operation.State[0]);
        return _n.SelectByIndex(operation.State.Select(read).ToList(), Of(operation.Operands[selector]));
    }

    private IEnumerable<(StateElement Element, Value Condition)> Selected(
        Operation operation, int selector, Value condition)
    {
        if (operation.State.Count == 1) return [(operation.State[0], condition)];
        var chosen = Of(operation.Operands[selector]);
        return operation.State.Select((element, i) =>
            (element, _n.And(condition, _n.Equal(chosen, new Constant(chosen.Width, (UInt128)i)))));
    }

    private static List<TItem> ListOf<TKey, TItem>(Dictionary<TKey, List<TItem>> lists, TKey key)
        where TKey : notnull
    {
        if (!lists.TryGetValue(key, out var list)) lists[key] = list = [];
        return list;
    }
}
