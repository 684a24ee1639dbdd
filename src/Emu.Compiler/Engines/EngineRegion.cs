using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Units;

namespace Emu.Compiler.Engines;

/// <summary>
/// The work of one state: blocks that follow one another, as far as they fit, each under its own condition.
/// </summary>
/// <remarks>
/// A state asks a RAM for one word, whether it will need it or not: an address never waits for a condition,
/// which may depend on the word.
/// </remarks>
internal sealed class EngineRegion
{
    /// <summary>The cycles from a write that is posted to the state that sees it.</summary>
    private const int PostCycles = 2;

    /// <summary>The cycles from factors to a product behind the registers of a multiplier block.</summary>
    private const int ProductCycles = 3;

    private readonly EngineDesign _design;
    private readonly EngineProgram _program;
    private readonly EngineState _state;
    private readonly Netlist _n;
    private readonly RegionValues _values;
    private readonly RegionFrame _frame;
    private readonly RegionMemories _memories;
    private readonly RegionRegisters _registers;
    private readonly Dictionary<Block, List<(Block From, Value Condition)>> _ways = [];

    /// <summary>Begins with nothing done.</summary>
    public EngineRegion(EngineDesign design, EngineProgram program, EngineState state)
    {
        (_design, _program, _state, _n) = (design, program, state, design.Netlist);
        _values = new RegionValues(design, program, state);
        _frame = new RegionFrame(design, state, _values);
        _memories = new RegionMemories(design, program, state, _values);
        _registers = new RegionRegisters(design, program, state, _values);
    }

    /// <summary>Does the work, and finds the states that follow.</summary>
    public void Build()
    {
        _program.Continue();
        Run(_state.Block, _state.Index, _state.Active);
        // A block whose every way is from here goes on here; the ways are complete when all earlier
        // blocks are done.
        while (_ways.Keys.Where(b => b.Predecessors.Count == _ways[b].Count && CanGoOn(b))
                .OrderBy(_program.OrderOf).FirstOrDefault()
            is { } block)
        {
            _ways.Remove(block, out var ways);
            foreach (var phi in block.Phis)
                _values[phi] = ways!.Skip(1).Aggregate(
                    Operand(phi, ways![0].From), (so, way) => _n.Select(way.Condition, Operand(phi, way.From), so));
            var condition = _n.ReduceOr(ways!.Select(w => w.Condition));
            foreach (var phi in block.Phis) _program.Define(phi, condition, _values[phi]);
            Run(block, 0, condition);
        }
        foreach (var (block, ways) in _ways)
        {
            var next = GoesTo(block, 0);
            foreach (var (from, condition) in ways)
            {
                _program.AddTransition(condition, next);
                foreach (var phi in block.Phis) _program.Define(phi, condition, Operand(phi, from));
            }
        }
        _registers.Connect();
        _frame.Connect();
    }

    private bool CanGoOn(Block block) =>
        !_program.BeginsState(block)
        && _ways[block].TrueForAll(w => _design.Delays.Of(w.Condition) < _design.Budget);

    private Value Operand(Phi phi, Block from) => _values.Of(phi.Operands[phi.Block.Predecessors.IndexOf(from)]);

    private void Run(Block block, int index, Value condition)
    {
        var words = block == _state.Block && index == _state.Index ? _state.Words : 0;
        for (var i = index; i < block.Operations.Count; i++)
        {
            var operation = block.Operations[i];
            if (i < index + words) _values.Define(operation, Requested(operation), condition);
            else if (EndsState(block, i, condition)) return;
            else if (!TryDo(operation, condition, block))
            {
                _program.AddTransition(condition, GoesTo(block, i));
                return;
            }
            _state.Done.Add(operation);
        }
        Leave(block, condition);
    }

    /// <summary>True if the state ends with an operation: what it gives is there in the next one.</summary>
    private bool EndsState(Block block, int index, Value condition)
    {
        var operation = block.Operations[index];
        switch (operation.Opcode)
        {
            case Opcode.Send:
                var next = GoesTo(block, index + 1);
                _state.Done.Add(operation);
                var (length, egress) = (operation.Operands[1], operation.Operands[2]);
                _program.Sends.Add((condition, _values.Of(length), _values.Of(egress), next));
                return true;
            case Opcode.Wait:
                _state.Done.Add(operation);
                _program.Waits.Add((condition, GoesTo(block, index + 1)));
                return true;
            case Opcode.Call:
                _state.Done.Add(operation);
                GoesTo(operation.Callee!.Entry, 0);
                _program.Calls.Call(operation.Callee!, condition, GoesTo(block, index + 1));
                return true;
            case Opcode.Hold:
                _program.Holds.Add((condition, _values.Of(operation.Operands[1]), GoesTo(block, index, words: 1)));
                return true;
            case Opcode.Multiply when _values.TakesBlock(operation):
                Multiply(block, index, condition);
                return true;
            case Opcode.FrameSum:
                return RequestChecksum(block, index, condition);
            case Opcode.CoreCall:
                return CallCore(block, index, condition);
            case Opcode.RegisterRead when _design.IsCounted(operation):
                _program.CountAccesses.Ask((Register)operation.State[0], condition, GoesTo(block, index, words: 1));
                return true;
            case Opcode.RegisterWrite when _design.IsCounted(operation):
                SetCount(block, index, condition);
                return true;
            case Opcode.FrameRead when _frame.TryRequest(operation):
                GoOnAfter(_design.Frame.ReadCycles, condition, GoesTo(block, index, words: 1));
                return true;
            case Opcode.FrameWrite when _frame.TryPost(operation, condition):
                _state.Done.Add(operation);
                GoOnAfter(PostCycles, condition, GoesTo(block, index + 1));
                return true;
            case Opcode.MemoryRead when _memories.IsRegistered(operation):
                var words = _memories.Request(block.Operations.Skip(index));
                if (words == 0) return false;
                _program.AddTransition(condition, GoesTo(block, index, words));
                return true;
            default:
                return false;
        }
    }

    /// <summary>Sets a count, to what is known early enough to be kept while the program waits.</summary>
    private void SetCount(Block block, int index, Value condition)
    {
        var operation = block.Operations[index];
        var count = _values.Of(operation.Operands[0]);
        if (_design.Delays.Of(count) > _design.LatestWritten && (block != _state.Block || index != _state.Index))
        {
            _program.AddTransition(condition, GoesTo(block, index));
            return;
        }
        _state.Done.Add(operation);
        _program.CountAccesses.Set((Register)operation.State[0], count, condition, GoesTo(block, index + 1));
    }

    /// <summary>Goes on with a state so many cycles later.</summary>
    private void GoOnAfter(int cycles, Value condition, EngineState next)
    {
        _program.Continue();
        for (var cycle = 1; cycle < cycles; cycle++) condition = _n.Registered("frame_waits", condition, 0);
        _program.AddTransition(condition, next);
    }

    /// <summary>
    /// Multiplies what is in flops at the beginning of a state, over the registers of a multiplier block.
    /// </summary>
    private void Multiply(Block block, int index, Value condition)
    {
        if (block != _state.Block || index != _state.Index)
        {
            _program.AddTransition(condition, GoesTo(block, index));
            return;
        }
        _program.Multiply(block.Operations[index], _values.Product(block.Operations[index]));
        GoOnAfter(ProductCycles, condition, GoesTo(block, index, words: 1));
    }

    private bool RequestChecksum(Block block, int index, Value condition)
    {
        List<Value> operands = [.. block.Operations[index].Operands.Select(_values.Of)];
        if (operands.Exists(o => _design.Delays.Of(o) > FrameMemory.OffsetArrival)) return false;
        _program.Checksums.Request(condition, operands[0], operands[1], GoesTo(block, index, words: 1));
        return true;
    }

    private bool CallCore(Block block, int index, Value condition)
    {
        var call = block.Operations[index];
        List<Value> operands = [.. call.Operands.Select(_values.Of)];
        if (operands.Exists(o => _design.Delays.Of(o) > _design.LatestEnd)) return false;
        _program.Cores.Call((VerilogCore)call.State[0], condition, operands, GoesTo(block, index, words: 1));
        return true;
    }

    /// <summary>The word that the state before requested.</summary>
    private Value Requested(Operation operation) => operation.Opcode switch
    {
        Opcode.FrameSum => _program.Checksums.Sum,
        Opcode.Hold => _program.IsHeld,
        Opcode.CoreCall => _program.Cores.Results((VerilogCore)operation.State[0]),
        Opcode.RegisterRead => _n.Resize(_program.CountAccesses.Count, operation.Width),
        Opcode.FrameRead => _frame.Requested(operation),
        Opcode.Multiply => _program.ProductOf(operation),
        _ => _memories.Requested(operation),
    };

    private EngineState GoesTo(Block block, int index, int words = 0)
    {
        var next = _program.StateAt(block, index, words);
        _state.Next.Add(next);
        return next;
    }

    private void Leave(Block block, Value condition)
    {
        // The logic behind an end is large: it begins in a state of its own if it would come late.
        if (block.Terminator is (Return or Fault) && _design.Delays.Of(condition) > _design.LatestEnd)
        {
            _program.AddTransition(condition, GoesTo(block, block.Operations.Count));
            return;
        }
        switch (block.Terminator)
        {
            case Jump jump:
                Go(block, jump.Target, condition);
                break;
            case Branch branch:
                var chosen = _values.Of(branch.Condition);
                Go(block, branch.Then, _n.And(condition, chosen));
                Go(block, branch.Else, _n.And(condition, _n.Not(chosen)));
                break;
            case Return end:
                _program.Returned.Add((condition, _values.Of(end.Length), _values.Of(end.Egress)));
                break;
            case GoBack:
                _program.Calls.GoBack(block, condition);
                break;
            case Fault fault:
                _program.Faults.Add(fault.Kind, condition);
                break;
        }
    }

    private void Go(Block from, Block to, Value condition)
    {
        if (Constant.Is(condition, 0)) condition = FoldingBuilder.Bit(false);
        if (!_ways.TryGetValue(to, out var ways)) _ways[to] = ways = [];
        ways.Add((from, condition));
    }

    /// <summary>Does an operation in this state, unless a port is taken or it would come too late.</summary>
    private bool TryDo(Operation operation, Value condition, Block block) => operation.Opcode switch
    {
        Opcode.FrameSum or Opcode.CoreCall => false,
        Opcode.FrameRead => _frame.TryRead(operation, condition),
        Opcode.FrameWrite => _frame.TryWrite(operation, condition),
        Opcode.MemoryRead => _memories.TryRead(operation, condition),
        Opcode.MemoryWrite => _memories.TryWrite(operation, condition),
        Opcode.RegisterRead => _registers.Read(operation, condition),
        Opcode.RegisterWrite => _registers.TryWrite(operation, condition),
        Opcode.Count => _registers.TryCount(operation, condition, block),
        Opcode.Input => _values.Define(operation, _program.Receiver.Input(operation.Input), condition),
        _ => _values.TryCompute(operation, condition),
    };
}
