using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Services;

namespace Emu.Compiler.Tests;

/// <summary>
/// The bounds of an interval. One that cannot be met is answered
/// with the reason that forbids it and the nearest that can.
/// </summary>
public sealed class IntervalTests
{
    private const int Flows = 1024;

    [Fact]
    public void A_recurrence_that_is_too_long_is_named_with_its_line_and_the_nearest_interval()
    {
        var refused = Assert.Throws<CompileException>(() => Compile(new Accumulator(), 2, Layout.Pipeline));
        Assert.Equal(DiagnosticNumber.Interval, refused.Number);
        Assert.Contains("sum, read at IntervalTests.cs:", refused.Reason);
        Assert.Equal(
            (Accumulator.WriteLine, "IntervalTests.cs"),
            (refused.Location!.Line, Path.GetFileName(refused.Location.File)));

        var nearest = int.Parse(refused.Reason.Split("--interval ")[1].Split(' ')[0]);
        Assert.True(nearest > 2);
        Assert.Equal(Layout.Pipeline, Compile(new Accumulator(), nearest, Layout.Pipeline).Layout);
        Assert.Throws<CompileException>(() => Compile(new Accumulator(), nearest - 1, Layout.Pipeline));
    }

    [Fact]
    public void Without_a_layout_a_pipeline_of_the_nearest_interval_is_made_that_says_what_forbids_a_shorter_one()
    {
        var compiled = Compile(new Accumulator(), 2, null);
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        Assert.True(compiled.Options.Interval > 2);
        Assert.Equal(compiled.Options.Interval, compiled.LeastInterval);
        var bound = Assert.Single(compiled.Bounds);
        Assert.Contains("sum, read at IntervalTests.cs:", bound.What);
        Assert.Equal(Accumulator.WriteLine, bound.Location!.Line);
    }

    [Fact]
    public void A_pipeline_is_bounded_by_the_bus_and_by_what_the_next_shorter_interval_would_break()
    {
        var compiled = Compile(new LearningSwitch(), 2, null);
        Assert.Collection(
            compiled.Bounds,
            bus => Assert.Contains("2 beats of 256 bits", bus.What),
            division =>
            {
                Assert.StartsWith("the time is divided", division.What);
                Assert.Contains("LearningSwitch.cs", division.Location!.ToString());
            });
        Assert.Equal(2, compiled.LeastInterval);
    }

    [Fact]
    public void A_pipeline_with_room_is_bounded_by_what_was_asked_for()
    {
        var compiled = Compile(new LearningSwitch(), 5, null);
        Assert.Contains("asked for", Assert.Single(compiled.Bounds).What);
    }

    [Fact]
    public void Where_much_would_be_forwarded_frames_of_one_row_wait_instead()
    {
        var forwarded = HardwareCompiler.Compile(new Digests(Flows), new HardwareOptions());
        Assert.Equal(2, forwarded.Options.Interval);
        Assert.Empty(forwarded.Circuit.Interlocks);

        var compiled = HardwareCompiler.Compile(
            new Digests(Flows), new HardwareOptions { MaxForwardedBits = 0 }, Layout.Pipeline);
        Assert.Equal(2, compiled.Options.Interval);
        var interlock = Assert.Single(compiled.Circuit.Interlocks);
        Assert.True(interlock.Interval > 2);
        Assert.Contains(
            compiled.Bounds,
            bound => bound.What.Contains("waits until that has written", StringComparison.Ordinal)
                && bound.Interval == interlock.Interval && bound.Location == interlock.Location);
    }

    [Fact]
    public void Where_rows_are_known_too_late_the_interval_is_longer_unless_forwarding_is_allowed()
    {
        var compiled = HardwareCompiler.Compile(
            new DigestsOfPlaces(Flows), new HardwareOptions { MaxForwardedBits = 0 }, Layout.Pipeline);
        Assert.True(compiled.Options.Interval > 2);
        Assert.Empty(compiled.Circuit.Interlocks);
        Assert.Contains(
            compiled.Bounds,
            bound => bound.What.Contains(
                $"--interval {compiled.Options.Interval - 1} has that forwarded", StringComparison.Ordinal));

        var asked = HardwareCompiler.Compile(
            new DigestsOfPlaces(Flows), new HardwareOptions { MaxForwardedBits = 0, IsIntervalAsked = true });
        Assert.Equal(2, asked.Options.Interval);
    }

    [Fact]
    public void An_interval_that_is_asked_for_is_met_by_frames_that_wait_for_a_row()
    {
        var guaranteed = HardwareCompiler.Compile(new Products(Flows), new HardwareOptions());
        Assert.Equal(3, guaranteed.Options.Interval);
        Assert.Empty(guaranteed.Circuit.Interlocks);

        var asked = HardwareCompiler.Compile(new Products(Flows), new HardwareOptions { IsIntervalAsked = true });
        Assert.Equal(2, asked.Options.Interval);
        Assert.NotEmpty(asked.Circuit.Interlocks);
    }

    [Fact]
    public void A_loop_without_a_bound_is_named_and_no_interval_would_do()
    {
        var compiled = Compile(new HashedFrames(), 2, null);
        Assert.Equal(Layout.Engine, compiled.Layout);
        var bound = Assert.Single(compiled.Bounds);
        Assert.Contains("loop", bound.What);
        Assert.True(bound.Location!.Line > 0);
        Assert.Null(compiled.LeastInterval);
    }

    private static CompiledService Compile(Service service, int interval, Layout? layout) =>
        HardwareCompiler.Compile(service, new HardwareOptions { Interval = interval }, layout);

    /// <summary>Every frame takes as long as it has bytes.</summary>
    private sealed class HashedFrames : Service
    {
        public override void Process(ref Frame frame)
        {
            var hash = 0u;
            foreach (var octet in frame.Bytes) hash = (hash * 31 + octet) % 65521;
            if ((hash & 0x80) == 0) frame.Flood();
        }
    }

    /// <summary>
    /// As <see cref="Digests"/> does, at places that a second table gives: they are not known from the header.
    /// </summary>
    private sealed class DigestsOfPlaces(int flows) : Service
    {
        private readonly ushort[] _places = new ushort[flows];
        private readonly uint[] _last = new uint[flows];

        public override void Process(ref Frame frame)
        {
            ref var place = ref _places[Flow.To(frame, flows)];
            var at = place & (flows - 1);
            place = (ushort)(frame.Bytes[12] << 8 | frame.Bytes[13]);
            var last = _last[at];
            var isNew = Digest(last) != Digest(place);
            if (isNew) _last[at] = place;
            frame.ForwardTo(new PortSet(isNew ? last + 1 : 5));
        }

        private static uint Digest(uint station)
        {
            for (var round = 0; round < 3; round++) station = (station ^ station >> 7) + 0x9E37_79B9;
            return station >> 28;
        }
    }

    /// <summary>Each frame's sum depends on that of the frame before, by more logic than two cycles hold.</summary>
    private sealed class Accumulator : Service
    {
        public static readonly int WriteLine = Here() + 7;

        private uint _sum;

        public override void Process(ref Frame frame)
        {
            var word = BinaryPrimitives.ReadUInt32BigEndian(frame.Bytes);
            _sum = ((_sum + word) * 3 ^ word) * 5 + (_sum >> 3) * 7;
            frame.Flood();
        }

        private static int Here([CallerLineNumber] int line = 0) => line;
    }
}
