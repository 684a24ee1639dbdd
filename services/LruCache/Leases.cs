namespace Emu.Services;

/// <summary>
/// The leases of requests whose answers have not come yet, by who holds them. Two of the same place are one too many:
/// the later takes it.
/// </summary>
internal sealed class Leases(ulong seed)
{
    private const int PlaceBits = 10;
    private const int HolderBits = 64;
    private const int PortShift = 16;
    private const int AddressShift = 32;

    private readonly H3Hash _hash = new(HolderBits, PlaceBits, seed);
    private readonly ulong[] _holders = new ulong[1 << PlaceBits];
    private readonly Lease[] _leases = new Lease[1 << PlaceBits];

    /// <summary>The holder: a client, its port and the ID of the request.</summary>
    public static ulong HolderOf(uint client, ushort port, ushort id) =>
        (ulong)client << AddressShift | (ulong)port << PortShift | id;

    /// <summary>Keeps a lease.</summary>
    public void Take(ulong holder, Lease lease)
    {
        var place = _hash.Index(holder);
        _holders[place] = holder;
        _leases[place] = lease;
    }

    /// <summary>Ends a lease.</summary>
    /// <returns>False if there is none.</returns>
    public bool TryGiveBack(ulong holder, out Lease lease)
    {
        var place = _hash.Index(holder);
        lease = _leases[place];
        if (_holders[place] != holder || lease.Effect == Effect.None) return false;
        _leases[place] = default;
        return true;
    }
}
