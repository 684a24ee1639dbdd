using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The passes over the cycles of a program, in order: those of services that know no frames. Behind them no cycle has a
/// loop, nor an operation that a cycle has no time for.
/// </summary>
internal static class ClockedPasses
{
    /// <summary>The rounds in which what one pass has made constant helps the others.</summary>
    private const int Rounds = 2;

    /// <summary>Optimises the cycles of a program.</summary>
    /// <param name="cycles">All cycles of all threads, which share the state.</param>
    /// <param name="inputs">The registers that the outside writes.</param>
    /// <returns>The ranges of the values of the cycles, and of the state.</returns>
    /// <exception cref="CompileException">A cycle has a loop without a bound, or a division.</exception>
    public static Ranges Run(IReadOnlyList<Function> cycles, IReadOnlyList<Register> inputs)
    {
        Function[] all = [.. cycles, Outside(inputs)];
        Each(cycles, Simplification.Run, "simplification");
        for (var round = 0; round < Rounds; round++)
        {
            ConstantState.Run(all);
            Each(cycles, Simplification.Run, "constant-state");
            Each(cycles, RegisterForwarding.Run, "register-forwarding");
            Unrolling.Run(all);
            Each(cycles, Simplification.Run, "unrolling");
            Each(cycles, DecidedTurns.Run, "decided-turns");
            Unrolling.Run(all, mayGoOn: true);
            Each(cycles, Simplification.Run, "unrolling");
            Narrowing.Run(Events(all));
            Each(cycles, Simplification.Run, "narrowing");
            InductionVariables.Run(Events(all));
            Each(cycles, ShortCircuits.Run, "short-circuits");
        }
        foreach (var cycle in cycles) Check(cycle);
        Each(cycles, cycle => OperatorDecomposition.Run(cycle, null), "operator-decomposition");
        Each(cycles, Simplification.Run, "simplification");
        return new Ranges(Events(all));
    }

    private static (Function Function, EventRange Events)[] Events(Function[] functions) =>
        [.. functions.Select(function => (function, EventRange.Tick))];

    private static void Each(IReadOnlyList<Function> cycles, Action<Function> pass, string name)
    {
        foreach (var cycle in cycles)
        {
            pass(cycle);
            Verifier.Verify(cycle, name);
        }
    }

    /// <summary>The outside as one more thread: in each cycle it writes any number to each input.</summary>
    private static Function Outside(IReadOnlyList<Register> inputs)
    {
        var entry = new Block();
        var any = new Operation(Opcode.Input, 64) { Input = FrameInput.Time };
        entry.Operations.Add(any);
        foreach (var input in inputs)
        {
            Value value = any;
            if (input.Width < any.Width)
                entry.Operations.Add((Operation)(value = new Operation(Opcode.Truncate, input.Width, any)));
            entry.Operations.Add(new Operation(Opcode.RegisterWrite, 1, value) { State = [input] });
        }
        entry.Terminator = new Return(new Constant(32, 0), new Constant(32, 0), new Constant(64, 0));
        return new Function("outside", entry);
    }

    private static void Check(Function cycle)
    {
        if (Cycle.In(cycle.Blocks()) is { } loop)
            throw new CompileException(
                DiagnosticNumber.PauseFreeLoop,
                "a loop has no pause, and no bound that is known; put Kiwi.Pause() into it, "
                + "or give it a constant bound",
                LocationOf(cycle.Blocks().FindAll(loop.Contains)));
        foreach (var operation in cycle.Blocks().SelectMany(block => block.Operations))
        {
            if (operation.Opcode is Opcode.DivideUnsigned or Opcode.DivideSigned or Opcode.RemainderUnsigned
                    or Opcode.RemainderSigned && operation.Operands[1] is not Constant)
                throw new CompileException(
                    DiagnosticNumber.LongOperation,
                    "a division by a number that is not constant does not fit into a cycle; "
                    + "divide in soft code, in a loop with pauses, a bit a turn, or by a constant",
                    operation.Location);
        }
    }

    private static SourceLocation? LocationOf(List<Block> loop) =>
        loop.SelectMany(block => block.Operations).Select(operation => operation.Location)
            .FirstOrDefault(location => location is not null);
}
