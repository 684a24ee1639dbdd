namespace Emu.Hosting;

/// <summary>
/// Turns off what joins frames that an interface receives into longer ones that no wire has carried (GRO and LRO),
/// and back on what was on.
/// </summary>
/// <remarks>
/// The interface's own transmit offloads are left as they are: they touch only what the host itself sends, which the
/// port does not see, and what the port sends asks for none. Those of the peer of a veth pair do matter,
/// and can only be turned off there.
/// </remarks>
internal sealed class ReceiveOffloads
{
    // linux/ethtool.h
    private const uint GetGro = 0x2B;               // ETHTOOL_GGRO
    private const uint SetGro = 0x2C;               // ETHTOOL_SGRO
    private const uint GetFlags = 0x25;             // ETHTOOL_GFLAGS
    private const uint SetFlags = 0x26;             // ETHTOOL_SFLAGS
    private const uint Lro = 1 << 15;               // ETH_FLAG_LRO

    private readonly bool _hadGro;
    private readonly bool _hadLro;

    /// <summary>
    /// Turns them off. A driver that does not let it is left alone: the port leaves out joined frames and says so.
    /// </summary>
    public ReceiveOffloads(NetworkInterface device)
    {
        _hadGro = device.GetEthtool(GetGro) is > 0 && device.SetEthtool(SetGro, 0);
        _hadLro = device.GetEthtool(GetFlags) is { } flags
            && (flags & Lro) != 0 && device.SetEthtool(SetFlags, flags & ~Lro);
    }

    /// <summary>Turns back on what was on.</summary>
    public void Restore(NetworkInterface device)
    {
        if (_hadGro) device.SetEthtool(SetGro, 1);
        if (_hadLro && device.GetEthtool(GetFlags) is { } flags) device.SetEthtool(SetFlags, flags | Lro);
    }
}
