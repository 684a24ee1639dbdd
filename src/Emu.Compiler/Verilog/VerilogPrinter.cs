using Emu.Compiler.Rtl;

namespace Emu.Compiler.Verilog;

/// <summary>
/// Prints a design as one module in one file, in the part of Verilog-2005 that Vivado, Yosys, Verilator <c>-Wall</c>
/// and Icarus <c>-Wall</c> take without a warning. The same design gives the same bytes; wires that the printer adds
/// are named after what they are used for.
/// </summary>
public static class VerilogPrinter
{
    /// <summary>The file.</summary>
    /// <param name="design">Every flop, RAM, wire and read port that is used is in a section.</param>
    /// <returns>
    /// Lines that end in a line feed. A name that is a reserved word of Verilog or SystemVerilog has a
    /// trailing underscore.
    /// </returns>
    /// <exception cref="InvalidOperationException">The design is not as it must be: something used is in no section, or
    /// depends on itself in the same cycle.</exception>
    public static string Print(Design design) => Print(design, hasModels: false);

    /// <summary>
    /// The file for a simulation: as that for synthesis, but that what stands at pins of modules is inside, and the
    /// pins are wires.
    /// </summary>
    /// <param name="design">As for <see cref="Print(Design)"/>.</param>
    public static string PrintForSimulation(Design design) => Print(design, hasModels: true);

    private static string Print(Design design, bool hasModels)
    {
        ArgumentNullException.ThrowIfNull(design);
        if (design.Source is { } source) return source;
        var names = new VerilogNames();
        names.Take(design.Clock.Clock);
        names.Take(design.Clock.Reset);
        var scope = new VerilogScope(design, names);
        var (counting, comparing) = (new CountingFunctions(names), new ComparingFunctions(names));
        var wiring = new WiringFunctions(names);
        var section = new VerilogSection(scope, new LoweredDesign(design), counting, comparing, wiring);

        List<string> parts =
        [
            .. design.Sections.Select(section.Print).Where(text => text.Length > 0),
            section.Print(design.Outputs, design.Sections.Count),
        ];
        if (VerilogDisplays.Print(design, scope, section, names) is { Length: > 0 } displays) parts.Add(displays);
        foreach (var declarations in new[] { wiring.Declarations, comparing.Declarations(), counting.Declarations() })
            if (declarations.Length > 0) parts.Insert(0, declarations);
        if (design.Parameters.Count > 0) parts.Insert(0, Numbers(design, scope));
        if (hasModels && PinModels.Print(design, scope) is { Length: > 0 } models) parts.Insert(0, models);
        if (ClockAndReset(design, section) is { Length: > 0 } clock) parts.Insert(0, clock);
        if (Memories(design, scope) is { Length: > 0 } memories) parts.Add(memories);
        if (Unused(design, section, scope) is { Length: > 0 } unused) parts.Add(unused);

        var texts = design.Cores.Select(core => core.Core.Text);
        if (hasModels) texts = texts.Concat(design.Cores.Select(core => core.Core.Model?.Text).OfType<string>());
        var modules = texts.Distinct().Select(text =>
            $"/* verilator lint_off DECLFILENAME */\n{text.TrimEnd()}\n/* verilator lint_on DECLFILENAME */\n\n");
        return $"{Head(design)}{Ports(design, scope, hasModels)}\n{string.Join('\n', parts)}\nendmodule\n\n"
            + $"{string.Concat(modules)}`default_nettype wire\n";
    }

    /// <summary>The name of the module that <see cref="Print(Design)"/> gives.</summary>
    public static string ModuleName(Design design)
    {
        ArgumentNullException.ThrowIfNull(design);
        return VerilogNames.Legal(design.Name);
    }

    /// <summary>The name that a port of the design has in the module.</summary>
    public static string PortName(string port) => VerilogNames.Legal(port);

    private static string Head(Design design) =>
        "// Language: Verilog 2005\n\n`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n\n"
        + (design.Description.Count > 0 ? VerilogLayout.Banner(design.Description) : "");

    private static string Ports(Design design, VerilogScope scope, bool hasModels)
    {
        var pins = hasModels
            ? []
            : design.Cores.SelectMany(core => core.Core.Pins.Zip(scope.PinsOf(core))).ToList();
        List<(int Width, string Name)> inputs =
        [
            .. design.Inputs.Select(i => (i.Width, scope.Input(i).Name)),
            .. pins.Where(pin => pin.First.IsInput).Select(pin => (pin.First.Width, pin.Second)),
        ];
        List<(int Width, string Name)> outputs =
        [
            .. design.Outputs.Select((o, i) => (o.Width, scope.Outputs[i])),
            .. pins.Where(pin => !pin.First.IsInput).Select(pin => (pin.First.Width, pin.Second)),
        ];
        var column = inputs.Concat(outputs).Select(p => VerilogLayout.Range(p.Width).Length).DefaultIfEmpty().Max();
        string Lines(string direction, IEnumerable<(int Width, string Name)> ports) =>
            string.Join(
                ",\n",
                ports.Select(p =>
                    $"    {direction} wire "
                    + $"{VerilogLayout.Range(p.Width).PadRight(column)}{(column > 0 ? " " : "")}{p.Name}"));

        string[] groups =
        [
            Lines("input ", [(1, design.Clock.Clock), (1, design.Clock.Reset)]),
            Lines("input ", inputs),
            Lines("output", outputs),
        ];
        var parameters = design.Parameters.Zip(scope.Parameters, (parameter, name) =>
            $"    parameter {Ranged(parameter.Width)}{name} = {parameter.Width}'d{parameter.Default}").ToList();
        return $"module {VerilogNames.Legal(design.Name)}\n"
            + (parameters.Count > 0 ? $"#(\n{string.Join(",\n", parameters)}\n)\n(\n" : "(\n")
            + $"{string.Join(",\n\n", groups.Where(g => g.Length > 0))}\n);\n";
    }

    /// <summary>The range of a vector with a blank behind it; empty for one bit.</summary>
    internal static string Ranged(int width) => width == 1 ? "" : $"{VerilogLayout.Range(width)} ";

    /// <summary>The numbers of parameters as vectors, of which bits can be taken.</summary>
    private static string Numbers(Design design, VerilogScope scope) => string.Concat(
        design.Parameters.Zip(scope.Parameters, (parameter, name) =>
            $"wire {Ranged(parameter.Width)}{scope.Input(parameter).Name} = {name};\n"));

    // Inside a module its clock is clk, and its reset, rst, is active high.
    private static string ClockAndReset(Design design, VerilogSection printed)
    {
        var (clock, reset, isHigh) = design.Clock;
        return (printed.HasEdge && clock != "clk" ? $"wire clk = {clock};\n" : "")
            + (printed.HasReset && (reset != "rst" || !isHigh) ? $"wire rst = {(isHigh ? "" : "!")}{reset};\n" : "");
    }

    /// <summary>The contents of memories at power-up.</summary>
    private static string Memories(Design design, VerilogScope scope)
    {
        var rams = design.Rams.Select(ram => (Ram: ram, Name: scope.NameOf(ram))).ToList();
        var roms = VerilogRam.Roms(rams.Where(r => r.Ram.Write is null));
        // A RAM that is written is set by a walk after reset, or before it is read.
        // Synthesis would take a minute for the words of a large table.
        var written = VerilogRam.Rams(rams.Where(r => r.Ram.Write is not null));
        if (written.Length > 0) written = $"`ifndef SYNTHESIS\n{written}`endif\n";
        return roms + written is { Length: > 0 } text ? VerilogLayout.Banner(["Memories at power-up"]) + text : "";
    }

    // Signals that nothing reads are named as unused, so that lint reports only other problems.
    private static string Unused(Design design, VerilogSection printed, VerilogScope scope)
    {
        List<string> unread = ["1'b0"];
        if (!printed.HasEdge) unread.Add(design.Clock.Clock);
        if (!printed.HasReset) unread.Add(design.Clock.Reset);
        unread.AddRange(scope.Unread);
        if (unread.Count == 1) return "";
        var list = new VerilogText(Precedence.Primary, $"{{{string.Join(",\n", unread)}}}");
        return VerilogLayout.Banner(["Bits that nothing reads"])
            + VerilogLayout.Statement("", "wire unused = &", list).Replace("& {", "&{");
    }
}
