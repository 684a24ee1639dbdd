using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>
/// Verilog of another compiler as a design: its ports, and the text as it is, for simulators and synthesis outside.
/// </summary>
public static class ForeignVerilog
{
    /// <summary>Reads a module.</summary>
    /// <param name="text">The text that holds it, with its ports in the style of Verilog-2001.</param>
    /// <param name="module">The module's name.</param>
    /// <param name="clock">Its clock and its reset.</param>
    /// <returns>Null where the text has no such module.</returns>
    /// <exception cref="ArgumentException">The width of a port is computed.</exception>
    public static Design? Read(string text, string module, ClockPorts clock)
    {
        ArgumentNullException.ThrowIfNull(text);
        ArgumentNullException.ThrowIfNull(clock);
        if (VerilogHeader.Of(text, module) is not { } header) return null;
        var design = new Design(module) { Clock = clock, Source = text };
        foreach (var (direction, computed, name) in header.Ports)
        {
            if (name == clock.Clock || name == clock.Reset) continue;
            var width = computed
                ?? throw new ArgumentException(
                    $"the width of port {name} of {module} is no plain number", nameof(text));
            if (direction == "input") design.Inputs.Add(new InputPort(name, width));
            else design.Outputs.Add(new OutputPort(name, [new Constant(width, 0)]));
        }
        return design;
    }
}
