using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops that go on by lengths that they read are done in the pipeline as the bytes pass.</summary>
public sealed class WalkTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["LabelWalk of 14"] = () => new LabelWalk(14),
        ["LabelWalk of 45"] = () => new LabelWalk(45),
        ["OptionWalk"] = () => new OptionWalk(),
        ["HashedWalk"] = () => new HashedWalk(),
        ["EndedWalk"] = () => new EndedWalk(),
        ["LateWalk"] = () => new LateWalk(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InVerilator => [.. s_services.Keys.Share(3)];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(3)];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_step_and_each_end_is_where_it_is_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], Traffic(500));

    [Theory]
    [MemberData(nameof(Services))]
    public void There_is_no_slow_path(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.DoesNotContain(
            compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
        var folds = compiled.Compilation.Fast!.Blocks().SelectMany(block => block.Operations)
            .Where(operation => operation.Opcode == Opcode.FrameFold);
        Assert.True(Assert.Single(folds).Fold!.IsWalk);
    }

    [Fact]
    public void Turns_that_do_nothing_are_passed_over()
    {
        var compiled = HardwareCompiler.Compile(new LabelWalk(14), new HardwareOptions(), Layout.Pipeline);
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        var frame = new byte[250];
        (frame[14], frame[130]) = (115, 100);
        for (var i = 0; i < 100; i++) bench.Send(frame, new PortId(0), (ulong)i);
        bench.RunUntilIdle(100_000);
        // 8 beats come; a turn of each byte would take a unit more than a hundred cycles.
        Assert.InRange(bench.IntervalsIn().Skip(20).Take(60).Average(), 8, 10);
    }

    [Theory]
    [InlineData("LabelWalk of 14")]
    [InlineData("LabelWalk of 45")]
    [InlineData("OptionWalk")]
    [InlineData("EndedWalk")]
    public void Where_a_walk_comes_to_is_known_four_bytes_a_cycle(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        var loop = Assert.Single(compiled.Circuit.Loops);
        Assert.True(loop is { Bytes: >= 4, Cycles: 1 }, loop.Rate);
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

    /// <summary>Steps end before the frame's end, at it and behind it, and so do the parts that headers say.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(23);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[14 + i % 139];
            random.NextBytes(bytes);
            var most = random.Next(4) switch { 0 => 3, 1 => 6, 2 => 24, _ => 256 };
            for (var at = 14; at < bytes.Length; at++)
                bytes[at] = (byte)(random.Next(40) == 0 ? 0 : 1 + bytes[at] % most);
            bytes[0] = (byte)(random.Next(3) == 0 ? 40 : random.Next(bytes.Length + 4));
            bytes[1] = (byte)random.Next(bytes.Length + 4);
            // An option that is looked for, at any place.
            if (bytes.Length > 18 && random.Next(2) == 0)
                new byte[] { 2, 4 }.CopyTo(bytes, 14 + random.Next(bytes.Length - 16));
            return new IncomingFrame(random.Next(Subject.Ports), bytes, 1000 * (ulong)i);
        })];
    }
}
