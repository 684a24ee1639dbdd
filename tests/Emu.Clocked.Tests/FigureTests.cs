using System.Diagnostics;
using System.Text;
using Emu.Compiler.Clocked;

namespace Emu.Clocked.Tests;

/// <summary>The figures that docs/clock-level.md names, of a program of 400 lines.</summary>
public sealed class FigureTests
{
    private const int Cycles = 400_000, CyclesASecond = 200_000, Seconds = 5;

    [Fact]
    public void DotNet_runs_200000_cycles_a_second()
    {
        var run = new ClockedRun(Source.Program(Large()));
        var clock = Stopwatch.StartNew();
        run.Run(r =>
        {
            r.Set("word", (ulong)r.Cycle & 0xFFFF_FFFF);
            return r.Cycle < Cycles;
        });
        Assert.True(
            clock.Elapsed.TotalSeconds < (double)Cycles / CyclesASecond,
            $"{Cycles / clock.Elapsed.TotalSeconds:F0} cycles a second");
        TestContext.Current.TestOutputHelper?.WriteLine($"{Cycles / clock.Elapsed.TotalSeconds:F0} cycles a second");
    }

    [Fact]
    public void It_compiles_in_5_seconds()
    {
        var program = Source.Program(Large());
        var clock = Stopwatch.StartNew();
        Assert.NotEmpty(ClockedCompiler.Compile(program).Verilog);
        Assert.True(clock.Elapsed.TotalSeconds < Seconds, $"{clock.Elapsed.TotalSeconds:F1} s");
        TestContext.Current.TestOutputHelper?.WriteLine($"{clock.Elapsed.TotalSeconds:F1} s");
    }

    /// <summary>A state machine of 90 pauses, as services of the clock level have.</summary>
    private static string Large()
    {
        var text = new StringBuilder("""
            [Kiwi.InputWordPort("word")] static uint word;
            [Kiwi.OutputWordPort("sum")] static uint sum;
            static ulong[] buffer = new ulong[512];

            [Kiwi.HardwareEntryPoint]
            public static void Main()
            {
                while (true)
                {

            """);
        for (var i = 0; i < 90; i++)
        {
            text.Append($$"""
                Kiwi.Pause();
                uint w{{i}} = word + {{i}}u;
                if ((w{{i}} & {{1 << i % 5}}u) != 0) sum += w{{i}};
                else buffer[w{{i}} & 511] = sum;

                """);
        }
        return text.Append("}}").ToString();
    }
}
