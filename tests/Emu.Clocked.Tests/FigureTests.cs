using System.Text;
using Emu.Compiler.Clocked;

namespace Emu.Clocked.Tests;

/// <summary>
/// The figures that docs/clock-level.md names, of a program of 400 lines, in seconds of processor time: no other test
/// of the process runs beside these, and no other process counts.
/// </summary>
[Collection(nameof(FigureTests))]
[CollectionDefinition(nameof(FigureTests), DisableParallelization = true)]
public sealed class FigureTests
{
    private const int Cycles = 400_000, CyclesASecond = 200_000, Seconds = 5;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(4)]
    public void DotNet_runs_200000_cycles_a_second(int threads)
    {
        var run = new ClockedRun(Source.Program(Large(threads)));
        var start = Environment.CpuUsage.TotalTime;
        run.Run(r =>
        {
            r.Set("word", (ulong)r.Cycle & 0xFFFF_FFFF);
            return r.Cycle < Cycles;
        });
        var rate = Cycles / (Environment.CpuUsage.TotalTime - start).TotalSeconds;
        Assert.True(rate > CyclesASecond, $"{rate:F0} cycles a second");
        TestContext.Current.TestOutputHelper?.WriteLine($"{rate:F0} cycles a second");
    }

    [Fact]
    public void It_compiles_in_5_seconds()
    {
        var program = Source.Program(Large(threads: 1));
        var start = Environment.CpuUsage.TotalTime;
        Assert.NotEmpty(ClockedCompiler.Compile(program).Verilog);
        var elapsed = (Environment.CpuUsage.TotalTime - start).TotalSeconds;
        Assert.True(elapsed < Seconds, $"{elapsed:F1} s");
        TestContext.Current.TestOutputHelper?.WriteLine($"{elapsed:F1} s");
    }

    /// <summary>State machines of 90 pauses together, as services of the clock level have.</summary>
    private static string Large(int threads)
    {
        var text = new StringBuilder("""
            [Kiwi.InputWordPort("word")] static uint word;
            static ulong[] buffer = new ulong[512];

            """);
        for (var thread = threads - 1; thread >= 0; thread--) Append(text, thread, threads);
        return text.ToString();
    }

    private static void Append(StringBuilder text, int thread, int threads)
    {
        text.Append($"[Kiwi.OutputWordPort(\"sum{thread}\")] static uint sum{thread};\n");
        text.Append(thread == 0 ? "[Kiwi.HardwareEntryPoint]\npublic static void Main()\n{\n" : "");
        text.Append(thread == 0 ? "" : $"static void Thread{thread}()\n{{\n");
        for (var other = 1; thread == 0 && other < threads; other++)
            text.Append($"new Thread(Thread{other}).Start();\n");
        text.Append("while (true)\n{\n");
        for (var i = 0; i < 90 / threads; i++)
        {
            var write = thread == 0 ? $"buffer[w{i} & 511] = sum{thread}" : $"sum{thread} ^= (uint)buffer[w{i} & 511]";
            text.Append($$"""
                Kiwi.Pause();
                uint w{{i}} = word + {{i}}u;
                if ((w{{i}} & {{1 << i % 5}}u) != 0) sum{{thread}} += w{{i}};
                else {{write}};

                """);
        }
        text.Append("}}\n");
    }
}
