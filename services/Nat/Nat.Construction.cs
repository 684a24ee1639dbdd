using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Services;

/// <content>What it is made of.</content>
public sealed partial class Nat
{
    private const int NeighborSeconds = 1200;

    /// <summary>For how long fragments of one datagram are waited for (RFC 791 §3.2).</summary>
    private const int FragmentSeconds = 15;

    /// <summary>Begins with the static forwards and neighbours alone.</summary>
    /// <param name="inside">Its address inside.</param>
    /// <param name="outside">Its address outside, which all hosts inside share.</param>
    /// <param name="prefix">
    /// Bits of the outside network's prefix: hosts there are neighbours, others behind the gateway.
    /// </param>
    /// <param name="gateway">The router outside; when absent everyone outside is a neighbour.</param>
    /// <param name="mac">Its MAC address, on both sides; when absent 02:00 and the address outside.</param>
    /// <param name="policy">Hosts and ports known beforehand, and whom it answers.</param>
    /// <param name="capacity">The sizes of its tables.</param>
    /// <param name="timeouts">How long mappings live.</param>
    public Nat(
        IPv4Address inside, IPv4Address outside, [Range(1, 32)] int prefix = 24, IPv4Address gateway = default,
        MacAddress mac = default, NatPolicy? policy = null, NatCapacity? capacity = null, NatTimeouts? timeouts = null)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(prefix, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(prefix, 32);
        policy ??= new NatPolicy();
        (capacity, timeouts) = (Valid(capacity ?? new NatCapacity()), Valid(timeouts ?? new NatTimeouts()));
        (_inside, _outside, _gateway) = (inside, outside, gateway);
        (_filtering, _isPassive) = (policy.Filtering, policy.Passive);
        _mac = mac == default ? MacAddress.Of(outside) : mac;
        _outsideMask = gateway.IsUnspecified ? 0 : uint.MaxValue << 32 - prefix;
        (_arpInside, _arpOutside) = (new ArpResponder(inside, _mac), new ArpResponder(outside, _mac));
        (_echo, _expiry) = (new EchoResponder(_mac), new ExpiryReporter(_mac));
        Mappings = new MappingTable(capacity, timeouts, policy.Forward);
        // A session lives no longer than the longest mapping; there is room for each mapping to have one,
        // and more where they are few.
        if (_filtering != Filtering.EndpointIndependent)
            _sessions = new AgeingTable<Session, byte>(
                Math.Max(capacity.Mappings, 64), Math.Max(timeouts.TcpSeconds, timeouts.UdpSeconds), capacity.HashSeed);
        _asked = new AgeingTable<NeighborKey, byte>(16, 1, capacity.HashSeed);
        if (capacity.Fragments != 0)
            _fragments = new AgeingTable<FragmentKey, FragmentEnds>(
                capacity.Fragments, FragmentSeconds, capacity.HashSeed);
        Neighbors = new AgeingTable<NeighborKey, MacAddress>(capacity.Neighbors, NeighborSeconds, capacity.HashSeed);
        foreach (var known in policy.Neighbor)
        {
            // The side that it is on is not said, and need not be: packets to it go one way only.
            var isKept = Neighbors.SetPermanent(new NeighborKey(true, known.Address), known.Mac)
                && Neighbors.SetPermanent(new NeighborKey(false, known.Address), known.Mac);
            if (!isKept)
                throw new ArgumentException(
                    $"there is no room for {known}: raise the number of neighbours", nameof(policy));
        }
    }

    /// <summary>Settings whose attributes allow their values.</summary>
    private static T Valid<T>(T settings)
        where T : class
    {
        var faults = new List<ValidationResult>();
        if (Validator.TryValidateObject(settings, new ValidationContext(settings), faults, true)) return settings;
        throw new ArgumentOutOfRangeException(faults[0].MemberNames.First(), faults[0].ErrorMessage);
    }
}
