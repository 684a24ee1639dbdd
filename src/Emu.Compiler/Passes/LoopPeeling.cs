using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Takes the first turns of a loop along a chain of headers, such as VLAN tags, in front of it (loop peeling; Bacon,
/// Graham and Sharp 1994, §6.3.6): there offsets are constants, and only frames with more headers come to the loop.
/// </summary>
/// <remarks>
/// <para>A loop is such a chain when what it reads of the frame decides whether there is a further turn, at an offset
/// that follows from that of the last turn by constants alone. One over bytes is none, be it a unit's
/// (<see cref="FrameFolds"/>) or not: a header has more than one, and texts of two bytes are no common ones.</para>
/// <para>A loop that counts up to a number which is never large, such as over the digits of a field, is none either:
/// it is written out (<see cref="TripCounts"/>).</para>
/// </remarks>
internal static class LoopPeeling
{
    /// <summary>Two headers, a service tag and a customer tag, are common; more are not.</summary>
    private const int Turns = 2;

    /// <summary>A turn is made twice more: of a long one that would be much logic.</summary>
    private const int MostOperations = 100;

    /// <summary>By how much a function may grow before what cannot be is removed from it.</summary>
    private const int Growth = 4;

    /// <summary>The most turns of a loop that counts.</summary>
    private const int MostTurns = 16;

    /// <summary>
    /// Peels the chains of what a service does with a frame, and leaves the rest of each to the slow path: where the
    /// first turns join, offsets are those of these turns alone.
    /// </summary>
    /// <param name="compilation">The service, through the passes.</param>
    public static void Run(Compilation compilation)
    {
        var function = compilation.Process;
        if (TripCounts.Run(
            compilation,
            loop => IsSmall(function, loop) && FoldedLoop.Of(compilation, loop) is null or { WritesAtIndex: true },
            MostTurns))
            compilation.Optimise();
        if (!PeelChains(compilation)) return;
        Edges.ForgetUnreachable(function);
        compilation.Optimise();
    }

    /// <summary>Peels the chains, the last first, and defers what comes to their loops.</summary>
    /// <returns>True if there is any.</returns>
    private static bool PeelChains(Compilation compilation)
    {
        var function = compilation.Process;
        var chains = Chains(compilation);
        var (any, least) = (chains.Count > 0, SizeOf(function));
        while (chains is [var loop, ..])
        {
            for (var turn = 0; turn < Turns; turn++) new PeeledTurn(function, loop, loop.Body).Peel();
            SideExits.Defer(loop);
            chains.RemoveAt(0);
            if (SizeOf(function) < Growth * least) continue;
            // What is deferred is copied with all that follows: first forget what cannot be, or each loop doubles it.
            Edges.ForgetUnreachable(function);
            compilation.Optimise();
            (chains, least) = (Chains(compilation), SizeOf(function));
        }
        return any;
    }

    private static int SizeOf(Function function) => function.Blocks().Sum(block => block.Operations.Count);

    private static List<Loop> Chains(Compilation compilation)
    {
        var function = compilation.Process;
        var fast = PathDivision.FastBlocks(function).ToHashSet();
        var counts = new TripCounts(compilation);
        return Loop.Outermost(function).FindAll(loop =>
            fast.Contains(loop.Header) && IsChain(function, loop) && !counts.IsBounded(loop)
            && FoldedLoop.Of(compilation, loop) is null);
    }

    private static bool IsSmall(Function function, Loop loop) =>
        loop.Body.Sum(block => block.Operations.Count) <= MostOperations
        && Loop.Innermost(function).Exists(inner => inner.Header == loop.Header);

    private static bool IsChain(Function function, Loop loop)
    {
        var operations = loop.Body.SelectMany(block => block.Operations).ToList();
        if (!IsSmall(function, loop)) return false;
        var read = operations.FindAll(operation => operation.Opcode == Opcode.FrameRead);
        return read.Exists(operation => loop.Header.Phis.Exists(phi =>
                !ByteLoop.IsIndex(loop, phi) && IsStepped(loop, operation.Operands[0], phi)))
            && loop.Body.Any(block => IsDecided(loop, block, read));
    }

    /// <summary>True if an offset is computed of a phi and constants, and the phi of the next turn too.</summary>
    private static bool IsStepped(Loop loop, Value offset, Phi phi) =>
        IsComputedOf(offset, phi) && NextOf(loop, phi).All(next => next != phi && IsComputedOf(next, phi));

    private static bool IsComputedOf(Value value, Phi phi) =>
        value == phi
        || value is Operation { IsEffect: false, ReadsState: false, Opcode: not Opcode.FrameRead } operation
            && operation.Operands.All(operand => operand is Constant || IsComputedOf(operand, phi))
            && operation.Operands.Any(operand => operand is not Constant);

    /// <summary>True if a block ends the loop by what was read of the frame in this turn or the last.</summary>
    private static bool IsDecided(Loop loop, Block block, List<Operation> read) =>
        block.Terminator is Branch branch && branch.Successors.Any(to => !loop.Body.Contains(to))
        && IsFrom(loop, branch.Condition, read, new HashSet<Value>(ReferenceEqualityComparer.Instance));

    private static bool IsFrom(Loop loop, Value value, List<Operation> read, HashSet<Value> seen) =>
        seen.Add(value) && value switch
        {
            Phi phi when phi.Block == loop.Header =>
                NextOf(loop, phi).Any(operand => IsFrom(loop, operand, read, seen)),
            Phi phi when loop.Body.Contains(phi.Block) =>
                phi.Operands.Exists(operand => IsFrom(loop, operand, read, seen)),
            Operation operation => read.Contains(operation)
                || operation.Operands.Any(operand => IsFrom(loop, operand, read, seen)),
            _ => false,
        };

    /// <summary>The values that a header's phi can have in the next turn.</summary>
    private static IEnumerable<Value> NextOf(Loop loop, Phi phi) =>
        phi.Operands.Where((_, way) => loop.Body.Contains(loop.Header.Predecessors[way]));
}
