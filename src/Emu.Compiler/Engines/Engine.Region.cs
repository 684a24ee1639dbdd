using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

internal sealed partial class Engine
{
    /// <summary>
    /// The work of one state: blocks that follow one another, as far as they fit, each under its own condition.
    /// </summary>
    /// <remarks>
    /// A state asks a RAM for one word, whether it will need it or not: an address never waits for a condition,
    /// which may depend on the word.
    /// </remarks>
    private sealed class EngineRegion(Engine engine, EngineState state)
    {
        private readonly Netlist _n = engine._n;
        private readonly Dictionary<Value, Value> _values = new(ReferenceEqualityComparer.Instance);
        private readonly Dictionary<Block, List<(Block From, Value Condition)>> _ways = [];
        private readonly Dictionary<Register, List<(Value Condition, Value Value)>> _registers = [];
        private readonly Dictionary<int, List<(Value Condition, Value Value)>> _bytes = [];
        private readonly Dictionary<Memory, Value> _readAt = [];
        private readonly HashSet<Memory> _written = [];
        private readonly Dictionary<Register, List<Block>> _counted = [];
        private bool _hasReadFrame, _hasWrittenFrame;
        private int _done;

        public void Build()
        {
            _n.Continue(engine._crossingSection);
            Run(state.Block, state.Index, state.Active);
            // A block whose every way is from here goes on here; the ways are complete when all earlier
            // blocks are done.
            while (_ways.Keys.Where(b => b.Predecessors.Count == _ways[b].Count && CanGoOn(b))
                    .OrderBy(b => engine._order[b]).FirstOrDefault()
                is { } block)
            {
                _ways.Remove(block, out var ways);
                foreach (var phi in block.Phis)
                    _values[phi] = ways!.Skip(1).Aggregate(
                        Operand(phi, ways![0].From), (so, way) => _n.Select(way.Condition, Operand(phi, way.From), so));
                Keep(block.Phis, _n.ReduceOr(ways!.Select(w => w.Condition)));
                Run(block, 0, _n.ReduceOr(ways!.Select(w => w.Condition)));
            }
            foreach (var (block, ways) in _ways)
            {
                var next = GoesTo(block, 0);
                foreach (var (from, condition) in ways)
                {
                    engine._transitions.Add((condition, next));
                    foreach (var phi in block.Phis) engine.Define(phi, condition, Operand(phi, from));
                }
            }
            foreach (var (register, writes) in _registers)
            {
                if (!engine._registerWrites.TryGetValue(register, out var all))
                    engine._registerWrites[register] = all = [];
                all.Add((
                    _n.ReduceOr(writes.Select(w => w.Condition)),
                    Latest(writes, FoldingBuilder.Zero(register.Width))));
            }
            foreach (var (offset, writes) in _bytes)
                engine._frame.Write(
                    state.Active, _n.ReduceOr(writes.Select(w => w.Condition)), offset % engine._options.Lanes,
                    new Constant(engine._frame.RowBits, (UInt128)(offset / engine._options.Lanes)),
                    Latest(writes, FoldingBuilder.Zero(8)));
        }

        private bool CanGoOn(Block block) =>
            !engine._headers.Contains(block) && !engine._states.ContainsKey((block, 0, 0))
            && _ways[block].TrueForAll(w => engine._delays.Of(w.Condition) < engine.Budget);

        private Value Operand(Phi phi, Block from) => Of(phi.Operands[phi.Block.Predecessors.IndexOf(from)]);

        private Value Of(Value value) =>
            value is Constant ? value : _values.TryGetValue(value, out var here) ? here : engine.Crossing(value);

        private void Keep(IEnumerable<Value> values, Value condition)
        {
            foreach (var value in values) engine.Define(value, condition, _values[value]);
        }

        private void Run(Block block, int index, Value condition)
        {
            var words = block == state.Block && index == state.Index ? state.Words : 0;
            for (var i = index; i < block.Operations.Count; i++)
            {
                var operation = block.Operations[i];
                if (i < index + words)
                {
                    Define(operation, Asked(operation), condition);
                    state.Done.Add(operation);
                    continue;
                }
                if (operation.Opcode == Opcode.Send)
                {
                    var next = GoesTo(block, i + 1);
                    state.Done.Add(operation);
                    engine._sends.Add((condition, Of(operation.Operands[1]), Of(operation.Operands[2]), next));
                    return;
                }
                if (operation.Opcode == Opcode.FrameSum && AskSum(block, i, condition)) return;
                if (operation.Opcode == Opcode.FrameRead && AskFrame(block, i, condition)) return;
                if (IsRegisteredRead(operation) && Ask(block, i, condition)) return;
                if (TryDo(operation, condition, block))
                {
                    state.Done.Add(operation);
                    continue;
                }
                engine._transitions.Add((condition, GoesTo(block, i)));
                return;
            }
            Leave(block, condition);
        }

        /// <summary>The word that the state before asked for.</summary>
        private Value Asked(Operation operation)
        {
            if (operation.Opcode == Opcode.FrameSum) return engine.Sum;
            if (operation.Opcode == Opcode.FrameRead) return Joined(_n, engine._frame.Words(operation.Width / 8));
            var at = Of(operation.Operands[0]);
            return Chosen(operation, 1, m => Word((Memory)m, at, isThere: engine._state.Of((Memory)m).IsRegistered));
        }

        private EngineState GoesTo(Block block, int index, int words = 0)
        {
            var next = engine.StateAt(block, index, words);
            state.Next.Add(next);
            return next;
        }

        private void Leave(Block block, Value condition)
        {
            // The logic behind an end is large: it begins in a state of its own if it would come late.
            if (block.Terminator is (Return or Fault) && engine._delays.Of(condition) > engine.LatestEnd)
            {
                engine._transitions.Add((condition, GoesTo(block, block.Operations.Count)));
                return;
            }
            switch (block.Terminator)
            {
                case Jump jump:
                    Go(block, jump.Target, condition);
                    break;
                case Branch branch:
                    var chosen = Of(branch.Condition);
                    Go(block, branch.Then, _n.And(condition, chosen));
                    Go(block, branch.Else, _n.And(condition, _n.Not(chosen)));
                    break;
                case Return end:
                    engine._returned.Add((condition, Of(end.Length), Of(end.Egress)));
                    break;
                case Fault fault:
                    if (!engine._faults.TryGetValue(fault.Kind, out var all)) engine._faults[fault.Kind] = all = [];
                    all.Add(condition);
                    break;
            }
        }

        private void Go(Block from, Block to, Value condition)
        {
            if (Constant.Is(condition, 0)) condition = FoldingBuilder.Bit(false);
            if (!_ways.TryGetValue(to, out var ways)) _ways[to] = ways = [];
            ways.Add((from, condition));
        }

        /// <summary>
        /// Asks block RAMs for the words of this read and those that follow it at once;
        /// they are there in the next state.
        /// </summary>
        private bool Ask(Block block, int index, Value condition)
        {
            var asked = new HashSet<Memory>();
            var words = 0;
            for (;
                index + words < block.Operations.Count
                && block.Operations[index + words] is var read && IsRegisteredRead(read);
                words++)
            {
                var at = Of(read.Operands[0]);
                var memories = read.State.Cast<Memory>().ToList();
                if (engine._delays.Of(at) > FrameMemory.OffsetArrival
                    || memories.Exists(m => asked.Contains(m) || !CanRead(m, at)))
                    break;
                asked.UnionWith(memories);
                foreach (var memory in memories.Where(m => engine._state.Of(m).IsRegistered)) Word(memory, at);
            }
            if (words == 0) return false;
            engine._transitions.Add((condition, GoesTo(block, index, words)));
            return true;
        }

        /// <summary>Asks for a checksum; it is there in the next state.</summary>
        private bool AskSum(Block block, int index, Value condition)
        {
            List<Value> operands = [.. block.Operations[index].Operands.Select(Of)];
            if (operands.Exists(o => engine._delays.Of(o) > FrameMemory.OffsetArrival)) return false;
            engine._sums.Add((condition, operands[0], operands[1], GoesTo(block, index, words: 1)));
            return true;
        }

        /// <summary>
        /// Asks for bytes of the frame, if they come a cycle later; they are there in the next state.
        /// </summary>
        private bool AskFrame(Block block, int index, Value condition)
        {
            var operation = block.Operations[index];
            if (!engine._frame.IsRegistered || IsFixed(operation) || !CanReadFrame(Of(operation.Operands[0])))
                return false;
            engine._frame.Read(state.Active, Of(operation.Operands[0]), operation.Width / 8);
            engine._transitions.Add((condition, GoesTo(block, index, words: 1)));
            return true;
        }

        private bool IsFixed(Operation operation) =>
            Of(operation.Operands[0]) is Constant at && (int)at.Bits + operation.Width / 8 <= engine._frame.FixedBytes;

        /// <summary>True if this state can read bytes at an offset. Once it does, it can read no others.</summary>
        private bool CanReadFrame(Value offset)
        {
            if (_hasReadFrame || _hasWrittenFrame || _bytes.Count > 0
                || engine._delays.Of(offset) > engine._frame.LatestOffset)
                return false;
            return _hasReadFrame = true;
        }

        private static Value Joined(Netlist n, List<Value> bytes) =>
            bytes.Aggregate((high, low) => n.Concat(high, low));

        private bool IsRegisteredRead(Operation operation) =>
            operation.Opcode == Opcode.MemoryRead && operation.State.Any(m => engine._state.Of((Memory)m).IsRegistered);

        /// <summary>
        /// True if a memory's port is free for an address, and the word would miss no write of this state.
        /// </summary>
        private bool CanRead(Memory memory, Value at) =>
            !_written.Contains(memory) && (!_readAt.TryGetValue(memory, out var other) || Constant.AreSame(other, at));

        /// <summary>Does an operation in this state, unless a port is taken or it would come too late.</summary>
        private bool TryDo(Operation operation, Value condition, Block block)
        {
            switch (operation.Opcode)
            {
                case Opcode.FrameSum:
                    return false;
                case Opcode.FrameRead:
                    return TryReadFrame(operation, condition);
                case Opcode.FrameWrite:
                    return TryWriteFrame(operation, condition);
                case Opcode.MemoryRead:
                    return TryReadMemory(operation, condition);
                case Opcode.MemoryWrite:
                    return TryWriteMemory(operation, condition);
                case Opcode.RegisterRead:
                    Value Read(StateElement register) => Latest(
                        _registers.GetValueOrDefault((Register)register) ?? [],
                        _n.Resize(engine._state.Of((Register)register), operation.Width));

                    Define(operation, Chosen(operation, 0, Read), condition);
                    return true;
                case Opcode.Count:
                    return TryCount(operation, condition, block);
                case Opcode.RegisterWrite:
                    foreach (var (element, selected) in Selected(operation, 1, condition))
                    {
                        if (!_registers.TryGetValue((Register)element, out var writes))
                            _registers[(Register)element] = writes = [];
                        writes.Add((selected, Of(operation.Operands[0])));
                    }
                    return true;
                case Opcode.Input:
                    Define(operation, engine.InputOf(operation.Input), condition);
                    return true;
                default:
                    return TryCompute(operation, condition);
            }
        }

        /// <summary>Adds to a counter, unless this state may have before, or the addend comes late.</summary>
        private bool TryCount(Operation operation, Value condition, Block block)
        {
            var (register, addend) = ((Register)operation.State[0], Of(operation.Operands[0]));
            if (engine._delays.Of(addend) > engine.Budget / 2 && _done > 0) return false;
            if (!_counted.TryGetValue(register, out var blocks)) _counted[register] = blocks = [];
            if (blocks.Exists(earlier => Leads(earlier, block))) return false;
            blocks.Add(block);
            if (!engine._counts.TryGetValue(register, out var places)) engine._counts[register] = places = [];
            places.Add((condition, addend));
            return true;
        }

        /// <summary>Tells whether a block of this state is another, or may be passed before it.</summary>
        private bool Leads(Block from, Block to)
        {
            var (seen, waiting) = (new HashSet<Block>(), new Stack<Block>([to]));
            while (waiting.TryPop(out var block))
            {
                if (block == from) return true;
                if (block == state.Block || !seen.Add(block)) continue;
                foreach (var predecessor in block.Predecessors) waiting.Push(predecessor);
            }
            return false;
        }

        private bool TryCompute(Operation operation, Value condition)
        {
            _n.Location = operation.Location;
            var value = TimeDivision.Is(operation) && engine._quotient is not null
                ? engine._quotient.Quotient
                : _n.Make(new Operation(operation.Opcode, operation.Width, operation.Operands.Select(Of))
                {
                    Low = operation.Low,
                    Location = operation.Location,
                });
            if (engine._delays.Of(value) > engine.Budget && _done > 0) return false;
            Define(operation, value, condition);
            return true;
        }

        private void Define(Operation operation, Value value, Value condition)
        {
            _values[operation] = value;
            engine.Define(operation, condition, value);
            state.Values.Add(value);
            if (engine._delays.Of(value) > 0) _done++;
        }

        private bool TryReadFrame(Operation operation, Value condition)
        {
            var offset = Of(operation.Operands[0]);
            var count = operation.Width / 8;
            List<Value> bytes;
            if (IsFixed(operation))
            {
                var at = (Constant)offset;
                if (_hasWrittenFrame) return false;
                bytes = [.. Enumerable.Range((int)at.Bits, count)
                    .Select(i => Latest(_bytes.GetValueOrDefault(i) ?? [], engine._frame.At(i)))];
            }
            else
            {
                if (engine._frame.IsRegistered || !CanReadFrame(offset)) return false;
                bytes = engine._frame.Read(state.Active, offset, count);
            }
            Define(operation, Joined(_n, bytes), condition);
            return true;
        }

        private bool TryWriteFrame(Operation operation, Value condition)
        {
            var offset = Of(operation.Operands[0]);
            var data = Of(operation.Operands[1]);
            var count = data.Width / 8;
            List<Value> bytes =
            [
                .. Enumerable.Range(0, count).Select(i => _n.Extract(data, data.Width - 8 * (i + 1), 8)),
            ];
            var lanes = engine._options.Lanes;
            if (offset is Constant at)
            {
                List<int> places = [.. Enumerable.Range((int)at.Bits, count)];
                if (_hasWrittenFrame
                    || places.Any(p => _bytes.Keys.Any(other => other != p && other % lanes == p % lanes)))
                    return false;
                for (var i = 0; i < count; i++)
                {
                    if (!_bytes.TryGetValue(places[i], out var writes)) _bytes[places[i]] = writes = [];
                    writes.Add((condition, bytes[i]));
                }
                return true;
            }
            if (_hasWrittenFrame || _bytes.Count > 0 || engine._delays.Of(offset) > FrameMemory.OffsetArrival)
                return false;
            _hasWrittenFrame = true;
            engine._frame.Write(state.Active, condition, offset, bytes);
            return true;
        }

        private bool TryReadMemory(Operation operation, Value condition)
        {
            var at = Of(operation.Operands[0]);
            if (engine._delays.Of(at) > FrameMemory.OffsetArrival) return false;
            if (IsRegisteredRead(operation) || !operation.State.Cast<Memory>().All(m => CanRead(m, at))) return false;
            Define(operation, Chosen(operation, 1, element => Word((Memory)element, at)), condition);
            return true;
        }

        /// <summary>
        /// The word that a memory's port shows: the one that the state before asked for,
        /// or else the one asked for here.
        /// </summary>
        private Value Word(Memory memory, Value at, bool isThere = false)
        {
            var read = engine.ReadPort(memory);
            if (!isThere)
            {
                _readAt[memory] = at;
                engine._memoryReads[memory].Add((state.Active, engine._state.Of(memory).Address(at)));
            }
            return engine._state.Of(memory).Element(read);
        }

        private bool TryWriteMemory(Operation operation, Value condition)
        {
            if (operation.State.Cast<Memory>().Any(_written.Contains)) return false;
            foreach (var (element, selected) in Selected(operation, 2, condition))
            {
                _written.Add((Memory)element);
                engine._state.Of((Memory)element).Write(selected, Of(operation.Operands[0]), Of(operation.Operands[1]));
            }
            return true;
        }

        /// <summary>The last value written, under its condition; else the value from before.</summary>
        private Value Latest(List<(Value Condition, Value Value)> writes, Value before) =>
            writes.Aggregate(before, (so, write) => _n.Select(write.Condition, write.Value, so));

        private Value Chosen(Operation operation, int selector, Func<StateElement, Value> read)
        {
            if (operation.State.Count == 1) return read(operation.State[0]);
            var chosen = Of(operation.Operands[selector]);
            return operation.State.Select((element, i) => (element, i)).Skip(1)
                .Aggregate(read(operation.State[0]), (so, next) =>
                    _n.Select(_n.Equal(chosen, new Constant(chosen.Width, (UInt128)next.i)), read(next.element), so));
        }

        private IEnumerable<(StateElement Element, Value Condition)> Selected(
            Operation operation, int selector, Value condition)
        {
            if (operation.State.Count == 1) return [(operation.State[0], condition)];
            var chosen = Of(operation.Operands[selector]);
            return operation.State.Select((element, i) =>
                (element, _n.And(condition, _n.Equal(chosen, new Constant(chosen.Width, (UInt128)i)))));
        }
    }
}
