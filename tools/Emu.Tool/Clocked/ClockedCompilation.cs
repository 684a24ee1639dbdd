using Emu.Clocked;
using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary><c>emu compile</c> of a program of the clock level: its Verilog, and what its states are.</summary>
internal static class ClockedCompilation
{
    /// <summary>Compiles, writes and says what came out.</summary>
    /// <param name="program">The program.</param>
    /// <param name="folder">The folder for the Verilog; null for one under build.</param>
    /// <exception cref="CommandException">It does not compile.</exception>
    public static int Run(ClockedProgram program, string? folder)
    {
        var circuit = Compile(program);
        folder ??= Path.Combine("build", circuit.Design.Name);
        Directory.CreateDirectory(folder);
        var file = Path.Combine(folder, circuit.Design.Name + ".v");
        File.WriteAllText(file, circuit.Verilog);
        foreach (var line in Summary(circuit, file)) Console.Out.WriteLine(line);
        return 0;
    }

    private static ClockedCircuit Compile(ClockedProgram program)
    {
        try
        {
            return ClockedCompiler.Compile(program);
        }
        catch (CompileException exception)
        {
            throw CommandException.Failure(ServiceCompiler.Line(exception));
        }
    }

    private static IEnumerable<string> Summary(ClockedCircuit circuit, string file)
    {
        var design = circuit.Design;
        yield return $"{design.Name}: {design.Flops.Sum(flop => flop.Width)} flops, "
            + $"{design.Rams.Sum(ram => (long)ram.Width * ram.Depth)} bits of memory, "
            + $"inputs {Names(design.Inputs.Select(port => port.Name))}, "
            + $"outputs {Names(design.Outputs.Select(port => port.Name))}";
        foreach (var pause in circuit.Program.Schedule ?? [])
        {
            var what = pause.Count == 1 ? "a pause is" : $"{pause.Count} pauses are";
            yield return $"soft: {what} added in front of {pause.Place}: {pause.Reason}";
        }
        foreach (var thread in circuit.Threads)
        {
            yield return $"thread {thread.Name}: {thread.States.Count} states";
            foreach (var (state, location) in thread.States)
                yield return $"  state {state}: behind the pause at {location?.Here ?? "its beginning"}";
        }
        yield return $"Verilog: {file}";
    }

    private static string Names(IEnumerable<string> ports) =>
        string.Join(", ", ports) is { Length: > 0 } names ? names : "none";
}
