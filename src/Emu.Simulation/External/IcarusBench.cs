using System.Text;
using Emu.Compiler;

namespace Emu.Simulation;

/// <summary>The module around a design that reads each stimulus from standard input and writes each response to standard output, in hexadecimal.</summary>
internal static class IcarusBench
{
    /// <summary>The name of the module.</summary>
    public const string Name = "emu_bench";

    /// <summary>The module.</summary>
    public static string Print(Design design) => $$"""
        `timescale 1ns / 1ps

        module {{Name}};
            reg clk = 1'b0;
            reg [{{64 * BenchWords.StimulusWords(design) - 1}}:0] stimulus = 0;
            wire [{{64 * BenchWords.ResponseWords(design) - 1}}:0] response;
            reg [8*4096-1:0] vcd;
            integer got;

            {{VerilogPrinter.ModuleName(design)}} dut (
        {{Connections(design)}}
            );

        {{Padding(design)}}
            initial begin
                if ($value$plusargs("vcd=%s", vcd)) begin
                    $dumpfile(vcd);
                    $dumpvars(0, dut);
                end
                #0 $display("%h", response);
                $fflush;
                got = $fscanf(32'h8000_0000, "%h", stimulus);
                while (got == 1) begin
                    #5 clk = 1'b1;
                    #5 clk = 1'b0;
                    $display("%h", response);
                    $fflush;
                    got = $fscanf(32'h8000_0000, "%h", stimulus);
                end
                $finish;
            end
        endmodule

        """;

    private static string Connections(Design design)
    {
        List<string> lines = [".axis_aclk(clk)", ".axis_resetn(stimulus[0])"];
        var word = 1;
        foreach (var input in design.Inputs)
        {
            lines.Add($".{VerilogPrinter.PortName(input.Name)}(stimulus[{64 * word} +: {input.Width}])");
            word += BenchWords.Words(input.Width);
        }
        word = 0;
        foreach (var output in design.Outputs)
        {
            lines.Add($".{VerilogPrinter.PortName(output.Name)}(response[{64 * word} +: {output.Width}])");
            word += BenchWords.Words(output.Width);
        }
        return "        " + string.Join(",\n        ", lines);
    }

    // Zeros for the bits of the response above each port.
    private static string Padding(Design design)
    {
        var text = new StringBuilder();
        var word = 0;
        foreach (var output in design.Outputs)
        {
            var missing = 64 * BenchWords.Words(output.Width) - output.Width;
            if (missing > 0) text.Append($"    assign response[{64 * word + output.Width} +: {missing}] = {missing}'d0;\n");
            word += BenchWords.Words(output.Width);
        }
        return text.ToString();
    }
}
