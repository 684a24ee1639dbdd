namespace Emu.Testing.Tests;

public class ServiceRunTests
{
    private static readonly byte[] s_frame = new byte[14];

    [Fact]
    public void A_flooded_frame_leaves_by_all_other_ports_at_the_time_it_came()
    {
        var run = new ServiceRun(new Beacon(), ports: 3);

        var sent = Assert.Single(run.Receive(1, s_frame, time: 5));

        Assert.Equal("0,2", sent.Ports.ToString());
        Assert.Equal(s_frame, sent.Bytes);
        Assert.Equal(5UL, sent.Time);
    }

    [Fact]
    public void A_tick_runs_before_the_first_frame_that_comes_when_it_is_due_or_later()
    {
        var run = new ServiceRun(new Beacon(), ports: 2, start: 100);

        Assert.Equal([109UL], run.Receive(0, s_frame, time: 109).Select(sent => sent.Time));
        Assert.Equal([110UL, 110UL], run.Receive(0, s_frame, time: 110).Select(sent => sent.Time));
        Assert.Equal([120UL, 130UL], run.AdvanceTo(130).Select(sent => sent.Time));
        PacketAssert.Nothing(run.AdvanceTo(139));
    }

    [Fact]
    public void A_fault_drops_the_frame_and_keeps_what_was_sent_before()
    {
        var run = new ServiceRun(new Beacon(), ports: 2);
        byte[] frame = [0xFF, .. new byte[59]];

        PacketAssert.Sent(run.Receive(0, frame), PortSet.First(2), frame);

        Assert.Equal(1UL, run.Sequence.Faults(FaultKind.IndexOutOfRange).Value);
    }

    [Fact]
    public void Frames_too_short_or_too_long_never_reach_the_service()
    {
        var run = new ServiceRun(new Beacon(), mtu: 100, start: 0);

        PacketAssert.Nothing(run.Receive(0, new byte[13]));
        PacketAssert.Nothing(run.Receive(0, new byte[115]));
        Assert.Single(run.Receive(0, new byte[114]));

        Assert.Equal(2UL, run.Sequence.Drops.Value);
    }

    [Fact]
    public void A_tag_may_come_on_top_of_the_MTU()
    {
        var run = new ServiceRun(new Beacon(), mtu: 100);
        byte[] tagged = [.. new byte[12], 0x81, 0x00, .. new byte[104]];

        Assert.Single(run.Receive(0, tagged));
        PacketAssert.Nothing(run.Receive(0, [.. tagged, 0]));
    }

    [Fact]
    public void A_time_before_that_of_the_last_event_is_raised_to_it()
    {
        var run = new ServiceRun(new Beacon(), ports: 2);
        run.Receive(0, s_frame, time: 5);

        Assert.Equal(5UL, Assert.Single(run.Receive(0, s_frame, time: 4)).Time);
    }

    [Fact]
    public void Ports_are_those_of_the_device() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new ServiceRun(new Beacon(), ports: 2).Receive(2, s_frame));
}
