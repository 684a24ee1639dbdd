using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Simulation;
using Emu.Testing;
using static Emu.Compiler.Tests.NaturalTraffic;

namespace Emu.Compiler.Tests;

/// <summary>
/// Services as a networking engineer writes them, who thinks of no hardware: at line rate on traffic of their own.
/// </summary>
public sealed class NaturalTests
{
    /// <summary>The cycles a frame of services that are not at line rate.</summary>
    private static readonly Dictionary<string, double> s_slower = new()
    {
        ["IgmpSnooper"] = 47.5,
        ["HeavyHitters"] = 9,
        ["NtpGuard"] = 5.1,
        ["Dnp3Guard"] = 208,
        ["ItchFilter"] = 73,
        ["TftpServer"] = 1195,
        ["LockServer"] = 107,
        ["StatsdGate"] = 790,
        ["ClientSubnetStripper"] = 245,
        ["EpochSequencer"] = 530,
        ["OrderRiskGate"] = 125,
        ["TopOfBook"] = 125,
        ["MldSnooper"] = 71,
        ["DnsSteering"] = 170,
        ["ToaInserter"] = 100,
        ["NameFolder"] = 116,
        ["StructuredDataGuard"] = 42,
        ["BencodeGuard"] = 1250,
        ["InterceptTap"] = 458,
        ["WakeRelay"] = 565,
        ["CoapNotifier"] = 131,
        ["MinimalForwarder"] = 746,
        ["BrokerStripper"] = 1570,
        ["NtpClockFilter"] = 165,
        ["CardMasker"] = 950,
        ["TelnetOptionGate"] = 457,
        ["SessionTap"] = 4480,
        ["AmtRelay"] = 51,
        ["UdldMonitor"] = 81,
        ["CipsoLabeler"] = 738,
        ["WhoamiResolver"] = 250,
        ["SsdpResponder"] = 1500,
        ["FairDropper"] = 73,
        ["SynFloodDetector"] = 39,
        // Frames a nanosecond apart fill its queue for ever; 500 ns apart they take 34.6 cycles, within the limit.
        ["CongestionPoint"] = 162,
    };

    /// <summary>The engines of a slow path with which some of these are at line rate, the smallest first.</summary>
    private static readonly (string Service, int Engines)[] s_engines =
    [
        ("ToaInserter", 12),
        ("TopOfBook", 15),
        ("NameFolder", 36),
        ("DnsSteering", 32),
        ("Dnp3Guard", 42),
        ("TelnetOptionGate", 64),
        ("ClientSubnetStripper", 36),
        ("CipsoLabeler", 37),
        ("SessionTap", 64),
    ];

    private static readonly int[] s_widths = [64, 256, 512];

    public static TheoryData<string> Services => [.. NaturalServices.All.Keys];

    /// <summary>With --all each; else the smallest.</summary>
    public static TheoryData<string, int> WithEngines => [.. Tier.IsAll ? s_engines : s_engines[..1]];

    /// <summary>With --all each; else one of three: the rate and the stages of each are looked at always.</summary>
    public static TheoryData<string> OnTheLadder => [.. NaturalServices.All.Keys.Share(3)];

    [Theory]
    [MemberData(nameof(OnTheLadder))]
    public void A_natural_service_does_the_same_on_every_rung(string service) => LadderFrames.Check(
        new Subject(NaturalServices.All[service].Make), FramesOnTheLadder(service), LadderFrames.Options with
        {
            BusBits = BusBits(service),
            Layouts = [NaturalServices.LayoutOf(service)],
            Interval = NaturalServices.Intervals.GetValueOrDefault(service, 2),
            Outside = OutsideSimulators.None,
        });

    /// <summary>
    /// No frame says in time which rows it needs: a stage's index depends on what another holds.
    /// </summary>
    [Fact]
    public void A_pipe_of_tables_takes_a_frame_every_6_cycles()
    {
        var random = new Random(5);
        Ladder.Check(
            () => new HashPipe(),
            FrameSequence.Of([.. Enumerable.Range(0, 200).Select(i =>
                FromHost(random.Next(4) == 0 ? i : i % 5, Address).Udp(1, 2).PaddedTo(60).ToArray())]),
            new LadderOptions
            {
                BusBits = [64, 256],
                Layouts = [Layout.Pipeline],
                Interval = 6,
                Outside = OutsideSimulators.None,
            });
    }

    /// <summary>
    /// At most 4 cycles a frame, or 1.3 times the beats that come or leave, whichever are more; those of which it is
    /// not so take no longer than they did. None has a stage over its budget.
    /// </summary>
    [Theory]
    [MemberData(nameof(Services))]
    public void It_is_at_line_rate_within_the_budget_of_stages(string service) =>
        Check(service, new HardwareOptions(), s_slower.GetValueOrDefault(service));

    [Theory]
    [MemberData(nameof(WithEngines))]
    public void With_several_engines_in_its_slow_path_it_is_at_line_rate(string service, int engines) =>
        Check(service, new HardwareOptions { Engines = engines }, slower: 0);

    private static void Check(string service, HardwareOptions options, double slower)
    {
        var frames = NaturalServices.Traffic(service);
        var compiled = HardwareCompiler.Compile(NaturalServices.All[service].Make(), options);
        Assert.Empty(LongPath.Of(compiled.Circuit, options));
        // Where a slow path takes thousands of cycles a frame, a beat waits for all that came before it;
        // behind a reset, for each word of a table.
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design)) { StallLimit = 200_000 };
        // Several times, so that all that is buffered is full.
        for (var i = 0; i < 4 * frames.Count; i++)
            bench.Send(
                frames[i % frames.Count].Bytes, new PortId(frames[i % frames.Count].Port), frames[0].Time + (ulong)i);
        bench.RunUntilIdle(long.MaxValue);
        var cycles = bench.IntervalsIn().TakeLast(frames.Count).Sum();
        var left = bench.Received.TakeLast(bench.Received.Count / 4).Sum(frame => 1.3 * Beats(frame.Bytes.Length));
        var limit = Math.Max(left, frames.Sum(frame => Math.Max(4, 1.3 * Beats(frame.Bytes.Length))));
        Assert.InRange(cycles, 0, Math.Max(limit, frames.Count * slower));
    }

    /// <summary>With --all each width; else one of them by turns.</summary>
    private static int[] BusBits(string service) => Tier.IsAll ? s_widths : [s_widths[PlaceOf(service) / 3 % 3]];

    /// <summary>Fewer outside of --all where a frame takes hundreds of cycles.</summary>
    private static List<IncomingFrame> FramesOnTheLadder(string service)
    {
        var frames = NaturalServices.Traffic(service);
        return !Tier.IsAll && s_slower.GetValueOrDefault(service) > 100 ? frames[..30] : frames;
    }

    private static int PlaceOf(string service) => NaturalServices.All.Keys.Index().First(e => e.Item == service).Index;

    private static int Beats(int bytes) => (bytes + 31) / 32;
}
