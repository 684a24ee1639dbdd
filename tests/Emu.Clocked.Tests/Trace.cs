using Emu.Compiler.Clocked;
using Emu.Compiler.Rtl;
using Emu.Simulation;
using Microsoft.CodeAnalysis;

namespace Emu.Clocked.Tests;

/// <summary>
/// The inputs of each cycle of a run, and the outputs after each edge: the first ones are those that reset leaves.
/// </summary>
/// <param name="Inputs">By cycle, then by port.</param>
/// <param name="Outputs">By edge, then by port: one row more than there are inputs.</param>
/// <param name="Texts">What is printed up to each edge: as many as there are outputs.</param>
internal sealed record Trace(
    List<Dictionary<string, ulong>> Inputs, List<Dictionary<string, ulong>> Outputs, List<string> Texts)
{
    /// <summary>Runs a program on .NET.</summary>
    /// <param name="program">The program.</param>
    /// <param name="cycles">The number of cycles.</param>
    /// <param name="stimulus">Gives an input's number for a cycle.</param>
    /// <param name="allowsCoroutines">False for threads of the operating system.</param>
    /// <param name="numbers">Those of parameters that are given other ones.</param>
    public static Trace OfDotNet(
        ClockedProgram program, int cycles, Func<long, ClockedPort, ulong> stimulus, bool allowsCoroutines = true,
        params (string Parameter, ulong Bits)[] numbers)
    {
        program = program.Again();
        var trace = new Trace([], [], []);
        var started = new ClockedRun(program, allowsCoroutines);
        foreach (var (parameter, bits) in numbers) started.Set(parameter, bits);
        started.Run(run =>
        {
            trace.Outputs.Add(program.Ports.Where(p => !p.IsInput).ToDictionary(p => p.Name, p => run.Get(p.Name)));
            trace.Texts.Add(run.Printed);
            if (run.Cycle == cycles) return false;
            var inputs = program.Ports.Where(p => p.IsInput).ToDictionary(p => p.Name, p => stimulus(run.Cycle, p));
            trace.Inputs.Add(inputs);
            foreach (var (port, bits) in inputs) run.Set(port, bits);
            return true;
        });
        return trace;
    }

    /// <summary>Gives a circuit the inputs; the first output that differs, null when none does.</summary>
    /// <param name="simulator">The circuit.</param>
    /// <param name="elaboration">The cycles behind reset that it takes for the code before the first pause.</param>
    public string? Difference(Simulator simulator, int elaboration = 0)
    {
        using var simulated = simulator;
        var text = simulator.Printed;
        for (var i = 0; i < 2 + elaboration; i++)
        {
            simulator.IsInReset = i < 2;
            simulator.Step();
            text += simulator.Printed;
        }
        if (Differs(simulator, 0, text) is { } atReset) return atReset;
        simulator.IsInReset = false;
        for (var cycle = 0; cycle < Inputs.Count; cycle++)
        {
            foreach (var (port, bits) in Inputs[cycle]) simulator.Input(port)[0] = bits;
            simulator.Step();
            if (Differs(simulator, cycle + 1, simulator.Printed) is { } different) return different;
        }
        return null;
    }

    /// <summary>
    /// Fails where a program differs between .NET and its circuit, stepped, in Icarus and in Verilator.
    /// </summary>
    public static Trace Check(
        ClockedProgram program, int cycles = 300, Func<long, ClockedPort, ulong>? stimulus = null,
        bool isOutside = true)
    {
        var circuit = ClockedCompiler.Compile(program.Again());
        program = circuit.Program;
        var trace = OfDotNet(program, cycles, stimulus ?? Random(1));
        var system = OfDotNet(
            program, cycles, (cycle, port) => trace.Inputs[(int)cycle][port.Name], allowsCoroutines: false);
        Assert.Equal(trace.Texts, system.Texts);
        Assert.Equal(trace.Outputs, system.Outputs);
        Assert.Null(trace.Difference(new ManagedSimulator(circuit.Design)));
        if (!isOutside) return trace;
        foreach (var simulator in Outside(circuit.Design)) Assert.Null(trace.Difference(simulator));
        return trace;
    }

    /// <summary>Checks random programs, half of them as Debug builds; a failure has the seed and the text.</summary>
    /// <param name="count">The number of programs.</param>
    /// <param name="outside">How many of them run in Icarus and Verilator too, but for the fast tier.</param>
    /// <param name="cycles">The cycles of each.</param>
    /// <param name="program">The program of a seed, from 0 on.</param>
    /// <param name="stimulus">The inputs of a seed; random ones when absent.</param>
    public static void CheckRandom(
        int count, int outside, int cycles, Func<int, string> program,
        Func<int, Func<long, ClockedPort, ulong>>? stimulus = null)
    {
        for (var seed = 0; seed < count; seed++)
        {
            var text = program(seed);
            try
            {
                Check(
                    Source.Program(text, seed % 2 == 0 ? OptimizationLevel.Release : OptimizationLevel.Debug), cycles,
                    (stimulus ?? Random)(seed), isOutside: !Tier.IsFast && seed < outside);
            }
            catch (Exception exception)
            {
                Assert.Fail($"seed {seed}: {exception.Message}\n{text}");
            }
        }
    }

    /// <summary>Numbers that are any, small or the same as before.</summary>
    public static Func<long, ClockedPort, ulong> Random(int seed)
    {
        var random = new Random(seed);
        var last = new Dictionary<string, ulong>();
        return (_, port) =>
        {
            var mask = port.Width == 64 ? ulong.MaxValue : (1UL << port.Width) - 1;
            var number = random.Next(4) switch
            {
                0 => (ulong)random.Next(4),
                1 => last.GetValueOrDefault(port.Name),
                _ => (ulong)random.NextInt64(long.MinValue, long.MaxValue),
            };
            return last[port.Name] = number & mask;
        };
    }

    /// <summary>A simulator of each kind that is there.</summary>
    public static IEnumerable<Simulator> Simulators(Design design) =>
        Outside(design).Prepend(new ManagedSimulator(design));

    /// <summary>The text that a circuit prints before and at each edge: two in reset, then some.</summary>
    public static List<string> TextsOf(Simulator simulator, int cycles)
    {
        using var simulated = simulator;
        var texts = new List<string>();
        for (var cycle = 0; cycle < 2 + cycles; cycle++)
        {
            simulator.IsInReset = cycle < 2;
            simulator.Step();
            texts.Add(simulator.Printed);
        }
        return texts;
    }

    /// <summary>A circuit in Verilator, built quickly: no run here is long.</summary>
    public static Simulator Verilator(Design design) =>
        VerilatorSimulator.OfAll([design], VerilatorSimulator.CacheOfTests)[0];

    private static IEnumerable<Simulator> Outside(Design design)
    {
        if (IcarusSimulator.WhyNot is null) yield return new IcarusSimulator(design);
        if (VerilatorSimulator.WhyNot is null) yield return Verilator(design);
    }

    private string? Differs(Simulator simulator, int edge, string text)
    {
        if (text != Texts[edge])
            return $"'{text}' is printed before edge {edge} in {simulator.GetType().Name}, '{Texts[edge]}' on .NET";
        foreach (var (port, expected) in Outputs[edge])
        {
            var actual = simulator.Output(port)[0];
            if (actual != expected)
                return $"{port} is {actual:x} after {edge} edges in {simulator.GetType().Name}, {expected:x} on .NET";
        }
        return null;
    }
}
