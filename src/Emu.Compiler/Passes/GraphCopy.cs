using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>Copies all blocks that can be reached from one; values from before it stay shared.</summary>
internal sealed class GraphCopy
{
    private readonly Dictionary<Block, Block> _blocks;
    private readonly NodeTable<Value, Value> _values = new();

    private GraphCopy(Block start)
    {
        var order = new Function("", start).Blocks();
        _blocks = order.ToDictionary(block => block, _ => new Block());
        foreach (var block in order) Define(block);
        foreach (var block in order) Connect(block);
    }

    /// <summary>The copy of a block and of what follows it.</summary>
    public static Block Of(Block start) => new GraphCopy(start)._blocks[start];

    /// <summary>The copy of a function.</summary>
    public static Function Of(Function function) => new(function.Name, Of(function.Entry));

    private Value Of(Value value) => _values.GetValueOrDefault(value, value);

    private void Define(Block block)
    {
        var copy = _blocks[block];
        foreach (var phi in block.Phis) copy.Phis.Add((Phi)(_values[phi] = new Phi(phi.Width, copy)));
        foreach (var o in block.Operations)
        {
            var operation = new Operation(o.Opcode, o.Width, o.Operands)
            {
                Input = o.Input,
                Low = o.Low,
                State = o.State,
                Fold = o.Fold,
                Text = o.Text,
                Callee = o.Callee,
                Location = o.Location,
            };
            copy.Operations.Add(operation);
            _values[o] = operation;
        }
    }

    /// <summary>Operands, phis without the ways from blocks that are not copied, and where the block goes on.</summary>
    private void Connect(Block block)
    {
        var copy = _blocks[block];
        foreach (var operation in copy.Operations)
        {
            for (var i = 0; i < operation.Operands.Count; i++) operation.Operands[i] = Of(operation.Operands[i]);
        }
        for (var way = 0; way < block.Predecessors.Count; way++)
        {
            if (!_blocks.TryGetValue(block.Predecessors[way], out var from)) continue;
            copy.Predecessors.Add(from);
            for (var i = 0; i < block.Phis.Count; i++) copy.Phis[i].Operands.Add(Of(block.Phis[i].Operands[way]));
        }
        copy.Terminator = block.Terminator switch
        {
            Jump jump => new Jump(_blocks[jump.Target]),
            Branch branch => new Branch(Of(branch.Condition), _blocks[branch.Then], _blocks[branch.Else]),
            Return end => new Return(Of(end.Start), Of(end.Length), Of(end.Egress)),
            SideExit { Target: { } target } defer => defer with { Target = _blocks[target] },
            var other => other,
        };
    }
}
