using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The passes over the IR, in order.</summary>
internal static class PassList
{
    private const int NarrowingRounds = 2;

    /// <summary>Runs them all on the functions of a service; each must leave functions that do the same.</summary>
    /// <param name="functions">All functions that share the state, with the events that each handles.</param>
    internal static void Run(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        List<Function> all = [.. functions.Select(f => f.Function)];
        Each(all, Simplification.Run, "simplification"); // the front end leaves a block for each call, and phis that join one value
        Together(all, () => ConstantState.Run(all), "constant state"); // what only the constructor wrote: configuration, seeds
        Each(all, Simplification.Run, "simplification after constant state"); // branches on configuration go
        Together(all, () => Unrolling.Run(all), "unrolling"); // ways of a table, rows of a hash: their bounds are constants now
        Each(all, Simplification.Run, "simplification after unrolling");
        Together(all, () => ConstantState.Run(all), "constant state after unrolling"); // indices have become constants
        Each(all, Simplification.Run, "simplification before narrowing");
        for (var round = 1; round <= NarrowingRounds; round++)
        {
            Together(all, () => Narrowing.Run(functions), $"narrowing {round}"); // checks that always hold, bits that are always 0
            Each(all, Simplification.Run, $"simplification after narrowing {round}");
            Together(all, () => Unrolling.Run(all), $"unrolling {round}"); // bounds that only the branches before them make constant
            Each(all, FrameLoops.RunConstant, $"small moves {round}"); // so with those of bytes
            Each(all, Threading.Run, $"threading {round}"); // found or not: what follows knows which
        }
        Together(all, () => Counting.Run(all), "counting"); // counters need no word of what they hold
    }

    /// <summary>Runs those that matter when a function has been divided into what a pipeline does and the rest.</summary>
    /// <param name="fast">The part that a pipeline does.</param>
    /// <param name="slow">The rest; null when there is none.</param>
    /// <param name="events">The events that both handle.</param>
    internal static void RunOnParts(Function fast, Function? slow, EventRange events)
    {
        Each([fast], OnesSums.RunButChecks, "sums of words of the pipeline as additions");
        Each([fast], Simplification.Run, "simplification of the pipeline's part");
        if (slow is null) return;
        Each([slow], Simplification.Run, "division");
        List<Function> all = [fast, slow];
        // Indices are constants in one of them.
        Together(all, () => ConstantState.Run(all), "constant state of the parts");
        Each([slow], OnesSums.Run, "sums of words as additions");
        Each([slow], FrameLoops.Run, "moves in the frame as loops");
        Together(all, () => Narrowing.Run([(fast, events), (slow, events)]), "narrowing of the parts");
        Each(all, Simplification.Run, "simplification of the parts");
        Each([slow], ServicePaths.Trust, "what is never deferred"); // checks that no deferred frame fails
        Each([slow], Simplification.Run, "simplification of the slow part");
    }

    private static void Each(List<Function> functions, Action<Function> pass, string name) => Together(functions, () => functions.ForEach(pass), name);

    private static void Together(List<Function> functions, Action pass, string name)
    {
        pass();
        foreach (var function in functions) Verifier.Verify(function, name);
    }
}
