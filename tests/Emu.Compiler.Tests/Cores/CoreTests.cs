using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Methods that Verilog modules stand for: their C# and the modules are the same on every rung.</summary>
public sealed class CoreTests
{
    private static readonly Dictionary<string, (Func<Service> Make, Layout Fastest)> s_services = new()
    {
        [nameof(HashMarker)] = (() => new HashMarker(), Layout.Pipeline),
        [nameof(CamSwitch)] = (() => new CamSwitch(), Layout.Pipeline),
        [nameof(LastSeen)] = (() => new LastSeen(), Layout.Pipeline),
        [nameof(TypeDelay)] = (() => new TypeDelay(), Layout.Pipeline),
        [nameof(ChecksumMarker)] = (() => new ChecksumMarker(), Layout.Pipeline),
        [nameof(AddressSwap)] = (() => new AddressSwap(), Layout.Pipeline),
        [nameof(LengthDivider)] = (() => new LengthDivider(), Layout.Engine),
        [nameof(TwoQueues)] = (() => new TwoQueues(), Layout.Engine),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value.Make));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus, Verilator")]
    public void A_service_with_a_module_does_the_same_on_every_rung(string service)
    {
        var fastest = s_services[service].Fastest;
        Assert.Equal(fastest, s_subjects[service].Circuit(new HardwareOptions(), null).Layout);
        LadderFrames.Check(s_subjects[service], Traffic(service), LadderFrames.Options with
        {
            BusBits = [256, 64, 512],
            Layouts = fastest == Layout.Pipeline ? [Layout.Pipeline, Layout.Engine] : [Layout.Engine],
        });
    }

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Verilator, Icarus, Yosys")]
    public void No_tool_warns_of_it(string service)
    {
        if (Lint.WhyNot is { } whyNot) Assert.Skip(whyNot);
        Assert.Empty(Lint.Run(s_subjects[service].Circuit(new HardwareOptions(), null).Circuit.Design));
    }

    [Fact]
    public void The_slow_path_calls_the_module_of_the_stages()
    {
        var compiled = HardwareCompiler.Compile(new AddressSwap(), new HardwareOptions());
        Assert.NotEmpty(compiled.SlowPaths);
        var module = Assert.Single(compiled.Circuit.Design.Cores);
        Assert.IsType<Operation>(module.Valid);
    }

    /// <summary>A function has an instance for each call in the stages, and one for all of the slow path.</summary>
    [Fact]
    public void A_module_without_state_is_there_for_each_call() => Assert.Equal(
        2, HardwareCompiler.Compile(new HashMarker(), new HardwareOptions()).Circuit.Design.Cores.Count());

    /// <summary>The ladder finds a module that is wrong.</summary>
    [Fact]
    public void A_module_that_does_something_else_is_found()
    {
        if (OutsideSimulator.Icarus.WhyNot is { } whyNot) Assert.Skip(whyNot);
        var failure = Assert.Throws<TestFailedException>(() => Ladder.Check(
            () => new WrongMarker(), Traffic(nameof(WrongMarker)), new LadderOptions
            {
                Layouts = [Layout.Pipeline],
                Outside = OutsideSimulators.Icarus,
            }));
        Assert.Contains("Icarus", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_module_that_takes_a_call_every_4_cycles_bounds_the_pipeline() => Assert.Equal(
        4, HardwareCompiler.Compile(new SeldomSwitch(), new HardwareOptions()).LeastInterval);

    [Theory]
    [InlineData(typeof(MissingFile), "no resource of its assembly is called nowhere.v")]
    [InlineData(typeof(OtherPorts), "has the ports input clk, input rst, input valid, input [63:0] value, "
        + "output [63:0] result, and not input clk, input rst, input valid, input [31:0] number, output [63:0] result")]
    [InlineData(typeof(NoLatency), "it has neither a Latency nor Cycles")]
    [InlineData(typeof(OpenState), "Count is state of a Verilog module, and is used beside it")]
    public void What_a_module_lacks_is_said(Type service, string reason)
    {
        var refusal = Assert.Throws<CompileException>(
            () => HardwareCompiler.Compile(ServiceConstructor.Construct(service, []), new HardwareOptions()));
        Assert.Equal(DiagnosticNumber.VerilogCore, refusal.Number);
        Assert.Contains(reason, refusal.Reason, StringComparison.Ordinal);
    }

    /// <summary>Few stations and types, so that calls meet in one entry, one behind the other.</summary>
    private static FrameSequence Traffic(string service)
    {
        if (service is nameof(ChecksumMarker) or nameof(AddressSwap)) return Datagrams();
        var random = new Random(3);
        return FrameSequence.Of([.. Enumerable.Range(0, 400).Select(i =>
        {
            var frame = new byte[random.Next(4) == 0 ? random.Next(60, 300) : 60];
            random.NextBytes(frame);
            foreach (var at in (int[])[0, 6])
                (frame[at], frame[at + 1], frame[at + 2], frame[at + 3], frame[at + 4], frame[at + 5]) =
                    (2, 0, 0, 0, 0, (byte)random.Next(i % 100 < 50 ? 6 : 24));
            (frame[10], frame[12]) = (0, (byte)random.Next(3));
            return frame;
        })]);
    }

    private static FrameSequence Datagrams()
    {
        var random = new Random(4);
        var (own, peer) = (new MacAddress(0x0200_0000_0001), new MacAddress(0x0200_0000_0002));
        return FrameSequence.Like(
        [
            .. Enumerable.Range(0, 40).Select(i =>
            {
                var options = i % 5 == 0 ? new byte[4 * random.Next(1, 5)] : [];
                if (options.Length > 0) options[0] = 1;
                return (byte[])Packet.Ethernet(peer, own)
                    .IPv4(new IPv4Address((uint)random.Next()), new IPv4Address(1), options: options)
                    .Udp((ushort)i, 9).Payload(new byte[random.Next(200)]).PaddedTo(60);
            }),
        ], 300);
    }
}
