using System.Globalization;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>
/// The work of the passes grows with a program about as it does: counted in blocks that they go over, since time says
/// more of the machine.
/// </summary>
public sealed class PassWorkTests
{
    private const int Ports = 4, Capacity = 1518;

    /// <summary>Of a program four times as large; the work is linear at 4 and quadratic at 16.</summary>
    private const double MostGrowth = 6;

    /// <summary>The uses behind a loop are sought in the whole function for each that is written out.</summary>
    private const double MostGrowthOfLoops = 8;

    /// <summary>Each chain has a copy of the tests of those behind it, until these are removed.</summary>
    private const double MostGrowthOfChains = 20;

    [Fact]
    public void Of_loops_side_by_side()
    {
        static long Work(int loops)
        {
            var process = Reader.Read(Loops(loops)).Functions[0];
            var compilation = new Compilation(
                new StateMap(new Filter()), process, null, 0, null, Ports, Capacity);
            compilation.Optimise();
            return process.Visits;
        }
        Assert.InRange(Work(64) / (double)Work(16), 1, MostGrowthOfLoops);
    }

    [Fact]
    public void Of_rules_of_a_filter()
    {
        static long Work(int rules)
        {
            string[] all =
            [
                "-P FORWARD DROP",
                .. Enumerable.Range(0, rules).Select(i => $"-A FORWARD -p udp --dport {1000 + 3 * i} -j ACCEPT"),
            ];
            var compilation = HardwareCompiler.Translate(new Filter(rule: all), Ports, Capacity);
            compilation.Optimise();
            return compilation.Process.Visits;
        }
        Assert.InRange(Work(32) / (double)Work(8), 1, MostGrowth);
    }

    /// <summary>
    /// Each loop is deferred with a copy of those behind it, of which a frame that came to it enters none.
    /// </summary>
    [Fact]
    public void Of_chains_of_headers_of_which_a_frame_has_one()
    {
        static long Work(int chains)
        {
            var process = Reader.Read(Chains(chains)).Functions[0];
            var compilation = new Compilation(
                new StateMap(new Filter()), process, null, 0, null, Ports, Capacity);
            compilation.Optimise();
            compilation.Split();
            return process.Visits;
        }
        Assert.InRange(Work(16) / (double)Work(4), 1, MostGrowthOfChains);
    }

    /// <summary>
    /// Chains of headers, one behind the other, and for each another number of a byte that leads to it.
    /// </summary>
    private static string Chains(int count)
    {
        string Chain(int i) => string.Create(
            CultureInfo.InvariantCulture,
            $"""
            b{3 * i + 1}:  from {(i == 0 ? "b0" : $"b{3 * i - 2}, b{3 * i - 1}")}
                %{5 * i + 1}:1 = Equal %0, {i}:8
                branch %{5 * i + 1} ? b{3 * i + 2} : b{3 * i + 4}
            b{3 * i + 2}:  from b{3 * i + 1}, b{3 * i + 3}
                %{5 * i + 2}:32 = phi {15 + i}:32, %{5 * i + 5}
                %{5 * i + 3}:8 = FrameRead %{5 * i + 2}
                %{5 * i + 4}:1 = Equal %{5 * i + 3}, 129:8
                branch %{5 * i + 4} ? b{3 * i + 3} : b{3 * i + 4}
            b{3 * i + 3}:  from b{3 * i + 2}
                %{5 * i + 5}:32 = Add %{5 * i + 2}, 4:32
                jump b{3 * i + 2}

            """);
        var chains = string.Concat(Enumerable.Range(0, count).Select(Chain));
        return $"""
            function Process
            b0:
                %0:8 = FrameRead 14:32
                jump b1
            {chains}b{3 * count + 1}:  from b{3 * count - 2}, b{3 * count - 1}
                return frame 0:32, length 60:32, egress 1:64

            """;
    }

    /// <summary>Loops of three turns, one behind the other.</summary>
    private static string Loops(int count)
    {
        string Loop(int i) => string.Create(
            CultureInfo.InvariantCulture,
            $"""
            b{3 * i + 1}:  from b{(i == 0 ? 0 : 3 * i)}, b{3 * i + 2}
                %{3 * i}:32 = phi 0:32, %{3 * i + 2}
                %{3 * i + 1}:1 = LessUnsigned %{3 * i}, 3:32
                branch %{3 * i + 1} ? b{3 * i + 2} : b{3 * i + 3}
            b{3 * i + 2}:  from b{3 * i + 1}
                FrameWrite %{3 * i}, {i % 256}:8
                %{3 * i + 2}:32 = Add %{3 * i}, 1:32
                jump b{3 * i + 1}
            b{3 * i + 3}:  from b{3 * i + 1}
                {(i == count - 1 ? "return frame 0:32, length 60:32, egress 1:64" : $"jump b{3 * i + 4}")}

            """);
        return $"function Process\nb0:\n    jump b1\n{string.Concat(Enumerable.Range(0, count).Select(Loop))}";
    }
}
