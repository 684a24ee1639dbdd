namespace Emu;

/// <summary>
/// The bits of <c>tuser</c> on the first beat of a frame: the contract of NetFPGA's reference designs, and the time of
/// arrival.
/// </summary>
internal static class StreamUserLayout
{
    /// <summary>The width of <c>tuser</c>.</summary>
    public const int Bits = 128;

    /// <summary>Bits 15:0: bytes of the frame.</summary>
    public const int LengthBits = 16;

    /// <summary>Bits 23:16: the port it came from, one-hot.</summary>
    public const int SourceLow = 16;

    /// <summary>Bits 31:24: the ports it leaves by.</summary>
    public const int DestinationLow = 24;

    /// <summary>Bits 95:32: the time of arrival in nanoseconds.</summary>
    public const int TimeLow = 32;

    /// <summary>The MAC ports of a field of ports: its even bits.</summary>
    public const int MacPorts = 4;

    /// <summary>The ports of a field: behind the MAC ports the host's queues, its odd bits.</summary>
    public const int MaxPorts = 8;

    private const int MacPortBits = 0x55;

    /// <summary>The bit of a port in a field of ports.</summary>
    public static int BitOf(int port) => port < MacPorts ? 2 * port : 2 * (port - MacPorts) + 1;

    /// <summary>The bits of a field that say that a frame comes from a port: all MAC ports', and the host's.</summary>
    /// <param name="ports">The ports of the device.</param>
    public static int BitsOf(int ports)
    {
        var bits = MacPortBits;
        for (var port = MacPorts; port < ports; port++) bits |= 1 << BitOf(port);
        return bits;
    }
}
