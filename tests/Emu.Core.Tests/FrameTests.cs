namespace Emu.Core.Tests;

public sealed class FrameTests
{
    private readonly Sent _sent = new();

    private Frame Received(byte[] memory, int length) =>
        new(memory, length, new PortId(1), PortSet.First(4), 5_999_999_999, _sent);

    [Fact]
    public void The_verdict_is_drop_until_the_service_says_otherwise() =>
        Assert.True(Received(new byte[60], 60).Egress.IsEmpty);

    [Fact]
    public void The_last_verdict_wins()
    {
        var frame = Received(new byte[60], 60);
        frame.Flood();
        frame.Reply();
        Assert.Equal(PortSet.Parse("1"), frame.Egress);
        frame.Drop();
        Assert.True(frame.Egress.IsEmpty);
    }

    [Fact]
    public void Flooding_and_forwarding_leave_the_ingress_port_out()
    {
        var frame = Received(new byte[60], 60);
        frame.Flood();
        Assert.Equal(PortSet.Parse("0,2,3"), frame.Egress);
        frame.ForwardTo(PortSet.Parse("1,2"));
        Assert.Equal(PortSet.Parse("2"), frame.Egress);
        frame.ForwardTo(new PortId(1));
        Assert.True(frame.Egress.IsEmpty);
    }

    [Fact]
    public void Ports_that_the_device_lacks_are_passed_over()
    {
        var frame = Received(new byte[60], 60);
        frame.ForwardTo(PortSet.Parse("3,4,63"));
        Assert.Equal(PortSet.Parse("3"), frame.Egress);
        frame.Send(PortSet.Parse("1,9"));
        Assert.Equal(PortSet.Parse("1"), Assert.Single(_sent.Frames).Ports);
    }

    [Fact]
    public void A_copy_that_was_sent_keeps_its_bytes()
    {
        var frame = Received([1, 2, 3, 4], 4);
        frame.Send(PortSet.Parse("0"));
        frame.Bytes[0] = 9;
        var (bytes, _, time) = Assert.Single(_sent.Frames);
        Assert.Equal([1, 2, 3, 4], bytes);
        Assert.Equal(5_999_999_999UL, time);
    }

    [Fact]
    public void A_frame_grows_by_zeros_whatever_was_in_memory()
    {
        var frame = Received([1, 2, 3, 4, 5, 6], 3);
        frame.Resize(5);
        Assert.Equal([1, 2, 3, 0, 0], frame.Bytes.ToArray());
        frame.Resize(2);
        Assert.Equal([1, 2], frame.Bytes.ToArray());
    }

    [Fact]
    public void A_frame_does_not_grow_past_its_memory()
    {
        var frame = Received(new byte[6], 3);
        ArgumentOutOfRangeException? refused = null;
        try
        {
            frame.Resize(7);
        }
        catch (ArgumentOutOfRangeException exception)
        {
            refused = exception;
        }
        Assert.NotNull(refused);
        Assert.Equal(3, frame.Length);
    }

    [Fact]
    public void Bytes_are_put_in_and_taken_out_anywhere()
    {
        var frame = Received([1, 2, 3, 4, 9, 9, 9], 4);
        frame.Insert(1, 2);
        Assert.Equal([1, 0, 0, 2, 3, 4], frame.Bytes.ToArray());
        frame.Insert(6, 1);
        Assert.Equal([1, 0, 0, 2, 3, 4, 0], frame.Bytes.ToArray());
        frame.Remove(0, 3);
        Assert.Equal([2, 3, 4, 0], frame.Bytes.ToArray());
        frame.Remove(3, 1);
        frame.Insert(0, 0);
        frame.Remove(3, 0);
        Assert.Equal([2, 3, 4], frame.Bytes.ToArray());
    }

    [Theory]
    [InlineData(5, 1)]
    [InlineData(-1, 1)]
    [InlineData(0, -1)]
    [InlineData(2, 3)]
    [InlineData(0, int.MaxValue)]
    public void What_cannot_be_put_in_or_taken_out_leaves_the_frame_as_it_was(int offset, int count)
    {
        foreach (var inserts in (bool[])[true, false])
        {
            var frame = Received([1, 2, 3, 4, 5, 6], 4);
            var isRefused = false;
            try
            {
                if (inserts) frame.Insert(offset, count);
                else frame.Remove(offset, count);
            }
            catch (ArgumentOutOfRangeException)
            {
                isRefused = true;
            }
            Assert.True(isRefused);
            Assert.Equal([1, 2, 3, 4], frame.Bytes.ToArray());
        }
    }

    [Fact]
    public void A_copy_can_be_of_the_first_bytes_alone()
    {
        var frame = Received([1, 2, 3, 4], 4);
        frame.Send(PortSet.Parse("0"), 3);
        Assert.Equal([1, 2, 3], Assert.Single(_sent.Frames).Bytes);
        Assert.Equal(4, frame.Length);
    }

    [Fact]
    public void Seconds_are_the_floor_of_the_time() => Assert.Equal(5UL, Received(new byte[60], 60).Seconds);

    [Fact]
    public void A_frame_is_kept_by_the_host_as_it_is_now()
    {
        var frame = Received(new byte[60], 20);
        frame.Resize(18);
        Assert.True(frame.TryHold(2));
        Assert.False(frame.TryHold(1));
        Assert.Equal(18, _sent.Frames[0].Bytes.Length);
    }

    private sealed class Sent : IEventHost
    {
        public List<(byte[] Bytes, PortSet Ports, ulong Time)> Frames { get; } = [];

        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time) =>
            Frames.Add((bytes.ToArray(), ports, time));

        public void WaitForFrame() => throw new NotSupportedException();

        public bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity)
        {
            Frames.Add((bytes.ToArray(), PortSet.Of(ingress), time));
            return capacity > 1;
        }
    }
}
