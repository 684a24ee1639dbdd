using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Clocked;

/// <summary>The states that a thread can be in, each with what it does in a cycle that begins there.</summary>
internal sealed class ThreadCycles
{
    /// <summary>Follows a thread from its first state.</summary>
    /// <param name="thread">The thread.</param>
    /// <param name="first">The state in which the elaboration leaves it.</param>
    /// <param name="state">The state that the elaboration leaves.</param>
    public ThreadCycles(ThreadStates thread, int first, ElaboratedState state)
    {
        (Thread, State) = (thread, state.Of(thread.State));
        var cycles = new SortedDictionary<int, Function>();
        var waiting = new Stack<int>([first]);
        while (waiting.TryPop(out var number))
        {
            if (number == thread.Ended || cycles.ContainsKey(number)) continue;
            var cycle = cycles[number] = thread.Cycle(number, state.Of);
            Simplification.Run(cycle);
            foreach (var next in Next(cycle)) waiting.Push(next);
        }
        Cycles = cycles;
    }

    /// <summary>The thread.</summary>
    public ThreadStates Thread { get; }

    /// <summary>The register that holds the number of its state.</summary>
    public Register State { get; }

    /// <summary>
    /// The part that is done in a cycle that begins in a state, by the state's number; nothing where it has ended.
    /// </summary>
    public IReadOnlyDictionary<int, Function> Cycles { get; }

    private IEnumerable<int> Next(Function cycle) => cycle.Blocks().SelectMany(block => block.Operations)
        .Where(operation => operation.IsEffect && operation.State is [var written] && written == State)
        .Select(operation => (int)((Constant)operation.Operands[0]).Bits);
}
