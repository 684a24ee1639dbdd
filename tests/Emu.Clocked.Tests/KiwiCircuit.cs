using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;
using Emu.Simulation;
using Emu.Tool;

namespace Emu.Clocked.Tests;

/// <summary>The circuit that KiwiC makes of a program, where a user has it (<c>KIWIC</c>), in Verilator.</summary>
internal static class KiwiCircuit
{
    /// <summary>The cycles behind reset that it takes for the code before the first pause.</summary>
    private const int Elaboration = 1;

    /// <summary>Compiles a program; the test is skipped, with the reason, where that can't be done.</summary>
    public static Simulator Of(string source, string name)
    {
        var kiwi = KiwiCompiler.Find(out var why);
        Assert.SkipWhen(kiwi is null, why ?? "");
        Assert.SkipWhen(VerilatorSimulator.WhyNot is not null, VerilatorSimulator.WhyNot ?? "");
        var folder = Directory.CreateTempSubdirectory("emu-kiwic-");
        try
        {
            var file = Path.Combine(folder.FullName, name + ".cs");
            File.WriteAllText(file, source);
            var verilog = File.ReadAllText(kiwi!.Compile(file));
            return Trace.Verilator(Read(verilog, name));
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    /// <summary>
    /// The first output that differs from a run on .NET. KiwiC leaves out inputs that nothing reads, and outputs that
    /// nothing writes: those are the same in all cycles on .NET.
    /// </summary>
    public static string? Difference(Trace trace, Simulator circuit)
    {
        var inputs = circuit.Design.Inputs.Select(port => port.Name).ToHashSet();
        var outputs = circuit.Design.Outputs.Select(port => port.Name).ToHashSet();
        var isConstant = trace.Outputs[0].ToDictionary(
            port => port.Key, port => trace.Outputs.TrueForAll(row => row[port.Key] == port.Value));
        Assert.All(isConstant.Keys.Except(outputs), port => Assert.True(isConstant[port], port));
        var there = new Trace(Only(trace.Inputs, inputs), Only(trace.Outputs, outputs), trace.Texts);
        return there.Difference(circuit, Elaboration);
    }

    private static List<Dictionary<string, ulong>> Only(List<Dictionary<string, ulong>> rows, HashSet<string> ports) =>
        [.. rows.Select(row => row.Where(port => ports.Contains(port.Key)).ToDictionary())];

    /// <summary>
    /// Its Verilog, but for digits that begin with an underscore, which Icarus and Yosys do not take.
    /// </summary>
    public static Design Read(string verilog, string module) =>
        ForeignVerilog.Read(verilog.Replace("'h_", "'h", StringComparison.Ordinal), module, ClockPorts.Plain)!;
}
