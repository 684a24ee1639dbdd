using Emu.Hosting;
using Emu.Testing;

namespace Emu.Services.Tests;

/// <summary>Design §3 and §10: a fault costs one frame.</summary>
public sealed class FaultTests
{
    private static readonly MacAddress s_a = MacAddress.Parse("02:00:00:00:00:0a");
    private static readonly MacAddress s_b = MacAddress.Parse("02:00:00:00:00:0b");

    private static Packet Frame(byte what) => Packet.Ethernet(s_a, s_b).Payload(what);

    [Theory]
    [InlineData(1, FaultKind.IndexOutOfRange)]
    [InlineData(2, FaultKind.NullReference)]
    [InlineData(3, FaultKind.Overflow)]
    [InlineData(4, FaultKind.DivideByZero)]
    [InlineData(5, FaultKind.Exception)]
    [InlineData(6, FaultKind.IndexOutOfRange)]
    public void A_fault_drops_its_frame_and_is_counted_by_kind_and_the_next_frame_is_served(byte what, FaultKind kind)
    {
        var service = new Faulty();
        var run = new ServiceRun(service, ports: 2);

        PacketAssert.Nothing(run.Receive(0, Frame(what)));
        PacketAssert.Sent(run.Receive(0, Frame(0)), PortSet.Parse("1"), Frame(0));

        Assert.All(Enum.GetValues<FaultKind>(), other =>
            Assert.Equal(other == kind ? 1UL : 0, run.Sequence.Faults(other).Value));
        Assert.Equal(1UL, run.Sequence.Drops.Value);
        Assert.Equal(2UL, service.Seen.Value); // what was written before the fault stands
    }

    [Fact]
    public void What_was_sent_before_a_fault_stands()
    {
        var run = new ServiceRun(new Faulty(), ports: 2);
        PacketAssert.Sent(run.Receive(0, Frame(7)), PortSet.Parse("0"), Frame(7));
        Assert.Equal(1UL, run.Sequence.Faults(FaultKind.DivideByZero).Value);
    }

    [Fact]
    public void A_fault_in_a_run_on_ports_costs_one_frame_too()
    {
        using var port0 = new MemoryPort([new(Frame(0), 1), new(Frame(1), 2), new(Frame(5), 3), new(Frame(0), 4)]);
        using var port1 = new MemoryPort([]);
        using var runner = new ServiceRunner(new Faulty(), [port0, port1]);

        runner.Run(CancellationToken.None);

        Assert.Equal([1UL, 4UL], port1.Sent.Select(frame => frame.Time));
    }

    [Fact]
    public void A_fault_in_a_tick_is_counted_and_the_next_tick_runs()
    {
        var run = new ServiceRun(new Metronome(isFaulty: true), ports: 2);
        Assert.Single(run.AdvanceTo(30));
        Assert.Equal(2UL, run.Sequence.Faults(FaultKind.DivideByZero).Value);
    }

    [Fact]
    public void Captures_merge_by_time_then_port_and_ticks_fall_in_their_place()
    {
        var service = new Metronome();
        using var port0 = new MemoryPort([new(Frame(1), 5), new(Frame(2), 25), new(Frame(3), 25)]);
        using var port1 = new MemoryPort([new(Frame(4), 5), new(Frame(5), 15), new(Frame(6), 26)]);
        using var runner = new ServiceRunner(service, [port0, port1]);

        runner.Run(CancellationToken.None);

        // Ticks are due 10 ns apart from the first frame on, which begins the run: at 15, before the frame of 15, and
        // at 25, before those of 25.
        Assert.Equal(["1@5", "4@5", "tick@15", "5@15", "tick@25", "2@25", "3@25", "6@26"], service.Events);
        Assert.Equal([15UL, 25UL], port0.Sent.Select(frame => frame.Time));
    }

    /// <summary>The first byte of the payload says what goes wrong.</summary>
    private sealed class Faulty : Service
    {
        public Counter Seen { get; } = new();

        public override void Process(ref Frame frame)
        {
            Seen.Increment();
            frame.Flood();
            var what = frame.Bytes[14];
            var nothing = what - what;
            string? nobody = null;
            switch (what)
            {
                case 1: frame.Bytes[frame.Length + nothing] = 0; break;
                case 2: _ = nobody!.Length; break;
                case 3: _ = checked(int.MaxValue + (int)what); break;
                case 4: _ = what / nothing; break;
                case 5: throw new InvalidOperationException("a bug");
                case 6: frame.Resize(100_000); break;
                case 7:
                    frame.Send(PortSet.Parse("0"));
                    _ = what / nothing;
                    break;
            }
        }
    }

    /// <summary>
    /// Writes down its events, and sends a frame by port 0 at each tick; a faulty one only at every third.
    /// </summary>
    private sealed class Metronome(bool isFaulty = false) : Service
    {
        public List<string> Events { get; } = [];

        public override ulong TickInterval => 10;

        public override void Process(ref Frame frame) => Events.Add($"{frame.Bytes[14]}@{frame.Time}");

        public override void Tick(ref Frame frame)
        {
            Events.Add($"tick@{frame.Time}");
            var divisor = isFaulty ? Events.Count % 3 == 0 ? 1 : 0 : 1;
            frame.Resize(14 / divisor);
            frame.Send(PortSet.Parse("0"));
        }
    }
}
