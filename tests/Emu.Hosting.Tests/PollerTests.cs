namespace Emu.Hosting.Tests;

public sealed class PollerTests
{
    [Fact]
    public void A_wait_ends_when_its_time_has_come()
    {
        using var poller = new Poller([new MemoryPort([])]);
        var until = HostClock.Now + 20_000_000;
        Assert.False(poller.Wait(until));
        Assert.True(HostClock.Now >= until - 1_000_000);
        Assert.False(poller.Wait(0));
    }

    [Fact]
    public void A_wait_ends_when_it_is_woken_from_elsewhere()
    {
        using var poller = new Poller([]);
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
}
