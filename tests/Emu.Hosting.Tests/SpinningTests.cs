namespace Emu.Hosting.Tests;

/// <summary>The behaviour of a run between the last frame and its sleep.</summary>
public sealed class SpinningTests
{
    private const ulong Hour = 3_600_000_000_000;
    private const int Ticks = 50;

    [Fact]
    public void A_run_that_spins_keeps_looking_and_ticks_and_stops_when_told_to() =>
        Assert.InRange(LooksInFiftyTicks(Hour, frames: 1), 20 * Ticks, int.MaxValue);

    [Fact]
    public void A_run_that_does_not_spin_sleeps_until_its_next_tick() =>
        Assert.InRange(LooksInFiftyTicks(spinning: 0, frames: 1), 1, 10 * Ticks);

    [Fact]
    public void A_run_that_spins_sleeps_where_there_was_no_frame() =>
        Assert.InRange(LooksInFiftyTicks(Hour, frames: 0), 1, 10 * Ticks);

    /// <summary>
    /// Runs until that many ticks of a millisecond have been; how often the port was asked for frames meanwhile.
    /// </summary>
    private static int LooksInFiftyTicks(ulong spinning, int frames)
    {
        using var stop = new CancellationTokenSource();
        using var late = CancellationTokenSource.CreateLinkedTokenSource(stop.Token);
        late.CancelAfter(Tool.Limit);
        using var port = new QuietPort(frames);
        var ticking = new Ticking(stop);
        using var runner = new ServiceRunner(ticking, [port], spinning: spinning);
        runner.Run(late.Token);
        Assert.InRange(ticking.Count, Ticks, int.MaxValue);
        Assert.Equal((ulong)frames, runner.Sequence.FramesIn.Value);
        return port.Looks;
    }

    /// <summary>Stops its run at the last tick.</summary>
    private sealed class Ticking(CancellationTokenSource stop) : Service
    {
        public int Count { get; private set; }

        public override ulong TickInterval => 1_000_000;

        public override void Process(ref Frame frame)
        {
        }

        public override void Tick(ref Frame frame)
        {
            if (++Count == Ticks) stop.Cancel();
        }
    }

    /// <summary>A live port at which some frames arrive at once, and nothing after them.</summary>
    private sealed class QuietPort(int frames) : Port
    {
        private readonly MemoryPort _frames = new(
            Enumerable.Range(0, frames).Select(i => new TimedFrame(Samples.Frame(i), HostClock.Now)));

        public int Looks { get; private set; }

        public override string Name => "quiet";

        public override bool IsLive => true;

        public override int Receive(Span<ReceivedFrame> batch)
        {
            Looks++;
            return _frames.Receive(batch);
        }

        public override void Send(ReadOnlySpan<byte> frame, ulong time)
        {
        }

        protected override void Dispose(bool disposing)
        {
            _frames.Dispose();
            base.Dispose(disposing);
        }
    }
}
