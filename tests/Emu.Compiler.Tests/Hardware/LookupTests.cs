using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>
/// Loops and parsers along a frame that look something up in a table that nothing writes, at an index that they
/// compute.
/// </summary>
public sealed class LookupTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["HexReader"] = () => new HexReader(),
        ["WordCounter"] = () => new WordCounter(),
        ["RecordWalk"] = () => new RecordWalk(),
        ["MarkedCode"] = () => new MarkedCode(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    public static TheoryData<string> InVerilator => [.. s_services.Keys.Share(4)];

    public static TheoryData<string> InIcarus => [.. s_services.Keys.Share(2)];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_exit_and_each_fault_is_where_it_is_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], LookupFrames.Of(400));

    [Theory]
    [MemberData(nameof(Services))]
    public void No_frame_takes_a_slow_path(string service)
    {
        var compiled = s_subjects[service].Circuit(new HardwareOptions(), Layout.Pipeline);
        var paths = new FramePaths(compiled);
        Assert.All(LookupFrames.Of(200), frame =>
            Assert.Null(paths.WhyDeferred(frame.Bytes, new PortId(frame.Port), frame.Time)?.Reason));
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], LookupFrames.Of(60));

    [Theory]
    [MemberData(nameof(InIcarus))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], LookupFrames.Of(60), OutsideSimulator.Icarus);

    [Theory]
    [MemberData(nameof(InVerilator))]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], LookupFrames.Of(60), OutsideSimulator.Verilator);
}
