using Emu.Samples.Clocked;

namespace Emu.Clocked.Tests;

/// <summary>The samples are the same on every rung, and do what they say.</summary>
public sealed class SampleTests
{
    private static readonly string s_assembly = typeof(SpiReader).Assembly.Location;

    public static TheoryData<string> All => [.. ClockedProgram.ClassesOf(s_assembly)];

    [Theory]
    [MemberData(nameof(All))]
    public void A_sample_is_the_same_on_every_rung(string sample) =>
        Trace.Check(ClockedProgram.Load(s_assembly, sample), 1000);

    [Fact]
    public void The_divider_divides()
    {
        var trace = Trace.OfDotNet(
            ClockedProgram.Load(s_assembly, nameof(Divider)), 100,
            (cycle, port) => port.Name switch
            {
                "dividend" => 1_000_003,
                "divisor" => 1009,
                _ => cycle == 3 ? 1UL : 0,
            });
        Assert.Equal(
            (1UL, 1_000_003UL / 1009, 1_000_003UL % 1009),
            (trace.Outputs[^1]["done"], trace.Outputs[^1]["quotient"], trace.Outputs[^1]["remainder"]));
    }

    /// <summary>A memory on the other side of the wires: it answers the byte that belongs to the address.</summary>
    [Fact]
    public void The_reader_reads_what_a_serial_memory_answers()
    {
        var (isHigh, bits, word) = (false, 0, 0u);
        var (answer, data, isDone) = (0u, 0UL, false);
        new ClockedRun(ClockedProgram.Load(s_assembly, nameof(SpiReader))).Run(run =>
        {
            if (run.Get("sclk") != 0 && !isHigh)
            {
                word = word << 1 | (uint)run.Get("mosi");
                if (++bits == 32) answer = (word & 0xFF) ^ 0x5A;
            }
            isHigh = run.Get("sclk") != 0;
            run.Set("miso", bits > 32 ? answer >> (40 - bits) & 1 : 0);
            run.Set("start", run.Cycle == 2 ? 1UL : 0);
            run.Set("address", 0x123456);
            (data, isDone) = (run.Get("data"), run.Get("done") != 0);
            return !isDone && run.Cycle < 200;
        });
        Assert.True(isDone);
        Assert.Equal(0x56UL ^ 0x5A, data);
    }
}
