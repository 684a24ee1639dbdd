using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Frontend;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Clocked;

/// <summary>
/// The compiler of the clock level from top to bottom: C# that controls its cycles goes in, a circuit comes out that
/// does in each cycle what the C# does between two pauses.
/// </summary>
public static class ClockedCompiler
{
    /// <summary>Compiles a program.</summary>
    /// <param name="program">Freshly loaded: its static fields are as its initialisers left them.</param>
    /// <exception cref="CompileException">It uses what does not compile, or does not fit into its cycles.</exception>
    public static ClockedCircuit Compile(ClockedProgram program) => Compile(program, ClockPorts.Plain);

    /// <summary>Compiles a program, with a clock and a reset of other names.</summary>
    internal static ClockedCircuit Compile(ClockedProgram program, ClockPorts clock)
    {
        ArgumentNullException.ThrowIfNull(program);
        return DeepStack.Run(() => OpenParameters.Compile(
            program,
            (loaded, open) => SoftSchedule.Compile(loaded, (again, made) => Compile(again, clock, open, made))));
    }

    /// <summary>Compiles a program with parameters of which it may know no number.</summary>
    private static ClockedCircuit Compile(
        ClockedProgram program, ClockPorts clock, IReadOnlySet<string> open, Action<InstructionPlaces> made)
    {
        var elaboration = ClockedElaboration.Of(program);
        made(elaboration.Shared.Places);
        var state = elaboration.State;
        var threads = elaboration.Threads
            .Select(thread => new ThreadCycles(thread, elaboration.FirstState(thread), state)).ToList();
        var inputs = elaboration.Inputs.ToDictionary(input => state.Of(input.Key), input => input.Value);
        var cycles = threads.SelectMany(thread => thread.Cycles.Values).ToList();
        CheckInputs(cycles, inputs);
        var written = ConstantState.Written(cycles);
        foreach (var (register, parameter) in elaboration.Parameters)
        {
            if (open.Contains(parameter.Name) && !elaboration.Used.Contains(register)
                && !written.Contains(state.Of(register)))
                inputs[state.Of(register)] = parameter;
        }
        var read = Arbitration.Read(elaboration.Shared).Select(state.Of);
        var ranges = ClockedPasses.Run(cycles, [.. inputs.Keys, .. read]);
        var outputs = elaboration.Outputs.ToDictionary(output => state.Of(output.Key), output => output.Value);
        var design = StateEncoding.Smallest(threads, oneHot =>
            new CircuitBuilder(program, clock, ranges, inputs, outputs, elaboration.Shared, state, oneHot)
                .Build(threads));
        design.InitialText = elaboration.Text;
        return new ClockedCircuit(
            design,
            [
                .. threads.Select(thread => new ClockedThread(
                    thread.Thread.Name,
                    thread.Cycles.Keys.ToDictionary(number => number, thread.Thread.LocationOf))),
            ],
            program);
    }

    private static void CheckInputs(IReadOnlyList<Function> cycles, Dictionary<Register, ClockedPort> inputs)
    {
        var written = cycles.SelectMany(cycle => cycle.Blocks()).SelectMany(block => block.Operations)
            .FirstOrDefault(operation => operation.IsEffect && operation.State.Any(s => s is Register r
                && inputs.ContainsKey(r)));
        if (written is null) return;
        throw new CompileException(
            DiagnosticNumber.ClockedProgram,
            $"the input {inputs[(Register)written.State[0]].Name} is written; only the outside writes it, "
            + "write an output or another field",
            written.Location);
    }
}
