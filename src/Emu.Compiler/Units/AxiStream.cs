using Emu.Compiler.IR;
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

    /// <summary>A set of ports, a bit each, as the bits of a <c>tuser</c> field.</summary>
    public static Value PortField(Netlist n, Value ports)
    {
        Value field = n.Extract(ports, 0, 1);
        for (var i = 1; i < StreamUserLayout.MacPorts; i++)
            field = n.Concat(
                n.Concat(i < ports.Width ? n.Extract(ports, i, 1) : FoldingBuilder.Zero(1), FoldingBuilder.Zero(1)),
                field);
        return n.Resize(field, 8);
    }

    /// <summary>The number of the MAC port whose bit is set.</summary>
    public static Value PortIndex(Netlist n, Value field) =>
        n.Concat(
            n.Or(n.Extract(field, 4, 1), n.Extract(field, 6, 1)), n.Or(n.Extract(field, 2, 1), n.Extract(field, 6, 1)));
}
