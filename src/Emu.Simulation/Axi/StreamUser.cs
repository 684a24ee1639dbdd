namespace Emu.Simulation;

/// <summary>
/// The 128 bits of <c>tuser</c> on the first beat of a frame, as the NetFPGA reference pipeline has them.
/// </summary>
/// <param name="Length">Bits 15:0: bytes of the frame.</param>
/// <param name="Source">
/// Bits 23:16: the port it came from, one bit: MAC port <i>i</i> is bit 2<i>i</i>, and port 4 + <i>i</i>, a queue of
/// the host, bit 2<i>i</i> + 1.
/// </param>
/// <param name="Destinations">Bits 31:24: the ports it leaves by.</param>
/// <param name="Time">Bits 95:32: when it arrived, in nanoseconds.</param>
public readonly record struct StreamUser(int Length, byte Source, byte Destinations, ulong Time)
{
    /// <summary>MAC ports of a board; each is one bit in two of a vector of ports.</summary>
    public const int MacPorts = StreamUserLayout.MacPorts;

    /// <summary>Ports of a board: the MAC ports, then the host's queues.</summary>
    public const int MaxPorts = StreamUserLayout.MaxPorts;

    /// <summary>Reads the fields from the two words of <c>tuser</c>.</summary>
    public static StreamUser Of(ReadOnlySpan<ulong> words) =>
        new(
            (ushort)words[0],
            (byte)(words[0] >> StreamUserLayout.SourceLow),
            (byte)(words[0] >> StreamUserLayout.DestinationLow),
            words[0] >> StreamUserLayout.TimeLow | words[1] << StreamUserLayout.TimeLow);

    /// <summary>Puts it into the two words of <c>tuser</c>.</summary>
    /// <param name="words">Two words; bits 127:96 are left as they are.</param>
    public void CopyTo(Span<ulong> words)
    {
        words[0] = (ushort)Length
            | (ulong)Source << StreamUserLayout.SourceLow
            | (ulong)Destinations << StreamUserLayout.DestinationLow
            | Time << StreamUserLayout.TimeLow;
        words[1] = words[1] & 0xFFFF_FFFF_0000_0000 | Time >> StreamUserLayout.TimeLow;
    }

    /// <summary>
    /// The bit of a port: 0x01, 0x04, 0x10, 0x40 of the MAC ports, 0x02, 0x08, 0x20, 0x80 of the host's queues; 0 for
    /// <see cref="PortId.None"/>.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such port.</exception>
    public static byte Bit(PortId port)
    {
        if (port == PortId.None) return 0;
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(port.Index, MaxPorts, nameof(port));
        return (byte)(1 << StreamUserLayout.BitOf(port.Index));
    }

    /// <summary>The ports in a vector of ports.</summary>
    public static PortSet Ports(byte bits)
    {
        var ports = PortSet.None;
        for (byte i = 0; i < MaxPorts; i++)
            if ((bits >> StreamUserLayout.BitOf(i) & 1) != 0) ports |= PortSet.Of(new PortId(i));
        return ports;
    }
}
