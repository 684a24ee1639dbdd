using System.Text.RegularExpressions;
using Emu.Compiler.Clocked;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Clocked.Tests;

/// <summary>Released services, where <c>EMU_LIVE</c> names a clone, are the same on .NET and as circuits.</summary>
public sealed partial class ReleasedServiceTests
{
    private static readonly string? s_clone = Environment.GetEnvironmentVariable("EMU_LIVE");

    public static TheoryData<string> Services =>
    [
        "emu_ICMP_echo", "emu_TCP_pingRA", "emu_DNS_server", "emu_memcached_ascii", "emu_memcached_ascii_v2",
        "emu_memcached_binary", "emu_memcached_binary_v2", "emu_reference_switch", "emu_reference_switch_lite",
        "emu_reference_switch_lite_v2", "emu_reference_switch_threads", "emu_stats_gadget",
    ];

    [Theory]
    [MemberData(nameof(Services))]
    public void A_service_is_the_same_on_every_rung(string service)
    {
        Assert.SkipWhen(
            s_clone is null, "EMU_LIVE is not set: git clone https://github.com/NaaS/emu-live, and give its folder");
        var text = File.ReadAllText(Path.Combine(s_clone!, "kiwi_src", service + ".cs"));
        Trace.Check(Source.File(Length().Replace(text, "new$1[]$2")), 2000, isOutside: false);
    }

    /// <summary>
    /// The release has what KiwiC made of this program: each port is the same in each cycle, behind the one that
    /// KiwiC's circuit takes for the code before the first pause.
    /// </summary>
    [Fact]
    public void KiwiCs_own_circuit_is_the_same_in_every_cycle()
    {
        Assert.SkipWhen(s_clone is null, "EMU_LIVE is not set");
        Assert.SkipWhen(VerilatorSimulator.WhyNot is not null, VerilatorSimulator.WhyNot ?? "");
        var text = File.ReadAllText(Path.Combine(s_clone!, "TCP_Ping.cs"));
        var program = Source.File(Length().Replace(text, "new$1[]$2"));
        var (inputs, sent) = FrameRun.Of(ClockedCompiler.Compile(program), FrameSequence.Like(Segments(), 20));
        Assert.NotEmpty(sent);

        var trace = Trace.OfDotNet(program, inputs.Count, (cycle, port) => inputs[(int)cycle][port.Name]);
        // KiwiC cuts ~0UL off at 32 bits.
        foreach (var row in trace.Outputs) row["cam_cmp_din"] &= uint.MaxValue;
        var verilog = File.ReadAllText(Path.Combine(s_clone!, "out", "TCP_Ping.v"));
        var circuit = Trace.Verilator(KiwiCircuit.Read(verilog, "EthernetEcho"));
        Assert.Null(KiwiCircuit.Difference(trace, circuit));
    }

    /// <summary>
    /// The user's copy of KiwiC makes the same of programs, for addresses of a CAM of 16 entries. Of
    /// <c>emu_reference_switch_lite</c> and <c>emu_stats_gadget</c> it does not: an index that the program itself
    /// computes leaves an array there, where a thread ends on .NET.
    /// </summary>
    [Theory]
    [InlineData("emu_ICMP_echo")]
    [InlineData("emu_TCP_pingRA")]
    [InlineData("emu_DNS_server")]
    [InlineData("emu_reference_switch")]
    [InlineData("emu_reference_switch_lite_v2")]
    [InlineData("emu_reference_switch_threads")]
    public void The_circuit_of_a_users_KiwiC_is_the_same_in_every_cycle(string service)
    {
        Assert.SkipWhen(s_clone is null, "EMU_LIVE is not set");
        var text = Length().Replace(File.ReadAllText(Path.Combine(s_clone!, "kiwi_src", service + ".cs")), "new$1[]$2");
        var circuit = KiwiCircuit.Of(text, service);
        var random = Trace.Random(1);
        var trace = Trace.OfDotNet(Source.File(text), 2000, (cycle, port) =>
            port.Name == "cam_match_addr" ? random(cycle, port) & 15 : random(cycle, port));
        Assert.Null(KiwiCircuit.Difference(trace, circuit));
    }

    private static IReadOnlyList<byte[]> Segments()
    {
        var toHost = Packet.Ethernet(new MacAddress(0x0200_0000_0001), new MacAddress(0x0200_0000_0002))
            .IPv4(new IPv4Address(0x0A00_0001), new IPv4Address(0x0A00_0002));
        return
        [
            toHost.Tcp(1024, 80, 17, flags: Packet.Syn).PaddedTo(60),
            toHost.Tcp(1025, 81, 0xFFFF_FFF0, flags: Packet.Syn).Payload(new byte[100]),
            toHost.Udp(1024, 7).Payload(new byte[30]),
        ];
    }

    [GeneratedRegex(@"\bnew(\s+\w+\s*)\[\s*[A-Za-z_][\w.]*\s*\](\s*\{)")]
    private static partial Regex Length();
}
