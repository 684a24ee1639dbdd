using Emu.Compiler;
using Emu.Compiler.Clocked;
using Emu.Compiler.Layouts;
using Emu.Samples;
using Emu.Services;
using Emu.Testing;

namespace Emu.Clocked.Tests;

/// <summary>
/// Services as programs of the clock level: the frames that leave are those of the service on .NET, and the program is
/// the same in every cycle on .NET, as a stepped circuit, in Icarus and in Verilator.
/// </summary>
public sealed class DialectTests
{
    private const int Frames = 60;

    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:02");
    private static readonly IPv4Address s_address = IPv4Address.Parse("10.0.0.2");

    private static readonly Dictionary<string, Func<Service>> s_services = new()
    {
        ["Mirror"] = () => new Mirror(),
        ["LearningSwitch"] = () => new LearningSwitch(),
        ["IcmpEcho"] = () => new IcmpEcho(s_address, s_mac),
        ["TcpPing"] = () => new TcpPing(s_address, s_mac, listen: [80], key: 1),
    };

    public static TheoryData<string> Services => [.. s_services.Keys];

    /// <summary>Frames that a host answers, and one that a switch floods.</summary>
    private static IReadOnlyList<byte[]> Samples()
    {
        var (peerMac, peer) = (MacAddress.Parse("02:00:00:00:00:01"), IPv4Address.Parse("10.0.0.1"));
        var toHost = Packet.Ethernet(peerMac, s_mac);
        return
        [
            Packet.Ethernet(peerMac, MacAddress.Broadcast).ArpRequest(peerMac, peer, s_address),
            toHost.IPv4(peer, s_address, ttl: 3).IcmpEchoRequest(7, 9).Payload("hello"),
            toHost.IPv4(peer, s_address, ttl: 3).IcmpEchoRequest(7, 10).Payload(new byte[301]),
            toHost.IPv4(peer, s_address).Tcp(1000, 80, 17, 0, Packet.Syn),
            toHost.IPv4(peer, s_address).Tcp(1000, 81, 17, 0, Packet.Syn),
        ];
    }

    [Theory]
    [MemberData(nameof(Services))]
    public void A_service_sends_the_same_frames_as_a_program_of_the_clock_level(string name)
    {
        var construct = s_services[name];
        var source = DialectCompiler.Compile(construct(), new HardwareOptions()).Source;
        var program = Source.File(source);
        var circuit = ClockedCompiler.Compile(program);
        var frames = FrameSequence.Like(Samples(), Frames);

        var (inputs, sent) = FrameRun.Of(circuit, frames);
        var expected = new DotNetRung().Run(new Subject(construct), frames).Events.SelectMany(e => e.Sent)
            .Select(frame => frame.ToString());
        Assert.NotEmpty(expected);
        Assert.Equal(expected, sent);

        var trace = Trace.OfDotNet(program, inputs.Count, (cycle, port) => inputs[(int)cycle][port.Name]);
        foreach (var simulator in Trace.Simulators(circuit.Design)) Assert.Null(trace.Difference(simulator));
    }

    /// <summary>
    /// KiwiC's circuit of a program has each port the same in each cycle. With that of <c>TcpPing</c>, whose cipher is
    /// 4,000 lines, it does not end in 25 minutes.
    /// </summary>
    [Theory]
    [InlineData("Mirror")]
    [InlineData("LearningSwitch")]
    [InlineData("IcmpEcho")]
    public void KiwiCs_circuit_of_a_service_is_the_same_in_every_cycle(string name)
    {
        var source = DialectCompiler.Compile(s_services[name](), new HardwareOptions()).Source;
        var circuit = KiwiCircuit.Of(source, name);
        var program = Source.File(source);
        var inputs = FrameRun.Of(ClockedCompiler.Compile(program), FrameSequence.Like(Samples(), Frames)).Inputs;
        var trace = Trace.OfDotNet(program, inputs.Count, (cycle, port) => inputs[(int)cycle][port.Name]);
        Assert.Null(KiwiCircuit.Difference(trace, circuit));
    }
}
