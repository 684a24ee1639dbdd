using System.Text;
using Emu.Compiler;

namespace Emu.Simulation;

/// <summary>The module around a design whose ports are whole words, and the program that reads stimuli from standard input and writes responses to standard output.</summary>
internal static class VerilatorBench
{
    /// <summary>The name of the module.</summary>
    public const string Name = "emu_bench";

    /// <summary>The name of the program, and of the class of the module.</summary>
    public const string Program = "Vbench";

    /// <summary>The module.</summary>
    public static string Module(Design design)
    {
        var (inputs, outputs) = (Inputs(design), Outputs(design));
        var text = new StringBuilder($"`timescale 1ns / 1ps\n\nmodule {Name} (\n    input wire clk");
        for (var i = 0; i < inputs.Count; i++) text.Append($",\n    input wire {Padded(inputs[i].Width)} stimulus_{i}");
        for (var i = 0; i < outputs.Count; i++) text.Append($",\n    output wire {Padded(outputs[i].Width)} response_{i}");
        text.Append($"\n);\n    {VerilogPrinter.ModuleName(design)} dut (\n        .axis_aclk(clk)");
        for (var i = 0; i < inputs.Count; i++) text.Append($",\n        .{inputs[i].Port}(stimulus_{i}[{inputs[i].Width - 1}:0])");
        for (var i = 0; i < outputs.Count; i++) text.Append($",\n        .{outputs[i].Port}(response_{i}[{outputs[i].Width - 1}:0])");
        text.Append("\n    );\n");
        for (var i = 0; i < outputs.Count; i++)
        {
            var (width, padded) = (outputs[i].Width, 64 * BenchWords.Words(outputs[i].Width));
            if (width < padded) text.Append($"    assign response_{i}[{padded - 1}:{width}] = {padded - width}'d0;\n");
        }
        return text.Append("endmodule\n").ToString();
    }

    /// <summary>The program.</summary>
    public static string Main(Design design, bool isTraced) => (isTraced ? "#define TRACED 1\n" : "#define TRACED 0\n") + $$"""
        #include <cstddef>
        #include <cstdint>
        #include <cstdlib>
        #include <cstring>
        #include <sys/resource.h>
        #include <unistd.h>
        #include "Vbench.h"
        #include "verilated.h"
        #if TRACED
        #include "verilated_vcd_c.h"
        #endif

        static bool take(char* bytes, size_t count)
        {
            while (count > 0) {
                ssize_t got = read(0, bytes, count);
                if (got <= 0) return false;
                bytes += got;
                count -= got;
            }
            return true;
        }

        static bool give(const char* bytes, size_t count)
        {
            while (count > 0) {
                ssize_t given = write(1, bytes, count);
                if (given <= 0) return false;
                bytes += given;
                count -= given;
            }
            return true;
        }

        static void drive(Vbench& bench, const char* stimulus)
        {
        {{Copies(Inputs(design), "stimulus", isFromPort: false)}}}

        static void show(Vbench& bench, char* response)
        {
        {{Copies(Outputs(design), "response", isFromPort: true)}}}

        // What Verilator makes of a large design, not optimised, needs more stack than the usual 8 MB: the program starts itself anew with more.
        static void want_stack(char** argv)
        {
            const rlim_t wanted = 512UL << 20;
            rlimit limit;
            if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= wanted) return;
            limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
            if (getenv("EMU_STACK") != nullptr || setenv("EMU_STACK", "1", 1) != 0 || setrlimit(RLIMIT_STACK, &limit) != 0) return;
            execv("/proc/self/exe", argv);
        }

        int main(int argc, char** argv)
        {
            want_stack(argv);
            VerilatedContext context;
            context.traceEverOn(TRACED);
            Vbench bench(&context);
            uint64_t now = 0;
            static char stimulus[{{8 * BenchWords.StimulusWords(design)}}];
            static char response[{{8 * BenchWords.ResponseWords(design)}}];

        #if TRACED
            VerilatedVcdC trace;
            bench.trace(&trace, 99);
            trace.open(argv[1]);
        #endif
            bench.eval();
            show(bench, response);
            while (give(response, sizeof response) && take(stimulus, sizeof stimulus)) {
                drive(bench, stimulus);
                bench.clk = 0;
                bench.eval();
        #if TRACED
                trace.dump(now);
        #endif
                now += 5000;
                bench.clk = 1;
                bench.eval();
        #if TRACED
                trace.dump(now);
        #endif
                now += 5000;
                show(bench, response);
            }
        #if TRACED
            trace.close();
        #endif
            bench.final();
            return 0;
        }

        """;

    private static List<(string Port, int Width)> Inputs(Design design) =>
        [("axis_resetn", 1), .. design.Inputs.Select(i => (VerilogPrinter.PortName(i.Name), i.Width))];

    private static List<(string Port, int Width)> Outputs(Design design) =>
        [.. design.Outputs.Select(o => (VerilogPrinter.PortName(o.Name), o.Width))];

    private static string Copies(List<(string Port, int Width)> ports, string direction, bool isFromPort)
    {
        var text = new StringBuilder();
        var word = 0;
        for (var i = 0; i < ports.Count; i++)
        {
            var (port, bytes, size) = ($"&bench.{direction}_{i}", $"{direction} + {8 * word}", $"sizeof bench.{direction}_{i}");
            text.Append(isFromPort ? $"    std::memcpy({bytes}, {port}, {size});\n" : $"    std::memcpy({port}, {bytes}, {size});\n");
            word += BenchWords.Words(ports[i].Width);
        }
        return text.ToString();
    }

    private static string Padded(int width) => $"[{64 * BenchWords.Words(width) - 1}:0]";
}
