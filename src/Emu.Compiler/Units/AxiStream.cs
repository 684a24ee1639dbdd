using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The fields of <c>tuser</c> in a circuit: see <see cref="StreamUserLayout"/>.
/// </summary>
internal static class AxiStream
{
    /// <summary>The contents of <c>tuser</c> for people, at the head of a circuit.</summary>
    public static IReadOnlyList<string> Interface { get; } =
    [
        "Interface  s_axis, m_axis: byte 0 of a frame is tdata[7:0]; tuser of the first beat: "
        + "[15:0] length, [23:16] source port,",
        "           [31:24] destination ports, a bit each, the even ones MAC ports; "
        + "[95:32] time of arrival in nanoseconds.",
        "           s_axi: registers, see the report.",
    ];

    /// <summary>The frames that arrive at the pins; what says that a beat is taken is the pin's own register.</summary>
    /// <param name="n">The circuit.</param>
    /// <param name="options">The device.</param>
    public static BeatStream Arriving(Netlist n, HardwareOptions options)
    {
        var data = n.Input("s_axis_tdata", options.BusBits);
        var keep = new InputBits(n.Input("s_axis_tkeep", options.Lanes), 0, options.Lanes);
        var valid = new InputBits(n.Input("s_axis_tvalid", 1), 0, 1);
        var isLast = new InputBits(n.Input("s_axis_tlast", 1), 0, 1);
        var user = new InputBits(n.Input("s_axis_tuser", StreamUserLayout.Bits), 0, StreamUserLayout.Bits);
        return new BeatStream(
            [.. Enumerable.Range(0, options.Lanes).Select(lane => new InputBits(data, 8 * lane, 8))], keep, valid,
            isLast, user, new Wire("ready", FoldingBuilder.Bit(false)));
    }

    /// <summary>A set of ports, a bit each, as the bits of a <c>tuser</c> field.</summary>
    public static Value PortField(Netlist n, Value ports)
    {
        Value Bit(int port) => port < ports.Width ? n.Extract(ports, port, 1) : FoldingBuilder.Zero(1);
        return Enumerable.Range(1, StreamUserLayout.MaxPorts - 1).OrderBy(StreamUserLayout.BitOf).Select(Bit)
            .Aggregate(Bit(0), (field, bit) => n.Concat(bit, field));
    }

    /// <summary>The number of the port whose bit is set.</summary>
    /// <param name="n">The circuit.</param>
    /// <param name="field">A field of ports.</param>
    /// <param name="ports">The ports of the device; beside those of MAC ports no other bits are looked at.</param>
    public static Value PortIndex(Netlist n, Value field, int ports)
    {
        ports = Math.Max(ports, StreamUserLayout.MacPorts);
        Value Bit(int bit) => n.ReduceOr(Enumerable.Range(0, ports).Where(port => (port >> bit & 1) != 0)
            .Select(port => n.Extract(field, StreamUserLayout.BitOf(port), 1)));
        return Enumerable.Range(1, BitOperations.Log2((uint)ports - 1)).Select(Bit)
            .Aggregate(Bit(0), (index, bit) => n.Concat(bit, index));
    }
}
