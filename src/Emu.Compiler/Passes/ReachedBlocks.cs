using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// The blocks that may be reached from one of a function without loops, as constants tell: conditional constant
/// propagation (Wegman and Zadeck 1991, <i>Constant propagation with conditional branches</i>) that begins there. It
/// sees that a branch goes one way for all that come by that block, where others go both ways.
/// </summary>
internal sealed class ReachedBlocks
{
    private readonly Dictionary<Value, Constant?> _constants = new(ReferenceEqualityComparer.Instance);
    private readonly Block _from;
    private readonly HashSet<Block> _reached;
    private readonly HashSet<(Block From, Block To)> _edges = [];

    /// <summary>Finds them.</summary>
    /// <param name="blocks">All of the function, each behind its predecessors.</param>
    /// <param name="from">The block to begin at.</param>
    public ReachedBlocks(IEnumerable<Block> blocks, Block from)
    {
        (_from, _reached) = (from, [from]);
        AssumeWayTo(from);
        foreach (var block in blocks.SkipWhile(block => block != from))
        {
            if (block != from)
            {
                var ways = Enumerable.Range(0, block.Predecessors.Count)
                    .Where(way => _edges.Contains((block.Predecessors[way], block))).ToList();
                if (ways.Count == 0) continue;
                _reached.Add(block);
                foreach (var phi in block.Phis) _constants[phi] = Same(ways.Select(way => Of(phi.Operands[way])));
            }
            foreach (var next in Next(block.Terminator!)) _edges.Add((block, next));
        }
    }

    /// <summary>True if a block may be reached, as is the one from which they are sought.</summary>
    public bool Contains(Block block) => _reached.Contains(block);

    /// <summary>
    /// True if a value may be a number for an event that comes by that block; a phi, by the ways that are left.
    /// </summary>
    public bool CanBe(Value value, UInt128 number)
    {
        if (Of(value) is { } known) return known.Bits == number;
        return value is not Phi phi || phi.Block == _from || !_reached.Contains(phi.Block)
            || Enumerable.Range(0, phi.Operands.Count).Any(way =>
                _edges.Contains((phi.Block.Predecessors[way], phi.Block))
                && (Of(phi.Operands[way]) is not { } constant || constant.Bits == number));
    }

    private Successors Next(Terminator terminator) =>
        terminator is Branch branch && Of(branch.Condition) is { } known
            ? new Successors(known.Bits != 0 ? branch.Then : branch.Else)
            : terminator.Successors;

    /// <summary>Takes in what the branches have decided without which nothing comes here.</summary>
    private void AssumeWayTo(Block block)
    {
        while (block.Predecessors is [var above, ..])
        {
            if (block.Predecessors.Count > 1) return;
            if (above.Terminator is Branch branch) Assume(branch.Condition, branch.Then == block);
            block = above;
        }
    }

    private void Assume(Value condition, bool holds)
    {
        _constants[condition] = new Constant(1, holds ? 1u : 0u);
        if (condition is not Operation { Operands: var operands } operation) return;
        if (operation.Opcode == Opcode.Xor && Constant.Is(operands[1], 1)) Assume(operands[0], !holds);
        if (operation.Opcode == (holds ? Opcode.And : Opcode.Or)) operands.ForEach(operand => Assume(operand, holds));
    }

    private static Constant? Same(IEnumerable<Constant?> constants)
    {
        var all = constants.ToList();
        return all.TrueForAll(one => one is not null && one.Bits == all[0]?.Bits) ? all[0] : null;
    }

    /// <summary>The constant that a value is for all that come this way; null if it is none.</summary>
    private Constant? Of(Value value)
    {
        if (value is Constant constant) return constant;
        if (_constants.TryGetValue(value, out var known)) return known;
        if (value is Operation { IsEffect: false, ReadsState: false } operation) known = Computed(operation);
        return _constants[value] = known;
    }

    private Constant? Computed(Operation operation)
    {
        List<Value> operands = [.. operation.Operands.Select(operand => Of(operand) ?? operand)];
        if (operands.SequenceEqual(operation.Operands)) return null;
        var folded = new Operation(operation.Opcode, operation.Width, operands) { Low = operation.Low };
        return Folding.TryFold(folded) as Constant;
    }
}
