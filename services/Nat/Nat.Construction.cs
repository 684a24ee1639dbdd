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
    /// <param name="options">Its options; when absent they are as <see cref="NatOptions"/> says.</param>
    /// <exception cref="ValidationException">An option is outside its range.</exception>
    public Nat(IPv4Address inside, IPv4Address outside, NatOptions? options = null)
    {
        options ??= new NatOptions();
        Validator.ValidateObject(options, new ValidationContext(options), validateAllProperties: true);
        (_inside, _outside, _gateway) = (inside, outside, options.Gateway);
        (_filtering, _isPassive) = (options.Filtering, options.Passive);
        _mac = options.Mac == default ? MacAddress.Of(outside) : options.Mac;
        _outsideMask = _gateway.IsUnspecified ? 0 : uint.MaxValue << 32 - options.Prefix;
        (_arpInside, _arpOutside) = (new ArpResponder(inside, _mac), new ArpResponder(outside, _mac));
        _expiry = new ExpiryReporter(_mac);
        Mappings = new MappingTable(options);
        // A session lives no longer than the longest mapping; there is room for each mapping to have one,
        // and more where they are few.
        if (_filtering != Filtering.EndpointIndependent)
            _sessions = new AgeingTable<Session, byte>(
                Math.Max(options.Mappings, 64), Math.Max(options.TcpSeconds, options.UdpSeconds), options.HashSeed);
        _asked = new AgeingTable<NeighborKey, byte>(16, 1, options.HashSeed);
        if (options.Fragments != 0)
            _fragments = new AgeingTable<FragmentKey, FragmentEnds>(
                options.Fragments, FragmentSeconds, options.HashSeed);
        Neighbors = new AgeingTable<NeighborKey, MacAddress>(options.Neighbors, NeighborSeconds, options.HashSeed);
        foreach (var known in options.Neighbor)
        {
            // The side that it is on is not said, and need not be: packets to it go one way only.
            var isKept = Neighbors.SetPermanent(new NeighborKey(true, known.Address), known.Mac)
                && Neighbors.SetPermanent(new NeighborKey(false, known.Address), known.Mac);
            if (!isKept)
                throw new ArgumentException(
                    $"there is no room for {known}: raise the number of neighbours", nameof(options));
        }
    }
}
