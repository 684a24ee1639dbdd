using Emu.Compiler.Diagnostics;
using Emu.Compiler.Dialect;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;

namespace Emu.Compiler;

/// <summary>
/// Writes a service as a program of the clock level, in Kiwi's dialect: C# with static fields, arrays and pauses, for
/// another compiler, and for our own.
/// </summary>
public static class DialectCompiler
{
    private const int BusBits = 64;

    /// <summary>Writes a service.</summary>
    /// <param name="service">Constructed, and not run: its state now is its state after reset.</param>
    /// <param name="options">The device; the bus has 64 bits whatever it says.</param>
    /// <exception cref="CompileException">The service uses what does not compile, or has no form there.</exception>
    public static DialectProgram Compile(Service service, HardwareOptions options)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(options);
        return DeepStack.Run(() => Write(service, options with { BusBits = BusBits }));
    }

    private static DialectProgram Write(Service service, HardwareOptions options)
    {
        if (options.Ports > HardwareOptions.DefaultPorts)
            throw Refused(
                $"a device with {options.Ports} ports has no form in Kiwi's dialect; it has MAC ports alone, "
                + $"{HardwareOptions.DefaultPorts} of them", null);
        var compilation = HardwareCompiler.Translate(service, options.Ports, options.Capacity);
        compilation.Optimise();
        compilation.Decompose();
        Check(compilation);
        var function = compilation.Process;
        var ranges = compilation.Ranges();
        new WordSplitting(element => ranges.Of(element).Width).Run(function);
        GroupedChoices.Run(function);
        Verifier.Verify(function, "grouped choices");
        var writer = new ProgramWriter(service.GetType().Name, options, function);
        return new DialectProgram(service.GetType().Name, writer.Write(), writer.States);
    }

    private static void Check(Compilation compilation)
    {
        if (compilation.Tick is { } tick)
            throw Refused(
                "a tick (TickInterval) has no form in Kiwi's dialect; leave ticks to the host",
                tick.Blocks().SelectMany(block => block.Operations).Select(operation => operation.Location)
                    .FirstOrDefault(location => location is not null));
        foreach (var operation in compilation.Process.Blocks().SelectMany(block => block.Operations))
        {
            var why = operation.Opcode switch
            {
                Opcode.Wait or Opcode.Hold => "an event that waits for frames",
                Opcode.CoreCall => "a call of a component, or of a Verilog module,",
                Opcode.FrameFold or Opcode.FrameSum => "a fold over the frame",
                _ => null,
            };
            if (why is not null)
                throw Refused(
                    $"{why} has no form in Kiwi's dialect; handle each frame alone, in C#", operation.Location);
        }
    }

    private static CompileException Refused(string reason, SourceLocation? location) =>
        new(DiagnosticNumber.Dialect, reason, location);
}
