namespace Emu.Simulation.Tests;

/// <summary>
/// Registers are read and written under every stall pattern, and each rule of their bus is seen when it is broken.
/// </summary>
public sealed class AxiLiteTests
{
    private static Bench BenchOf(RegisterMistake mistake, StallPattern pattern) =>
        new(new ManagedSimulator(RegisterDesign.Of(mistake)), sink: pattern);

    public static TheoryData<int> Patterns => [0, 1, 2, 3, 4];

    private static StallPattern Pattern(int i) =>
        new[]
        {
            StallPattern.None, StallPattern.Random(1, 0.5), StallPattern.Random(9, 0.9), StallPattern.Bursts(2, 5),
            StallPattern.OneIn(3),
        }[i];

    [Theory]
    [MemberData(nameof(Patterns))]
    public void Registers_hold_what_was_written(int pattern)
    {
        using var bench = BenchOf(RegisterMistake.None, Pattern(pattern));
        var expected = new uint[4];
        for (var i = 0U; i < 60; i++)
        {
            var (address, data, strobe) = ((int)(i * 7 % 4), (uint)SplitMix64.Draw(3, i), (int)(i * 5 % 16));
            Assert.Equal(AxiResponse.Okay, bench.Registers.Write(4 * address, data, strobe));
            for (var b = 0; b < 4; b++)
                if ((strobe >> b & 1) != 0)
                    expected[address] = expected[address] & ~(0xFFU << 8 * b) | data & 0xFFU << 8 * b;
            for (var r = 0; r < 4; r++) Assert.Equal((AxiResponse.Okay, expected[r]), bench.Registers.Read(4 * r));
        }
        Assert.Equal(AxiResponse.DecodeError, bench.Registers.Write(0x10, 1));
        Assert.Equal((AxiResponse.DecodeError, 0U), bench.Registers.Read(0xFFC));
    }

    [Theory]
    [InlineData(RegisterMistake.AnswersBeforeData, "bvalid is high though no write was taken as a whole")]
    [InlineData(RegisterMistake.AnswersUnread, "rvalid is high though no read was taken")]
    [InlineData(RegisterMistake.ReadValidFalls, "s_axi_rvalid fell before s_axi_rready came")]
    [InlineData(RegisterMistake.DataChanges, "rdata changed before s_axi_rready came")]
    [InlineData(RegisterMistake.ResponseChanges, "bresp changed before s_axi_bready came")]
    [InlineData(RegisterMistake.ExclusiveResponse, "bresp is EXOKAY")]
    [InlineData(RegisterMistake.ValidInReset, "s_axi_bvalid is high in reset")]
    public void A_broken_rule_is_found(RegisterMistake mistake, string message)
    {
        var exception = Assert.Throws<BusException>(() =>
        {
            using var bench = BenchOf(mistake, StallPattern.Random(9, 0.7));
            for (var i = 0; i < 20; i++)
            {
                bench.Registers.Write(0, 1);
                bench.Registers.Read(0);
            }
        });
        Assert.Contains(message, exception.Message);
    }

    [Fact]
    public void An_access_without_an_answer_ends()
    {
        using var bench = BenchOf(RegisterMistake.NoAnswer, StallPattern.None);
        bench.Registers.Limit = 20;
        var exception = Assert.Throws<TimeoutException>(() => bench.Registers.Write(0, 1));
        Assert.Equal("the write of 00000001 to 000 has had no answer for 20 cycles: it was taken", exception.Message);
    }

    [Fact]
    public void Registers_are_reset()
    {
        using var bench = BenchOf(RegisterMistake.None, StallPattern.None);
        bench.Registers.Write(4, 77);
        bench.Reset(1);
        Assert.Equal((AxiResponse.Okay, 0U), bench.Registers.Read(4));
    }
}
