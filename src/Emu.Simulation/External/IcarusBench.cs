using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation;

/// <summary>
/// The module around a design that reads each stimulus from standard input and writes each response to standard
/// output, in hexadecimal.
/// </summary>
internal static class IcarusBench
{
    /// <summary>The name of the module.</summary>
    public const string Name = "emu_bench";

    /// <summary>The line before the first response: what the program says on its own account comes before it.</summary>
    public const string Ready = "emu_bench is ready";

    /// <summary>The character before a response, in octal: what comes before it was printed by the design.</summary>
    public const string Mark = "001";

    /// <summary>The module.</summary>
    public static string Print(Design design) => $$$"""
        `timescale 1ns / 1ps

        module {{{Name}}};
            reg clk = 1'b0;
            reg [{{{64 * BenchWords.StimulusWords(design) - 1}}}:0] stimulus = 0;
        {{{Declarations(design)}}}    reg [8*4096-1:0] vcd;
            integer got;

            {{{VerilogPrinter.ModuleName(design)}}} {{{BenchWords.Parameters(design)}}}dut (
        {{{Connections(design)}}}
            );

            initial begin
                if ($value$plusargs("vcd=%s", vcd)) begin
                    $dumpfile(vcd);
                    $dumpvars(0, dut);
                end
                #0 $display("{{{Ready}}}");
                {{{Display(design)}}}
                $fflush;
                got = $fscanf(32'h8000_0000, "%h", stimulus);
                while (got == 1) begin
                    #5 clk = 1'b1;
                    #5 clk = 1'b0;
                    {{{Display(design)}}}
                    $fflush;
                    got = $fscanf(32'h8000_0000, "%h", stimulus);
                end
                $finish;
            end
        endmodule

        """;

    private static string Connections(Design design)
    {
        List<string> lines = [$".{design.Clock.Clock}(clk)", $".{design.Clock.Reset}(stimulus[0])"];
        var word = 1;
        foreach (var input in design.Inputs)
        {
            lines.Add($".{VerilogPrinter.PortName(input.Name)}(stimulus[{64 * word} +: {input.Width}])");
            word += BenchWords.Words(input.Width);
        }
        lines.AddRange(design.Outputs.Select((o, i) => $".{VerilogPrinter.PortName(o.Name)}(response_{i})"));
        return "        " + string.Join(",\n        ", lines);
    }

    private static string Declarations(Design design) =>
        string.Concat(design.Outputs.Select((o, i) => $"    wire [{o.Width - 1}:0] response_{i};\n"));

    private static string Display(Design design) => design.Outputs.Count == 0
        ? $"$display(\"\\{Mark}\");"
        : $"$display(\"\\{Mark}%h\", {{{Response(design)}}});";

    // The highest first, each with zeros above it. One vector that all outputs drive would be copied whole
    // at each change of any.
    private static string Response(Design design) => string.Join(", ", design.Outputs.Select((o, i) =>
    {
        var missing = 64 * BenchWords.Words(o.Width) - o.Width;
        return missing > 0 ? $"{missing}'d0, response_{i}" : $"response_{i}";
    }).Reverse());
}
