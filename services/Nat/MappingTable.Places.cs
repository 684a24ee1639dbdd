namespace Emu.Services;

/// <content>The ports that an endpoint may have, and where a mapping of a port lies.</content>
public sealed partial class MappingTable
{
    private const int ParityBits = 1;

    /// <summary>The first port that is not a system port (RFC 6335 §6).</summary>
    private const int FirstUserPort = 1024;

    private int WayOf(ushort port) => port >> ParityBits & _ways.Length - 1;

    /// <summary>
    /// Ports that follow one another have different entries, and those of different protocols with the same number too.
    /// </summary>
    private int IndexOf(FlowProtocol protocol, ushort port)
    {
        const int Spread = 0x1555;
        return (port >> ParityBits + _wayBits << ParityBits ^ port & 1 ^ (int)protocol * Spread) & _mask;
    }

    /// <summary>
    /// The port that an endpoint gets if it is free: the same number (RFC 4787 §4.2.1), or that of its forward.
    /// </summary>
    private ushort PreferredPort(Endpoint inside)
    {
        var preferred = inside.Port;
        foreach (var forward in _forwards)
        {
            if (forward.Inside.Bits == inside.Bits) preferred = forward.ExternalPort;
        }
        return preferred;
    }

    /// <summary>The port that an endpoint may have in one of the memories.</summary>
    private ushort PortIn(int way, int hash, ushort preferred)
    {
        if (WayOf(preferred) == way) return preferred;
        var port = (ushort)(PortHash(hash, way) << ParityBits + _wayBits) | way << ParityBits | preferred & 1;
        if (preferred < FirstUserPort) port = port & FirstUserPort - 1 | FirstUserPort / 2;
        else if (port < FirstUserPort) port |= 1 << 15;
        return (ushort)port;
    }

    /// <summary>
    /// Other bits for each memory of one hash, so that endpoints which collide in one seldom do in the others.
    /// </summary>
    private static int PortHash(int hash, int way) =>
        Rotated(hash, 4 * way) ^ Rotated(hash, 6 * way + 5) ^ Rotated(hash, 7 * way + 11);

    private static int Rotated(int hash, int count) => hash << count % HashBits | hash >> HashBits - count % HashBits;
}
