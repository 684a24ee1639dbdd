using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// One variable that is defined in several blocks: finds the value that reaches a block,
/// with phis where ways join (Braun and others 2013).
/// </summary>
/// <param name="width">The width of the variable.</param>
/// <param name="atEnd">Its value at the end of the blocks that define it.</param>
internal sealed class Definitions(int width, Dictionary<Block, Value> atEnd)
{
    private readonly Dictionary<Block, Value> _atStart = [];

    public Value AtEnd(Block block) => atEnd.TryGetValue(block, out var value) ? value : AtStart(block);

    public Value AtStart(Block block)
    {
        if (_atStart.TryGetValue(block, out var known)) return known;
        // A way on which the variable is not defined is one on which it is not used.
        if (block.Predecessors.Count == 0) return _atStart[block] = new Constant(width, 0);
        if (block.Predecessors.Count == 1) return _atStart[block] = AtEnd(block.Predecessors[0]);
        var phi = new Phi(width, block);
        _atStart[block] = phi;
        block.Phis.Add(phi);
        phi.Operands.AddRange(block.Predecessors.Select(AtEnd));
        return phi;
    }
}
