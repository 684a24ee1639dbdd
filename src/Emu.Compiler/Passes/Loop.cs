using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A natural loop: the blocks from which its header is reached again without leaving.</summary>
/// <param name="Header">The only block by which it is entered.</param>
/// <param name="Body">All its blocks, the header included.</param>
internal sealed record Loop(Block Header, IReadOnlySet<Block> Body)
{
    /// <summary>The loops of a function that contain no other.</summary>
    public static List<Loop> Innermost(Function function)
    {
        var all = All(function);
        return [.. all.Where(loop => !all.Any(other => other != loop && loop.Body.Contains(other.Header)))];
    }

    /// <summary>The loops of a function that no other contains.</summary>
    public static List<Loop> Outermost(Function function)
    {
        var all = All(function);
        return [.. all.Where(loop => !all.Exists(other => other != loop && other.Body.Contains(loop.Header)))];
    }

    /// <summary>All loops, those with one header joined.</summary>
    public static List<Loop> All(Function function) => All(function.Blocks());

    /// <summary>All loops of the blocks of a function.</summary>
    public static List<Loop> All(IReadOnlyList<Block> blocks)
    {
        var dominators = new Dominators(blocks);
        var bodies = new Dictionary<Block, HashSet<Block>>();
        foreach (var block in blocks)
        {
            foreach (var header in block.Terminator!.Successors.Where(s => dominators.Dominates(s, block)))
            {
                if (!bodies.TryGetValue(header, out var body)) bodies[header] = body = [header];
                Collect(block, body);
            }
        }
        return [.. bodies.Select(entry => new Loop(entry.Key, entry.Value))];
    }

    private static void Collect(Block end, HashSet<Block> body)
    {
        var waiting = new Stack<Block>([end]);
        while (waiting.TryPop(out var block))
        {
            if (!body.Add(block)) continue;
            foreach (var predecessor in block.Predecessors) waiting.Push(predecessor);
        }
    }
}
