namespace Emu.Simulation.Tests;

/// <summary>Each rule of the streams, broken by a design that was right before.</summary>
public sealed class StreamCheckerTests
{
    [Theory]
    [InlineData(Mistake.DataChanges, 20, "tdata changed before tready came")]
    [InlineData(Mistake.KeepChanges, 20, "tkeep changed before tready came")]
    [InlineData(Mistake.LastChanges, 20, "tlast changed before tready came")]
    [InlineData(Mistake.UserChanges, 20, "tuser changed before tready came")]
    [InlineData(Mistake.ValidFalls, 20, "tvalid fell before tready came")]
    [InlineData(Mistake.ValidInReset, 20, "tvalid is high in reset")]
    [InlineData(Mistake.KeepHasHole, 20, "has a hole")]
    [InlineData(Mistake.KeepNotFull, 20, "is not full on a beat that is not the last")]
    [InlineData(Mistake.EmptyLastBeat, 20, "tkeep is 0 on the last of several beats")]
    [InlineData(Mistake.NoLast, 32, "32 bytes came without tlast, tuser stated 32")]
    [InlineData(Mistake.WrongLength, 20, "20 bytes came, tuser stated 21")]
    public void A_broken_rule_is_found(Mistake mistake, int length, string message)
    {
        // The sink looks at each beat for some cycles before it takes it.
        var simulator = new ManagedSimulator(StreamDesigns.RegisterSlice(16, mistake));
        var exception = Assert.Throws<BusException>(() =>
        {
            using var bench = new Bench(simulator, sink: StallPattern.OneIn(4));
            bench.Send(Traffic.Bytes(length, 1), new PortId(1), 3);
            bench.RunUntilIdle();
        });
        Assert.Contains("m_axis", exception.Message);
        Assert.Contains(message, exception.Message);
    }

    [Theory]
    [InlineData(Mistake.NeverReady, "s_axis_tready has been low for 50 cycles while a beat waits")]
    [InlineData(Mistake.NeverEnds, "m_axis_tvalid has been low for 50 cycles in the middle of a frame")]
    public void A_design_that_hangs_is_found(Mistake mistake, string message)
    {
        using var bench = new Bench(new ManagedSimulator(StreamDesigns.RegisterSlice(16, mistake))) { StallLimit = 50 };
        bench.Send(Traffic.Bytes(60, 1), new PortId(1), 3);
        Assert.Contains(message, Assert.Throws<TimeoutException>(() => bench.RunUntilIdle()).Message);
    }

    [Fact]
    public void A_sink_that_never_takes_anything_is_found()
    {
        using var bench = new Bench(new ManagedSimulator(StreamDesigns.RegisterSlice(16)), sink: StallPattern.Always)
        {
            StallLimit = 50,
        };
        bench.Send(Traffic.Bytes(60, 1), new PortId(1), 3);
        Assert.Contains(
            "m_axis_tready has been low for 50 cycles",
            Assert.Throws<TimeoutException>(() => bench.RunUntilIdle()).Message);
    }

    [Fact]
    public void A_run_has_a_limit()
    {
        using var bench = new Bench(new ManagedSimulator(StreamDesigns.RegisterSlice(16)));
        bench.SendLengths(60, 100);
        Assert.Contains(
            "not idle after 30 cycles: 7 frames went in, 6 came out",
            Assert.Throws<TimeoutException>(() => bench.RunUntilIdle(30)).Message);
    }

    [Fact]
    public void A_valid_that_waits_for_ready_is_no_legal_design()
    {
        var exception = Assert.Throws<InvalidOperationException>(() =>
            new ManagedSimulator(StreamDesigns.RegisterSlice(16, Mistake.WaitsForReady)));
        Assert.Equal("output 'm_axis_tvalid' depends on input 'm_axis_tready' in the same cycle", exception.Message);
    }

    [Fact]
    public void A_source_may_lie_only_when_that_is_said()
    {
        using var honest = new Bench(new ManagedSimulator(StreamDesigns.RegisterSlice(16)));
        honest.Send(Traffic.Bytes(60, 1), new PortId(0), 1, statedLength: 61);
        Assert.Contains(
            "s_axis, cycle 7: 60 bytes came, tuser stated 61",
            Assert.Throws<BusException>(() => honest.RunUntilIdle()).Message);

        using var lying = new Bench(new ManagedSimulator(StreamDesigns.RegisterSlice(16)));
        lying.InputChecker.ChecksLength = lying.OutputChecker.ChecksLength = false;
        lying.Send(Traffic.Bytes(60, 1), new PortId(0), 1, statedLength: 17);
        lying.RunUntilIdle();
        Assert.Equal((60, 17), (Assert.Single(lying.Received).Bytes.Length, lying.Received[0].User.Length));
    }

    [Fact]
    public void A_frame_without_end_is_found_even_when_lengths_are_not_checked()
    {
        using var bench = new Bench(new ManagedSimulator(StreamDesigns.RegisterSlice(64, Mistake.NoLast)));
        bench.OutputChecker.ChecksLength = false;
        for (var i = 0; i < 50; i++) bench.Send(Traffic.Bytes(1_500 / 64 * 64, i), new PortId(0), 1);
        Assert.Contains(
            "bytes came without tlast, more than any frame has",
            Assert.Throws<BusException>(() => bench.RunUntilIdle()).Message);
    }
}
