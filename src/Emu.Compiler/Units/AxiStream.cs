using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The contents of <c>tuser</c> and of a frame's first bytes:
/// the contract of NetFPGA's reference designs, and the time of arrival.
/// </summary>
internal static class AxiStream
{
    public const int UserBits = 128;

    /// <summary>Bits 15:0 of the first beat: bytes of the frame.</summary>
    public const int LengthBits = 16;

    /// <summary>Bits 23:16: the port it came from, one-hot.</summary>
    public const int SourceLow = 16;

    /// <summary>Bits 31:24: the ports it leaves by.</summary>
    public const int DestinationLow = 24;

    /// <summary>Bits 95:32: nanoseconds.</summary>
    public const int TimeLow = 32;

    /// <summary>The even bits are MAC ports, the odd ones host queues.</summary>
    public const int MacPorts = 0x55;

    /// <summary>The offset of the EtherType.</summary>
    public const int TypeOffset = 12;

    /// <summary>The bytes of a VLAN tag.</summary>
    public const int TagBytes = 4;

    /// <summary>The same for people, at the head of a circuit.</summary>
    public static IReadOnlyList<string> Interface { get; } =
    [
        "Interface  s_axis, m_axis: byte 0 of a frame is tdata[7:0]; tuser of the first beat: "
        + "[15:0] length, [23:16] source port,",
        "           [31:24] destination ports, a bit each, the even ones MAC ports; "
        + "[95:32] time of arrival in nanoseconds.",
        "           s_axi: registers, see the report.",
    ];

    /// <summary>The EtherTypes of VLAN tags (IEEE 802.1Q-2022 Table 9-1).</summary>
    public static IReadOnlyList<ushort> TagTypes => [0x8100, 0x88A8];

    /// <summary>A set of ports, a bit each, as the bits of a <c>tuser</c> field.</summary>
    public static Value PortField(Netlist n, Value ports)
    {
        Value field = n.Extract(ports, 0, 1);
        for (var i = 1; i < HardwareOptions.MaxPorts; i++)
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
