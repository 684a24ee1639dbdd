using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Checksums that begin behind a chain of headers, at odd places too.</summary>
public sealed class PlacedSumTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["ChainSum"] = () => new ChainSum(),
        ["SumOfPart"] = () => new SumOfPart(),
        ["SumOfWritten"] = () => new SumOfWritten(),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_sum_and_each_fault_is_as_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], ChainTraffic.Of(400));

    [Fact]
    public void A_sum_behind_a_chain_is_the_pipeline_s()
    {
        var compiled = s_subjects["ChainSum"].Circuit(new HardwareOptions(), Layout.Pipeline);
        Assert.DoesNotContain(compiled.Circuit.Design.Sections, section => section.Title == "states of the program");
        Assert.Contains(compiled.Circuit.Loops, loop => loop.Rate.StartsWith("32 bytes a cycle"));
    }

    [Fact]
    public void Bytes_that_were_written_are_the_slow_path_s() => Assert.Contains(
        s_subjects["SumOfWritten"].Circuit(new HardwareOptions(), Layout.Pipeline).Circuit.Design.Sections,
        section => section.Title == "states of the program");

    [Theory]
    [MemberData(nameof(Services))]
    public void Reset_in_the_middle_of_a_frame_leaves_a_clean_machine(string service) =>
        ResetInAFrame.Check(s_subjects[service], ChainTraffic.Of(60));

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) =>
        Agreement.CheckOutside(s_subjects[service], ChainTraffic.Of(60), OutsideSimulator.Icarus);

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Verilator")]
    public void It_is_in_Verilator(string service) =>
        Agreement.CheckOutside(s_subjects[service], ChainTraffic.Of(60), OutsideSimulator.Verilator);
}
