using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Bytes of tables are put into frames as they leave.</summary>
public sealed class LoadTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["AppendedText"] = () => new AppendedText(),
        ["TwoTexts"] = () => new TwoTexts(),
        ["AnyText"] = () => new AnyText(),
        ["LearnedText"] = () => new LearnedText(),
        ["FixedPlace"] = () => new FixedPlace(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_byte_is_what_it_is_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], Traffic(500));

    [Theory]
    [MemberData(nameof(Services))]
    public void The_copy_is_done_in_the_pipeline_alone(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.Contains(
            compiled.Compilation.Fast!.Blocks().SelectMany(block => block.Operations),
            operation => operation.Opcode == Opcode.FrameLoad);
        Assert.Equal(service == "LearnedText", compiled.Compilation.Slow is not null);
    }

    /// <summary>As many cycles as beats leave, the shortest two.</summary>
    [Fact]
    public void A_frame_takes_a_cycle_for_each_beat_that_leaves()
    {
        var compiled = HardwareCompiler.Compile(new AppendedText(), new HardwareOptions(), Layout.Pipeline);
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        var frames = Traffic(300);
        foreach (var frame in frames) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        bench.RunUntilIdle(long.MaxValue);
        var cycles = frames.Skip(100).Take(100).Sum(frame =>
            Math.Max(2, (frame.Bytes.Length + 6 + LoadedText.Lengths[frame.Bytes[0] & 15] + 31) / 32));
        Assert.InRange(bench.IntervalsIn().Skip(100).Take(100).Sum(), 0, cycles + cycles / 10);
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], Traffic(60));

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Icarus);

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], Traffic(60), OutsideSimulator.Verilator);

    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(31);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[14 + i % 157 + (random.Next(9) == 0 ? 150 : 0)];
            random.NextBytes(bytes);
            if (random.Next(3) > 0) (bytes[1], bytes[2]) = ((byte)random.Next(60), (byte)random.Next(60));
            return new IncomingFrame(i % 4, bytes, 1_700_000_000_000_000_000 + (ulong)i * 500);
        })];
    }
}
