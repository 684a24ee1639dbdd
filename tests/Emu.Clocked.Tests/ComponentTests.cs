using System.Text.RegularExpressions;
using Emu.Compiler;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.Layouts;
using Emu.Compiler.Verilog;
using Emu.Samples;
using Emu.Testing;

namespace Emu.Clocked.Tests;

/// <summary>Programs of the clock level as operations of services: the C# and the circuit are the same.</summary>
public sealed class ComponentTests
{
    private static readonly Dictionary<string, (Func<Service> Make, Layout Fastest)> s_services = new()
    {
        [nameof(FrameStamper)] = (() => new FrameStamper(), Layout.Pipeline),
        [nameof(UplinkSelector)] = (() => new UplinkSelector(), Layout.Engine),
        [nameof(PortIsolation)] = (() => new PortIsolation(0), Layout.Engine),
    };

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void A_service_with_a_component_does_the_same_on_every_rung(string service)
    {
        var (make, fastest) = s_services[service];
        Assert.Equal(fastest, HardwareCompiler.Compile(make(), new HardwareOptions()).Layout);
        Ladder.Check(make, Frames(), new LadderOptions
        {
            BusBits = [256, 64],
            Layouts = fastest == Layout.Pipeline ? [Layout.Pipeline, Layout.Engine] : [Layout.Engine],
        });
    }

    [Theory]
    [InlineData(typeof(UplinkSelector), "SerialRemainder")]
    [InlineData(typeof(FrameStamper), nameof(StampUnit))]
    [InlineData(typeof(PortIsolation), "SerialMemoryReader")]
    [InlineData(typeof(PortIsolation), "SerialMemory")]
    public void A_component_is_the_same_in_every_cycle_on_every_rung(Type service, string component) =>
        Trace.Check(ClockedProgram.Load(service.Assembly.Location, component));

    /// <summary>The ladder finds a component that is wrong.</summary>
    [Fact]
    public void A_component_that_does_something_else_is_found()
    {
        Assert.SkipWhen(OutsideSimulator.Icarus.WhyNot is not null, OutsideSimulator.Icarus.WhyNot ?? "");
        var failure = Assert.Throws<TestFailedException>(() => Ladder.Check(
            () => new WrongStamper(), Frames(), new LadderOptions
            {
                Layouts = [Layout.Pipeline],
                Outside = OutsideSimulators.Icarus,
            }));
        Assert.Contains("Icarus", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(typeof(OtherPorts), "module WrongUnit has the ports")]
    [InlineData(typeof(NoModel), "module PinnedUnit has the pins ready, level beside the ports of a call; name what")]
    [InlineData(typeof(WrongModel), "its model StampUnit has the ports")]
    [InlineData(typeof(NoPins), "module WrongUnit has no pins for PinnedUnit; leave the Model out")]
    [InlineData(typeof(NoProgram), "has no method with [Kiwi.HardwareEntryPoint] in OtherPorts")]
    public void What_a_component_lacks_is_said(Type service, string reason)
    {
        var refusal = Assert.Throws<CompileException>(
            () => HardwareCompiler.Compile(ServiceConstructor.Construct(service, []), new HardwareOptions()));
        Assert.Equal(DiagnosticNumber.VerilogCore, refusal.Number);
        Assert.Contains(reason, refusal.Reason, StringComparison.Ordinal);
    }

    /// <summary>Pins are ports of what is synthesised, and wires to the model in a simulation.</summary>
    [Fact]
    public void Pins_are_ports_of_the_module()
    {
        var design = HardwareCompiler.Compile(new PortIsolation(0), new HardwareOptions()).Circuit.Design;
        string[] pins =
        [
            "input wire serial_words_read_miso", "output wire serial_words_read_sclk",
            "output wire serial_words_read_mosi", "output wire serial_words_read_cs_n",
        ];
        var synthesised = Plain(VerilogPrinter.Print(design));
        Assert.All(pins, pin => Assert.Contains(pin, synthesised, StringComparison.Ordinal));
        Assert.DoesNotContain("SerialMemory serial_words_read_model", synthesised, StringComparison.Ordinal);
        var simulated = Plain(VerilogPrinter.PrintForSimulation(design));
        Assert.All(pins, pin => Assert.DoesNotContain(pin, simulated, StringComparison.Ordinal));
        Assert.Contains("SerialMemory serial_words_read_model", simulated, StringComparison.Ordinal);

        static string Plain(string text) => Regex.Replace(text, " +", " ");
    }

    /// <summary>Frames of few kinds, some that say how many uplinks there are, some that are dropped.</summary>
    private static FrameSequence Frames()
    {
        var random = new Random(5);
        return FrameSequence.Of([.. Enumerable.Range(0, 200).Select(i =>
        {
            var frame = new byte[random.Next(4) == 0 ? random.Next(60, 300) : 60];
            random.NextBytes(frame);
            if (i % 7 == 0) (frame[12], frame[13], frame[14]) = (0x88, 0xB5, (byte)random.Next(5));
            if (i % 3 == 0) frame.AsSpan(6, random.Next(7)).Clear();
            if (i % 5 == 0) frame[1] = 0;
            return frame;
        })]);
    }
}
