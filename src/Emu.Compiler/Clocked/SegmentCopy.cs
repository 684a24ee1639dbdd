using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The part of a thread between two pauses as a function of its own: it begins with what registers keep, and ends,
/// where the thread pauses, with what they are to keep and the number of the next state.
/// </summary>
internal sealed class SegmentCopy
{
    private readonly ThreadStates _thread;
    private readonly Block _start;
    private readonly Func<StateElement, StateElement> _of;
    private readonly Block _entry = new();
    private readonly Dictionary<Block, Block> _blocks = [];
    private readonly Dictionary<Value, Dictionary<Block, Value>> _values = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, Definitions> _variables = new(ReferenceEqualityComparer.Instance);

    private SegmentCopy(ThreadStates thread, Block start, Func<StateElement, StateElement> of) =>
        (_thread, _start, _of) = (thread, start, of);

    /// <summary>The part of a thread from a block to the next pauses.</summary>
    public static Function Of(string name, Block start, ThreadStates thread, Func<StateElement, StateElement> of)
    {
        var copy = new SegmentCopy(thread, start, of);
        copy.Make();
        var function = new Function(name, copy._entry);
        Verifier.Verify(function, "the cut at pauses");
        return function;
    }

    private void Make()
    {
        foreach (var value in _thread.LiveAt(_start))
        {
            var read = new Operation(Opcode.RegisterRead, value.Width)
            {
                State = [_of(_thread.RegisterOf(value))],
                Location = (value as Operation)?.Location,
            };
            _entry.Operations.Add(read);
            Define(value, _entry, read);
        }
        foreach (var phi in _start.Phis)
            if (ThreadStates.ConstantAt(_start, phi) is { } constant) Define(phi, _entry, constant);
        var region = Region();
        foreach (var block in region) Define(block);
        _entry.Terminator = new Jump(_blocks[_start]);
        foreach (var block in region) Enter(block);
        foreach (var block in region) Connect(block);
    }

    /// <summary>The blocks that are reached without a pause.</summary>
    private List<Block> Region()
    {
        var (region, waiting) = (new List<Block> { _start }, new Stack<Block>([_start]));
        var seen = new HashSet<Block> { _start };
        while (waiting.TryPop(out var block))
        {
            if (block.Terminator is Pause) continue;
            foreach (var successor in block.Terminator!.Successors.Where(seen.Add))
            {
                region.Add(successor);
                waiting.Push(successor);
            }
        }
        return region;
    }

    private void Define(Value value, Block block, Value copy)
    {
        if (!_values.TryGetValue(value, out var all)) _values[value] = all = [];
        all[block] = copy;
    }

    private void Define(Block block)
    {
        var copy = _blocks[block] = new Block();
        foreach (var phi in block.Phis)
        {
            copy.Phis.Add(new Phi(phi.Width, copy));
            Define(phi, copy, copy.Phis[^1]);
        }
        foreach (var o in block.Operations)
        {
            copy.Operations.Add(new Operation(o.Opcode, o.Width, o.Operands)
            {
                Input = o.Input,
                Low = o.Low,
                State = [.. o.State.Select(_of)],
                Text = o.Text,
                Location = o.Location,
            });
            Define(o, copy, copy.Operations[^1]);
        }
    }

    private void Enter(Block block)
    {
        var copy = _blocks[block];
        if (block == _start) copy.Predecessors.Add(_entry);
        copy.Predecessors.AddRange(block.Predecessors.Where(IsInside).Select(p => _blocks[p]));
    }

    /// <summary>True if a block is of this part and goes on in it.</summary>
    private bool IsInside(Block block) => _blocks.ContainsKey(block) && block.Terminator is not Pause;

    private void Connect(Block block)
    {
        var copy = _blocks[block];
        for (var i = 0; i < block.Phis.Count; i++)
        {
            var phi = copy.Phis[i];
            if (block == _start) phi.Operands.Add(_values[block.Phis[i]][_entry]);
            for (var way = 0; way < block.Predecessors.Count; way++)
            {
                if (IsInside(block.Predecessors[way]))
                    phi.Operands.Add(AtEnd(block.Phis[i].Operands[way], _blocks[block.Predecessors[way]]));
            }
        }
        foreach (var operation in copy.Operations)
        {
            for (var i = 0; i < operation.Operands.Count; i++)
                operation.Operands[i] = Inside(operation.Operands[i], copy);
        }
        copy.Terminator = block.Terminator switch
        {
            Jump jump => new Jump(_blocks[jump.Target]),
            Branch branch => new Branch(Inside(branch.Condition, copy), _blocks[branch.Then], _blocks[branch.Else]),
            Pause pause => Leave(block, copy, pause),
            _ => End(copy, _thread.Ended, (block.Terminator as Fault)?.Location),
        };
    }

    /// <summary>The value that a use in a block sees, behind its own definition there if it has one.</summary>
    private Value Inside(Value value, Block block) =>
        value is Constant ? value
        : _values[value].TryGetValue(block, out var own) ? own
        : _values[value].Count == 1 ? _values[value].Values.Single()
        : Variable(value).AtStart(block);

    private Value AtEnd(Value value, Block block) =>
        value is Constant ? value
        : _values[value].Count == 1 ? _values[value].Values.Single()
        : Variable(value).AtEnd(block);

    private Definitions Variable(Value value) =>
        _variables.TryGetValue(value, out var known)
            ? known
            : _variables[value] = new Definitions(value.Width, _values[value]);

    private Return Leave(Block block, Block copy, Pause pause)
    {
        var way = pause.Target.Predecessors.IndexOf(block);
        var kept = new List<(Register Register, Value Value)>();
        foreach (var live in _thread.LiveAt(pause.Target))
        {
            var isJoined = live is Phi joined && joined.Block == pause.Target;
            var value = AtEnd(isJoined ? ((Phi)live).Operands[way] : live, copy);
            kept.Add((_thread.RegisterOf(live), value));
        }
        foreach (var (register, value) in kept)
        {
            var here = _of(register);
            if (value is Operation { Opcode: Opcode.RegisterRead } read && read.State is [var same] && same == here
                && _entry.Operations.Contains(read))
                continue;
            copy.Operations.Add(new Operation(Opcode.RegisterWrite, 1, value)
            {
                State = [here],
                Location = pause.Location,
            });
        }
        return End(copy, _thread.NumberOf(pause.Target), pause.Location);
    }

    private Return End(Block copy, int next, SourceLocation? location)
    {
        copy.Operations.Add(new Operation(
            Opcode.RegisterWrite, 1, new Constant(_thread.State.Width, (UInt128)next))
        {
            State = [_of(_thread.State)],
            Location = location,
        });
        return new Return(new Constant(32, 0), new Constant(32, 0), new Constant(64, 0));
    }
}
