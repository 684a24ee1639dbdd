using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Services;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Circuits that share what was made of their service before the layout are as each is alone.</summary>
public sealed class SeveralCircuitsTests
{
    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["a slow path with procedures"] = () => new SynProxy(),
        ["an engine"] = () => new IgmpSnooper(),
        ["frames that follow a deferred one"] = () => new RareVerdicts(new Policer(FlowTraffic.Flows)),
        ["a loop over the payload"] = () => new CrcGuard(6000),
        ["a table"] = () => new LearningSwitch(),
    };

    private static readonly (HardwareOptions Options, Layout? Layout)[] s_circuits =
    [
        (new HardwareOptions { BusBits = 64 }, null),
        (new HardwareOptions { BusBits = 512, ClockMHz = 322 }, null),
        (new HardwareOptions { BusBits = 128 }, Layout.Engine),
        (new HardwareOptions { Interval = 5 }, null),
        (new HardwareOptions { Ports = 2 }, null),
        (new HardwareOptions(), null),
    ];

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_is_as_it_is_alone(string service) => Check(s_services[service]);

    [Fact]
    public void So_are_those_of_random_programs()
    {
        List<ulong> seeds = [.. Enumerable.Range(0, Tier.IsAll ? 40 : 6).Select(i => 8000 + (ulong)i)];
        foreach (var subject in Fuzzer.Subjects(seeds, OptimizationLevel.Release)) Check(subject.Construct);
    }

    private static void Check(Func<Service> make)
    {
        var shared = new ServiceCompilations(make());
        foreach (var (options, layout) in s_circuits.Share(2))
            Assert.Equal(
                HardwareCompiler.Compile(make(), options, layout).Verilog,
                HardwareCompiler.Compile(shared, options, layout).Verilog);
    }
}
