using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops that write the payload are done as the frame leaves.</summary>
public sealed class MapTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["LowerMap of 14"] = () => new LowerMap(14),
        ["LowerMap of 45"] = () => new LowerMap(45),
        ["StreamMap of 14"] = () => new StreamMap(14),
        ["StreamMap of 31"] = () => new StreamMap(31),
        ["StreamMap of 64"] = () => new StreamMap(64),
        ["CountMap of 32"] = () => new CountMap(32),
        ["TwoMaps of 20"] = () => new TwoMaps(20),
        ["MapBesideSlowPath of 15"] = () => new MapBesideSlowPath(15),
        ["ReadBehindMap of 33"] = () => new ReadBehindMap(33),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InVerilator => [.. s_services.Keys.Share(3)];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(3)];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_byte_is_what_it_is_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], Traffic(500));

    [Theory]
    [MemberData(nameof(Services))]
    public void The_loop_is_done_in_the_pipeline(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.Contains(
            compiled.Compilation.Fast!.Blocks().SelectMany(block => block.Operations),
            operation => operation.Opcode == Opcode.FrameMap);
        Assert.Equal(
            service.Contains("SlowPath", StringComparison.Ordinal),
            compiled.Circuit.Design.Sections.Any(section => section.Title == "states of the program"));
    }

    /// <summary>As many cycles as it has beats, the shortest two.</summary>
    [Fact]
    public void A_frame_takes_a_cycle_for_each_beat()
    {
        var compiled = HardwareCompiler.Compile(new StreamMap(14), new HardwareOptions(), Layout.Pipeline);
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        var frames = Traffic(300);
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        bench.RunUntilIdle(long.MaxValue);
        Assert.InRange(
            bench.IntervalsIn().Skip(100).Take(100).Sum(), 0,
            4 + frames.Skip(100).Take(100).Sum(frame => Math.Max(2, (frame.Bytes.Length + 31) / 32)));
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], Traffic(60));

    [Theory]
    [MemberData(nameof(InIcarus))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Icarus);

    [Theory]
    [MemberData(nameof(InVerilator))]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Verilator);

    /// <summary>Frames of all lengths, of which the loops end in front of the end, at it and behind it.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(29);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[14 + i % 157];
            random.NextBytes(bytes);
            bytes[0] = (byte)(random.Next(3) == 0 ? 255 : random.Next(bytes.Length + 4));
            return new IncomingFrame(i % 4, bytes, 1_700_000_000_000_000_000 + (ulong)i * 500);
        })];
    }
}
