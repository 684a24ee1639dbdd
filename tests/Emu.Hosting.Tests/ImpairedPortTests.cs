using System.Numerics;

namespace Emu.Hosting.Tests;

public sealed class ImpairedPortTests
{
    private const int Count = 4000;

    private static ImpairedPort Impair(Impairments impairments, int count = Count) =>
        new(new MemoryPort(Samples.Sequence(count)), impairments);

    private static int[] Numbers(IEnumerable<TimedFrame> frames) => [.. frames.Select(f => Samples.Number(f.Bytes))];

    [Fact]
    public void Without_impairments_frames_pass_as_they_are()
    {
        using var port = Impair(new Impairments());
        Samples.AssertSame(Samples.Sequence(Count), Samples.Drain(port));
    }

    [Fact]
    public void Loss_leaves_out_about_as_many_as_asked_and_changes_no_others()
    {
        using var port = Impair(new Impairments { Loss = 0.25, Seed = 1 });
        var all = Samples.Sequence(Count);
        var given = Samples.Drain(port);
        Samples.AssertSame([.. Numbers(given).Select(n => all[n])], given);
        Assert.Equal((ulong)(Count - given.Count), port.Lost.Value);
        Assert.InRange(port.Lost.Value, Count / 5u, Count / 3u);
    }

    [Fact]
    public void All_or_nothing_can_be_lost()
    {
        using var all = Impair(new Impairments { Loss = 1 });
        Assert.Empty(Samples.Drain(all));
    }

    [Fact]
    public void A_duplicate_follows_its_original_at_once()
    {
        using var port = Impair(new Impairments { Duplicate = 1 }, 10);
        Assert.Equal(
            Samples.Sequence(10).SelectMany(f => new[] { f.Time, f.Time }), Samples.Drain(port).Select(f => f.Time));
    }

    [Fact]
    public void A_corrupted_frame_differs_in_one_bit_that_may_be_any()
    {
        var frames = Enumerable.Range(0, Count).Select(i => new TimedFrame(Samples.Frame(0), (ulong)i));
        using var port = new ImpairedPort(new MemoryPort(frames), new Impairments { Corrupt = 1 });
        var hit = new HashSet<int>();
        foreach (var frame in Samples.Drain(port))
        {
            var changes = frame.Bytes.Zip(Samples.Frame(0), (a, b) => a ^ b).ToArray();
            Assert.Equal(1, changes.Sum(change => BitOperations.PopCount((uint)change)));
            var octet = Array.FindIndex(changes, change => change != 0);
            hit.Add(8 * octet + BitOperations.Log2((uint)changes[octet]));
        }
        Assert.InRange(hit.Count, 470, 480);
        Assert.Equal((ulong)Count, port.Corrupted.Value);
    }

    [Fact]
    public void A_reordered_frame_comes_right_behind_the_next_one()
    {
        using var port = Impair(new Impairments { Reorder = 0.1, Seed = 3 });
        var given = Samples.Drain(port);
        var numbers = Numbers(given);
        Assert.Equal(Enumerable.Range(0, Count), numbers.Order());
        var swapped = 0UL;
        for (var i = 0; i < Count; i++)
        {
            if (numbers[i] == i) continue;
            Assert.Equal((i + 1, i), (numbers[i], numbers[i + 1]));
            Assert.Equal(given[i].Time, given[i + 1].Time);
            swapped++;
            i++;
        }
        Assert.Equal(swapped, port.Reordered.Value);
        Assert.InRange(swapped, Count / 20u, Count / 5u);
    }

    [Fact]
    public void At_the_end_of_a_capture_a_reordered_frame_comes_last()
    {
        using var port = Impair(new Impairments { Reorder = 1 }, 3);
        Assert.Equal([1, 0, 2], Numbers(Samples.Drain(port)));
    }

    [Fact]
    public void Delay_shifts_arrivals()
    {
        using var port = Impair(new Impairments { Delay = 5_000_000 });
        Samples.AssertSame(
            [.. Samples.Sequence(Count).Select(f => f with { Time = f.Time + 5_000_000 })], Samples.Drain(port));
    }

    [Fact]
    public void Jitter_spreads_arrivals_and_keeps_them_in_order_of_time()
    {
        using var port = Impair(new Impairments { Delay = 5000, Jitter = 20_000, Seed = 4 });
        var given = Samples.Drain(port);
        Assert.Equal(Enumerable.Range(0, Count), Numbers(given).Order());
        Assert.NotEqual(Enumerable.Range(0, Count), Numbers(given));
        Assert.Equal(given.Select(f => f.Time).Order(), given.Select(f => f.Time));
        foreach (var frame in given)
            Assert.InRange(frame.Time - Samples.Start - 1000 * (ulong)Samples.Number(frame.Bytes), 5000UL, 25_000UL);
    }

    [Fact]
    public void The_same_seed_does_the_same_whatever_the_batches()
    {
        var impairments = new Impairments
        {
            Loss = 0.1,
            Duplicate = 0.1,
            Reorder = 0.1,
            Corrupt = 0.1,
            Delay = 3000,
            Jitter = 9000,
            Seed = 42,
        };
        using var first = Impair(impairments);
        using var second = Impair(impairments);
        using var other = Impair(impairments with { Seed = 43 });
        var expected = Samples.Drain(first, batchLength: 1);
        Samples.AssertSame(expected, Samples.Drain(second, batchLength: 64));
        Assert.NotEqual(Numbers(expected), Numbers(Samples.Drain(other)));
        Assert.Equal(expected.Select(f => f.Time).Order(), expected.Select(f => f.Time));
    }

    [Fact]
    public void What_breaks_inside_is_told_after_the_frames_before_it()
    {
        using var folder = new TemporaryFolder();
        var capture = new CaptureBytes(false).PcapHeader()
            .PcapRecord(1, 0, Samples.Frame(0)).PcapRecord(2, 0, Samples.Frame(1)).ToArray();
        using var port = new ImpairedPort(
            new CapturePort(folder.Write("in.pcap", capture[..^1]), null), new Impairments());
        var batch = new ReceivedFrame[8];
        Assert.Equal(1, port.Receive(batch));
        Assert.Throws<CommandException>(() => port.Receive(batch));
    }

    [Fact]
    public void A_live_port_holds_frames_until_they_are_due()
    {
        using var port = new ImpairedPort(new LivePort(), new Impairments { Delay = 1_000_000_000 });
        var batch = new ReceivedFrame[8];
        Assert.Equal(0, port.Receive(batch));
        var due = port.NextDue;
        Assert.InRange(due, HostClock.Now, HostClock.Now + 1_000_000_000);
        using var poller = new Poller([port]);
        while (HostClock.Now < due) poller.Wait(due);
        Assert.Equal(1, port.Receive(batch));
        Assert.Equal(due, batch[0].Time);
        Assert.Equal(ulong.MaxValue, port.NextDue);
    }

    [Fact]
    public void A_live_port_gives_up_waiting_for_a_frame_that_overtakes()
    {
        using var port = new ImpairedPort(new LivePort(), new Impairments { Reorder = 1 });
        var batch = new ReceivedFrame[8];
        Assert.Equal(0, port.Receive(batch));
        using var poller = new Poller([port]);
        while (HostClock.Now < port.NextDue) poller.Wait(port.NextDue);
        Assert.Equal(1, port.Receive(batch));
    }

    [Fact]
    public void No_frame_allocates()
    {
        var impairments =
            new Impairments { Loss = 0.1, Duplicate = 0.1, Reorder = 0.1, Corrupt = 0.1, Delay = 3000, Jitter = 9000 };
        using var port = Impair(impairments, 10 * Count);
        var (batch, given) = (new ReceivedFrame[32], 0);
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (var round = 0; round < 40; round++) given += port.Receive(batch);
        }));
        Assert.True(given >= 80 * batch.Length);
    }

    [Theory]
    [InlineData(-0.1)]
    [InlineData(1.1)]
    [InlineData(double.NaN)]
    public void What_is_no_probability_is_refused(double loss) =>
        Assert.Equal(2, Assert.Throws<CommandException>(() => Impair(new Impairments { Loss = loss })).ExitCode);

    /// <summary>A live port at which one frame has just arrived.</summary>
    private sealed class LivePort : Port
    {
        private readonly MemoryPort _frames = new([new TimedFrame(Samples.Frame(0), HostClock.Now)]);

        public override string Name => "live";

        public override bool IsLive => true;

        public override int Receive(Span<ReceivedFrame> batch) => _frames.Receive(batch);

        public override void Send(ReadOnlySpan<byte> frame, ulong time)
        {
        }
    }
}
