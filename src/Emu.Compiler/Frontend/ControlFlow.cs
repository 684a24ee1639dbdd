using Emu.Compiler.Metadata;

namespace Emu.Compiler.Frontend;

/// <summary>The basic blocks of a method's CIL.</summary>
internal static class ControlFlow
{
    /// <summary>The offsets at which blocks begin, in reverse postorder; unreachable ones are left out.</summary>
    /// <param name="successors">The blocks of a method.</param>
    /// <param name="entries">The blocks at which it begins.</param>
    /// <param name="loopHeaders">The offsets that a jump leads back to.</param>
    public static List<int> ReversePostorder(
        Dictionary<int, List<int>> successors, IEnumerable<int> entries, out HashSet<int> loopHeaders)
    {
        var order = new List<int>();
        var state = new Dictionary<int, bool>();
        loopHeaders = [];
        foreach (var entry in entries)
        {
            if (state.TryAdd(entry, true)) Visit(successors, entry, state, order, loopHeaders);
        }
        order.Reverse();
        return order;
    }

    private static void Visit(
        Dictionary<int, List<int>> successors, int entry, Dictionary<int, bool> state, List<int> order,
        HashSet<int> loopHeaders)
    {
        var stack = new Stack<(int Offset, int Next)>([(entry, 0)]);
        while (stack.TryPop(out var top))
        {
            var next = successors[top.Offset];
            if (top.Next == next.Count)
            {
                state[top.Offset] = false;
                order.Add(top.Offset);
                continue;
            }
            stack.Push((top.Offset, top.Next + 1));
            if (!state.TryGetValue(next[top.Next], out var isOpen))
            {
                state[next[top.Next]] = true;
                stack.Push((next[top.Next], 0));
            }
            else if (isOpen) loopHeaders.Add(next[top.Next]);
        }
    }

    /// <summary>True if a way leads from an instruction back to it.</summary>
    public static bool IsInLoop(MethodCode code, Instruction instruction)
    {
        var at = code.Instructions.ToDictionary(i => i.Offset);
        var seen = new HashSet<int>();
        var open = new Stack<Instruction>([instruction]);
        while (open.TryPop(out var next))
        {
            foreach (var offset in code.TargetsOf(next).Concat(next.FallsThrough ? [next.Next] : []))
            {
                if (at.TryGetValue(offset, out var successor) && seen.Add(offset)) open.Push(successor);
            }
        }
        return seen.Contains(instruction.Offset);
    }

    /// <summary>The blocks of a method, by the offsets at which they begin: those that each leads to.</summary>
    /// <param name="code">The method.</param>
    /// <param name="isLeader">True for an instruction with which a block begins, whatever leads there.</param>
    public static Dictionary<int, List<int>> Successors(MethodCode code, Func<Instruction, bool>? isLeader = null)
    {
        var leaders = new SortedSet<int> { 0 };
        if (isLeader is not null) leaders.UnionWith(code.Instructions.Where(isLeader).Select(i => i.Offset));
        foreach (var tried in code.Finallys) leaders.UnionWith([tried.Start, tried.Handler]);
        foreach (var instruction in code.Instructions)
        {
            leaders.UnionWith(code.TargetsOf(instruction));
            if (instruction.Targets.Count > 0 || !instruction.FallsThrough) leaders.Add(instruction.Next);
        }
        var successors = new Dictionary<int, List<int>>();
        var block = 0;
        foreach (var instruction in code.Instructions)
        {
            if (leaders.Contains(instruction.Offset)) block = instruction.Offset;
            if (!leaders.Contains(instruction.Next) && instruction != code.Instructions[^1]) continue;
            successors[block] =
                [.. instruction.FallsThrough ? new[] { instruction.Next } : [], .. code.TargetsOf(instruction)];
        }
        // A fault leads to the finally block, which is so behind all of its try block.
        foreach (var tried in code.Finallys) successors[tried.Start].Insert(0, tried.Handler);
        return successors;
    }
}
