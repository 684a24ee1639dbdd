using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>A service that calls a large method at five places has it once, as an engine.</summary>
public sealed class SynProxyTests
{
    private const int MostLuts = 4500, LeastLutsOfCopies = 20_000;

    private static readonly IPv4Address s_server = IPv4Address.Parse("10.0.0.1");

    [Fact]
    public void The_hash_is_there_once()
    {
        var shared = HardwareCompiler.Compile(new SynProxy(), new HardwareOptions(), Layout.Engine);
        Assert.Equal(
            ["SipHash.Add", "SynProxy.Hash"], shared.Compilation.Procedures.Select(p => p.Name).Order());
        Assert.InRange(LutsOf(shared), 0, MostLuts);
        var options = new HardwareOptions { SharedCalls = _ => false };
        var copies = HardwareCompiler.Compile(new SynProxy(), options, Layout.Engine);
        Assert.Empty(copies.Compilation.Procedures);
        Assert.InRange(LutsOf(copies), LeastLutsOfCopies, int.MaxValue);
    }

    [Fact]
    public void It_does_the_same_on_every_rung()
    {
        var result = Ladder.Check(() => new SynProxy(), [.. Frames()], Options(OutsideSimulators.None));
        Assert.InRange(result.Sent, 40, 100);
    }

    [Fact]
    [Slow("Icarus and Verilator")]
    public void It_does_in_other_simulators() =>
        Ladder.Check(() => new SynProxy(), [.. Frames()], Options(OutsideSimulators.All));

    private static LadderOptions Options(OutsideSimulators outside) => new()
    {
        BusBits = [64, 256, 512],
        Layouts = [Layout.Engine],
        Outside = outside,
    };

    private static long LutsOf(CompiledService compiled) =>
        Resources.Of(compiled.Circuit.Design, new CostTree(compiled.Circuit).Costs()).Luts;

    /// <summary>Of each client a SYN, then its cookie or another, then data.</summary>
    private static IEnumerable<IncomingFrame> Frames()
    {
        for (var i = 0; i < 90; i++)
        {
            var client = new IPv4Address(0x0A00_0100u + (uint)(i / 3));
            var time = (ulong)i * 3_000_000_000;
            var cookie = (uint)SipHash.Of(
                SynProxy.Key, (ulong)client.Bits << 32 | s_server.Bits,
                7000ul << 48 | 80ul << 32 | (time - 3_000_000_000 * (ulong)(i % 3)) / 64_000_000_000);
            var packet = Packet.Ethernet(MacAddress.Parse("02:00:00:00:00:0b"), MacAddress.Parse("02:00:00:00:00:01"))
                .IPv4(client, s_server);
            packet = (i % 3) switch
            {
                0 => packet.Tcp(7000, 80, (uint)i, flags: Packet.Syn),
                1 => packet.Tcp(7000, 80, (uint)i, i % 5 == 0 ? 7 : cookie + 1, Packet.Ack),
                _ => packet.Tcp(7000, 80, (uint)i, 1, Packet.Ack).Payload(new byte[i]),
            };
            yield return new IncomingFrame(i % 2, packet.PaddedTo(60), time);
        }
    }
}
