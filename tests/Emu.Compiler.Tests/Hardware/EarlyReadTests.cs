using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Reads at computed places behind writes at others.</summary>
public sealed class EarlyReadTests
{
    private static readonly Dictionary<string, Subject> s_subjects = new()
    {
        ["ChainChange"] = new Subject(() => new ChainChange()),
        ["ChainRewrite"] = new Subject(() => new ChainRewrite()),
    };

    public static TheoryData<string> Services => [.. s_subjects.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_read_and_each_fault_is_as_in_CSharp(string service) =>
        Agreement.CheckPipelines(s_subjects[service], ChainTraffic.Of(400));

    [Fact]
    public void What_is_read_behind_a_write_of_other_bytes_is_the_pipeline_s() => Assert.DoesNotContain(
        s_subjects["ChainChange"].Circuit(new HardwareOptions(), Layout.Pipeline).SlowPaths,
        exit => exit.Reason.Contains("written", StringComparison.Ordinal));

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
