using System.Text;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Simulation;

/// <summary>
/// The module around designs, whose ports are whole words, and the program that drives one of them from
/// its standard input.
/// </summary>
internal static class VerilatorBench
{
    /// <summary>The name of the module.</summary>
    public const string Name = "emu_bench";

    /// <summary>The name of the program, and of the class of the module.</summary>
    public const string Program = "Vbench";

    /// <summary>The module: each design has a clock and ports of its own.</summary>
    public static string Module(IReadOnlyList<Design> designs)
    {
        var ports = designs.SelectMany((design, d) =>
            Inputs(design).Select((port, i) => $"    input wire {Padded(port.Width)} {Stimulus(d, i)}")
                .Concat(Outputs(design).Select((port, i) => $"    output wire {Padded(port.Width)} {Response(d, i)}"))
                .Prepend($"    input wire {Clock(d)}"));
        return $"`timescale 1ns / 1ps\n\nmodule {Name} (\n{string.Join(",\n", ports)}\n);\n"
            + $"{string.Concat(designs.Select(Instance))}endmodule\n";
    }

    /// <summary>The headers that the program needs of the system and of Verilator's runtime.</summary>
    public static string Includes(bool isTraced) =>
        $"""
        #include <cstddef>
        #include <cstdint>
        #include <cstdlib>
        #include <cstring>
        #include <sys/resource.h>
        #include <cstdio>
        #include <sys/mman.h>
        #include <unistd.h>
        #include "verilated.h"
        {(isTraced ? "#include \"verilated_vcd_c.h\"" : "")}

        """;

    /// <summary>The program.</summary>
    public static string Main(IReadOnlyList<Design> designs, bool isTraced) =>
        (isTraced ? "#define TRACED 1\n" : "#define TRACED 0\n") + Includes(isTraced) + $$"""
        #include "Vbench.h"

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

        static int answers = 1;

        static bool give(const char* bytes, size_t count)
        {
            while (count > 0) {
                ssize_t given = write(answers, bytes, count);
                if (given <= 0) return false;
                bytes += given;
                count -= given;
            }
            return true;
        }

        // What designs print goes to memory, and from there before the next answer, with its length.
        static bool catch_printed()
        {
            answers = dup(1);
            int memory = memfd_create("printed", 0);
            return answers >= 0 && memory >= 0 && dup2(memory, 1) == 1;
        }

        static bool give_printed()
        {
            static char text[1 << 16];
            fflush(stdout);
            uint64_t length = lseek(1, 0, SEEK_CUR);
            if (!give((const char*)&length, sizeof length)) return false;
            if (length == 0) return true;
            lseek(1, 0, SEEK_SET);
            for (uint64_t left = length; left > 0;) {
                ssize_t got = read(1, text, left < sizeof text ? left : sizeof text);
                if (got <= 0 || !give(text, got)) return false;
                left -= got;
            }
            return ftruncate(1, 0) == 0 && lseek(1, 0, SEEK_SET) == 0;
        }

        {{string.Concat(designs.Select(Access))}}
        struct Access {
            size_t stimulus_bytes;
            size_t response_bytes;
            bool prints;
            void (*drive)(Vbench&, const char*);
            void (*show)(Vbench&, char*);
            void (*set_clock)(Vbench&, bool);
        };

        static const Access designs[] = {
        {{string.Concat(designs.Select(Entry))}}};

        // The code for a large design, not optimised, needs more stack than the usual 8 MB:
        // the program starts itself anew with more.
        static void want_stack(char** argv)
        {
            const rlim_t wanted = 512UL << 20;
            rlimit limit;
            if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= wanted) return;
            limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
            if (getenv("EMU_STACK") != nullptr || setenv("EMU_STACK", "1", 1) != 0) return;
            if (setrlimit(RLIMIT_STACK, &limit) != 0) return;
            execv("/proc/self/exe", argv);
        }

        int main(int argc, char** argv)
        {
            want_stack(argv);
            VerilatedContext context;
            context.traceEverOn(TRACED);
            Vbench bench(&context);
            uint64_t now = 0;
            const Access& design = designs[atoi(argv[1])];
            static char stimulus[{{8 * designs.Max(BenchWords.StimulusWords)}}];
            static char response[{{Math.Max(1, 8 * designs.Max(BenchWords.ResponseWords))}}];

        #if TRACED
            VerilatedVcdC trace;
            bench.trace(&trace, 99);
            trace.open(argv[2]);
        #endif
            if (design.prints && !catch_printed()) return 1;
            bench.eval();
            design.show(bench, response);
            while ((!design.prints || give_printed()) && give(response, design.response_bytes)
                && take(stimulus, design.stimulus_bytes)) {
                design.drive(bench, stimulus);
                design.set_clock(bench, false);
                bench.eval();
        #if TRACED
                trace.dump(now);
        #endif
                now += 5000;
                design.set_clock(bench, true);
                bench.eval();
        #if TRACED
                trace.dump(now);
        #endif
                now += 5000;
                design.show(bench, response);
            }
        #if TRACED
            trace.close();
        #endif
            bench.final();
            return 0;
        }

        """;

    private static string Instance(Design design, int d)
    {
        var (inputs, outputs) = (Inputs(design), Outputs(design));
        var text = new StringBuilder(
            $"    {VerilogPrinter.ModuleName(design)} {BenchWords.Parameters(design)}dut_{d} (\n"
            + $"        .{design.Clock.Clock}({Clock(d)})");
        for (var i = 0; i < inputs.Count; i++)
            text.Append($",\n        .{inputs[i].Port}({Stimulus(d, i)}[{inputs[i].Width - 1}:0])");
        for (var i = 0; i < outputs.Count; i++)
            text.Append($",\n        .{outputs[i].Port}({Response(d, i)}[{outputs[i].Width - 1}:0])");
        text.Append("\n    );\n");
        for (var i = 0; i < outputs.Count; i++)
        {
            var (width, padded) = (outputs[i].Width, 64 * BenchWords.Words(outputs[i].Width));
            if (width < padded)
                text.Append($"    assign {Response(d, i)}[{padded - 1}:{width}] = {padded - width}'d0;\n");
        }
        return text.ToString();
    }

    private static string Access(Design design, int d) => $$"""
        static void drive_{{d}}(Vbench& bench, const char* stimulus)
        {
        {{Copies(Inputs(design), i => Stimulus(d, i), "stimulus", isFromPort: false)}}}

        static void show_{{d}}(Vbench& bench, char* response)
        {
        {{Copies(Outputs(design), i => Response(d, i), "response", isFromPort: true)}}}

        static void set_clock_{{d}}(Vbench& bench, bool isHigh)
        {
            bench.{{Clock(d)}} = isHigh;
        }


        """;

    private static string Entry(Design design, int d) =>
        $"    {{{8 * BenchWords.StimulusWords(design)}, {8 * BenchWords.ResponseWords(design)}, "
        + $"{(Prints(design) ? "true" : "false")}, drive_{d}, "
        + $"show_{d}, set_clock_{d}}},\n";

    /// <summary>True if a design prints text, which then comes before each response.</summary>
    public static bool Prints(Design design) => design.InitialText.Length > 0 || design.Displays.Count > 0;

    private static string Clock(int design) => $"clk_{design}";

    private static string Stimulus(int design, int port) => $"stimulus_{design}_{port}";

    private static string Response(int design, int port) => $"response_{design}_{port}";

    private static List<(string Port, int Width)> Inputs(Design design) =>
        [(design.Clock.Reset, 1), .. design.Inputs.Select(i => (VerilogPrinter.PortName(i.Name), i.Width))];

    private static List<(string Port, int Width)> Outputs(Design design) =>
        [.. design.Outputs.Select(o => (VerilogPrinter.PortName(o.Name), o.Width))];

    private static string Copies(
        List<(string Port, int Width)> ports, Func<int, string> name, string words, bool isFromPort)
    {
        var text = new StringBuilder();
        var word = 0;
        for (var i = 0; i < ports.Count; i++)
        {
            var (port, bytes, size) = ($"&bench.{name(i)}", $"{words} + {8 * word}", $"sizeof bench.{name(i)}");
            text.Append(isFromPort
                ? $"    std::memcpy({bytes}, {port}, {size});\n"
                : $"    std::memcpy({port}, {bytes}, {size});\n");
            word += BenchWords.Words(ports[i].Width);
        }
        return text.ToString();
    }

    private static string Padded(int width) => $"[{64 * BenchWords.Words(width) - 1}:0]";
}
