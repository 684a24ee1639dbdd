using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Passes ARP only with pairs of addresses that are known (dynamic ARP inspection): the first pair that is seen of an
/// IPv4 address is kept as long as it is used, and each port may ask so many questions a second.
/// </summary>
/// <remarks>Frames without ARP pass. An ARP packet's sender has to be the frame's.</remarks>
/// <example>--most 100</example>
/// <param name="most">Requests that a port may send in a second.</param>
/// <param name="capacity">The addresses that are remembered: a power of two.</param>
/// <param name="lifetime">Seconds after which a pair that was not seen is forgotten.</param>
/// <param name="hashSeed">Seed of the hash; choose your own where hosts are not trusted.</param>
public sealed class ArpGuard(uint most = 100, int capacity = 512, int lifetime = 300, ulong hashSeed = 1) : Service
{
    private const int Ports = 4;

    private readonly AgeingTable<IPv4Address, MacAddress> _pairs = new(capacity, lifetime, hashSeed);
    private readonly uint[] _requests = new uint[Ports];
    private ulong _second;

    /// <summary>ARP packets dropped: malformed, of another sender, or of another pair than is known.</summary>
    public Counter Forged { get; } = new();

    /// <summary>Requests dropped, since a port had sent too many.</summary>
    public Counter TooMany { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.Arp)
        {
            if (!Arp.TryParse(ethernet.Payload, out var arp) || arp.SenderHardwareAddress != ethernet.Source
                || !IsKnown(arp.SenderProtocolAddress, ethernet.Source, frame.Seconds))
            {
                Forged.Increment();
                return;
            }
            if (arp.Operation == ArpOperation.Request && !MayAsk(frame.Ingress, frame.Seconds))
            {
                TooMany.Increment();
                return;
            }
        }
        frame.Flood();
    }

    private bool IsKnown(IPv4Address address, MacAddress mac, ulong second)
    {
        if (address.IsUnspecified) return true;
        if (_pairs.TryGet(address, second, out var known) && known != mac) return false;
        _pairs.Set(address, mac, second);
        return true;
    }

    private bool MayAsk(PortId port, ulong second)
    {
        if (second != _second)
        {
            _second = second;
            Array.Clear(_requests);
        }
        return ++_requests[port.Index % Ports] <= most;
    }
}
