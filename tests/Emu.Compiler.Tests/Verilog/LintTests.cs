using Emu.Compiler.Layouts;
using Emu.Compiler.Rtl;
using Emu.Services;
using Emu.Simulation;

namespace Emu.Compiler.Tests;

/// <summary>The tools of the field take the services' Verilog without a warning.</summary>
[Slow("Verilator, Icarus, Yosys")]
public sealed class LintTests
{
    private static readonly Dictionary<string, (Func<Service> Construct, Layout Layout)> s_circuits = new()
    {
        ["LearningSwitch, pipeline"] = (() => new LearningSwitch(), Layout.Pipeline),
        ["LearningSwitch, engine"] = (() => new LearningSwitch(), Layout.Engine),
        ["IcmpEcho, IPv4 and IPv6"] =
            (() => new IcmpEcho(HardwareSubject.Ip, HardwareSubject.Mac, IPv6Address.Parse("fd00::2")), Layout.Engine),
        ["TcpPing"] = (
            () => new TcpPing(HardwareSubject.Ip, HardwareSubject.Mac, IPv6Address.Parse("fd00::2"), [80], 1),
            Layout.Engine),
    };

    private static readonly Dictionary<string, Lazy<Design>> s_designs =
        s_circuits.Keys.ToDictionary(circuit => circuit, circuit => new Lazy<Design>(() => Compile(circuit)));

    public static TheoryData<string> Circuits => [.. s_circuits.Keys];

    [Theory]
    [MemberData(nameof(Circuits))]
    public void Verilator_Icarus_and_Yosys_warn_of_nothing(string circuit)
    {
        if (Lint.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Assert.Empty(Lint.Run(s_designs[circuit].Value));
    }

    [Theory]
    [InlineData("LearningSwitch, pipeline")]
    [InlineData("LearningSwitch, engine")]
    [InlineData("IcmpEcho, IPv4 and IPv6")]
    [InlineData("TcpPing", Traits = ["tier", "campaign"])]
    public void Synthesis_warns_of_nothing(string circuit)
    {
        if (Lint.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Assert.Empty(Lint.Synthesise(s_designs[circuit].Value));
    }

    private static Design Compile(string circuit) =>
        HardwareCompiler.Compile(
            s_circuits[circuit].Construct(), new HardwareOptions(), s_circuits[circuit].Layout).Circuit.Design;
}
