namespace Emu.Hosting.Tests;

public sealed class PollerTests
{
    /// <summary>The ways to wait: that of Linux, and that of any system.</summary>
    public static TheoryData<bool> Ways => [true, false];

    private static Poller NewPoller(bool ofLinux) => ofLinux ? new Poller([]) : new Poller(new TimedWait());

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_wait_ends_when_its_time_has_come(bool ofLinux)
    {
        using var poller = NewPoller(ofLinux);
        var until = HostClock.Now + 20_000_000;
        Assert.False(poller.Wait(until));
        Assert.True(HostClock.Now >= until - 1_000_000);
        Assert.False(poller.Wait(0));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_wait_ends_when_it_is_woken_from_elsewhere(bool ofLinux)
    {
        using var poller = NewPoller(ofLinux);
        var waker = new Thread(() =>
        {
            Thread.Sleep(20);
            poller.Wake();
        });
        waker.Start();
        Assert.True(poller.Wait(ulong.MaxValue));
        waker.Join();
        Assert.False(poller.Wait(0));
        poller.Wake();
        poller.Wake();
        Assert.True(poller.Wait(ulong.MaxValue));
        Assert.False(poller.Wait(0));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void Who_wakes_one_that_is_gone_does_no_harm(bool ofLinux)
    {
        var poller = NewPoller(ofLinux);
        poller.Dispose();
        poller.Wake();
    }

    [Fact]
    public void Ports_without_a_descriptor_are_not_waited_for()
    {
        using var poller = new Poller([new MemoryPort([])]);
        Assert.False(poller.Wait(HostClock.Now + 1_000_000));
    }
}
