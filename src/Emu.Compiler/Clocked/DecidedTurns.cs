using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Clocked;

/// <summary>
/// Leads each way into a test of a loop that decides it straight to where it goes on (jump threading of single ways;
/// loop inversion, Muchnick 1997, §18.5, where the way is the one into the loop): a loop that begins with a first turn,
/// as one of constant bounds does, has come to the pause in it. So a loop round it has a pause as well.
/// </summary>
/// <remarks>
/// Loops of a cycle need not be natural ones: a cycle begins behind a pause, which may stand in the middle of one. So
/// each way counts for itself.
/// </remarks>
internal static class DecidedTurns
{
    /// <summary>Leads the ways of the loops of a cycle past tests that they decide.</summary>
    /// <param name="cycle">A cycle in which no loop is left that can be written out.</param>
    public static void Run(Function cycle)
    {
        var passed = new HashSet<Block>();
        while (Find(cycle, passed) is { } found)
        {
            passed.Add(found.Test);
            new LedWays(cycle, found.Test).Lead(found.Ways);
            Edges.ForgetUnreachable(cycle);
            Simplification.Run(cycle);
        }
    }

    /// <summary>A test of a loop with the blocks from which it is decided, and how; null if there is none.</summary>
    private static (Block Test, List<(Block From, bool IsTrue)> Ways)? Find(Function cycle, HashSet<Block> passed)
    {
        var blocks = cycle.Blocks();
        if (Cycle.In(blocks) is not { } loop) return null;
        foreach (var test in blocks.Where(block => loop.Contains(block) && !passed.Contains(block)))
        {
            if (test.Terminator is not Branch branch || test.Operations.Exists(operation => operation.IsEffect))
                continue;
            var ways = new List<(Block From, bool IsTrue)>();
            foreach (var from in test.Predecessors)
                if (Decided(test, branch.Condition, from) is { } isTrue) ways.Add((from, isTrue));
            if (ways.Count > 0) return (test, ways);
        }
        return null;
    }

    /// <summary>
    /// The outcome of a test wherever it is come to from a block: by constants, or by a branch before it that asks
    /// the same; null if that depends.
    /// </summary>
    private static bool? Decided(Block test, Value condition, Block from)
    {
        var way = test.Predecessors.IndexOf(from);
        var known = test.Phis.ToDictionary<Phi, Value, Value>(
            phi => phi, phi => phi.Operands[way], ReferenceEqualityComparer.Instance);
        foreach (var operation in test.Operations)
        {
            var here = new Operation(
                operation.Opcode, operation.Width, operation.Operands.Select(o => known.GetValueOrDefault(o, o)))
            {
                Low = operation.Low,
            };
            if (OpcodeTable.Of(operation.Opcode).Kind == OpcodeKind.Pure && Folding.TryFold(here) is { } folded)
                known[operation] = folded;
        }
        return known.GetValueOrDefault(condition, condition) is var onWay && onWay is Constant constant
            ? constant.Bits != 0
            : test.Operations.Contains(onWay) ? null : Asked(onWay, from, test);
    }

    /// <summary>The outcome that a branch before a way has found a condition to have; null for none.</summary>
    private static bool? Asked(Value condition, Block from, Block to)
    {
        for (var seen = new HashSet<Block>(); seen.Add(from); (from, to) = (from.Predecessors[0], from))
        {
            if (from.Terminator is Branch branch && branch.Condition == condition) return branch.Then == to;
            if (from.Predecessors.Count != 1) break;
        }
        return null;
    }

    /// <summary>The copies of a test for ways that decide it.</summary>
    private sealed class LedWays(Function function, Block test)
        : RegionCopy(function, test, new HashSet<Block> { test }, written: null)
    {
        /// <summary>Leads ways to copies of their own; the others still lead to the test.</summary>
        public void Lead(List<(Block From, bool IsTrue)> ways)
        {
            foreach (var (from, isTrue) in ways)
            {
                var copy = Copy(from, isTrue);
                from.Terminator = Edges.Retarget(from.Terminator!, Header, copy);
                Edges.Remove(from, Header);
                copy.Predecessors.Add(from);
            }
            Join();
            Current = Header;
            foreach (var value in Header.Phis.Concat<Value>(Header.Operations)) Define(value, value);
            Repair(new HashSet<Block> { Header }, alsoPhis: false);
        }

        private Block Copy(Block from, bool isTrue)
        {
            var values = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
            Value Of(Value value) => values.GetValueOrDefault(value, value);
            Current = new Block();
            var way = Header.Predecessors.IndexOf(from);
            foreach (var phi in Header.Phis) Define(phi, values[phi] = Entered(phi.Operands[way]));
            foreach (var operation in Header.Operations) Define(operation, values[operation] = CopyOf(operation, Of));
            var branch = (Branch)Header.Terminator!;
            var next = isTrue ? branch.Then : branch.Else;
            Current.Terminator = new Jump(next);
            Exits.Add(EdgeOf(Header, next, Current, Of));
            return Current;
        }

        /// <summary>
        /// A value that a copy is entered with: a phi, since the test itself may have computed it in the turn before.
        /// </summary>
        private Value Entered(Value value)
        {
            if (value is Constant) return value;
            var entered = new Phi(value.Width, Current);
            entered.Operands.Add(value);
            Current.Phis.Add(entered);
            return entered;
        }
    }
}
