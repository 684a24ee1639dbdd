using System.Text;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Drops DNS queries for names on a list: a name is hashed, looked up, and compared byte by byte with the one that is
/// stored.
/// </summary>
/// <remarks>
/// The first question of a query is looked at, which is the only one in practice; small and capital letters are the
/// same (RFC 1035 §3.1). Names below one on the list pass, unless they are on it too. All other frames pass unseen.
/// </remarks>
/// <example>--name ads.example.com --name tracker.example.net</example>
public sealed class BlockedNames : Service
{
    private const ushort Port = 53;
    private const int HeaderLength = 12;
    private const int MostSeeds = 1000;

    /// <summary>That of FNV-1a (Fowler, Noll, Vo and Eastlake).</summary>
    private const uint Prime = 16777619;

    private readonly byte[] _names;
    private readonly StoredName[] _table;
    private readonly uint _seed;
    private readonly uint _mask;

    /// <summary>Begins with a list of names.</summary>
    /// <param name="name">The names that are blocked, labels with dots between them.</param>
    public BlockedNames(string[] name)
    {
        ArgumentNullException.ThrowIfNull(name);
        List<byte[]> names = [.. name.Select(Encode).DistinctBy(Convert.ToHexString)];
        _names = [.. names.SelectMany(encoded => encoded)];
        (_seed, _mask) = FindSeed(names);
        _table = new StoredName[_mask + 1];
        var start = 0;
        foreach (var encoded in names)
        {
            _table[HashOf(encoded, _seed) & _mask] = new StoredName((ushort)start, (byte)encoded.Length);
            start += encoded.Length;
        }
    }

    /// <summary>Frames that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Queries dropped for their name.</summary>
    public Counter Blocked { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Udp && Udp.TryParse(ip.Payload, out var udp)
            && udp.DestinationPort == Port && IsBlocked(udp.Payload))
        {
            Blocked.Increment();
            return;
        }
        Passed.Increment();
        frame.Flood();
    }

    private bool IsBlocked(ReadOnlySpan<byte> query)
    {
        var (hash, end) = (_seed, HeaderLength);
        for (; end < query.Length && query[end] != 0; end++) hash = (hash ^ Fold(query[end])) * Prime;
        var stored = _table[hash & _mask];
        return stored.Length != 0 && stored.Length == end - HeaderLength && IsAt(query, stored);
    }

    private bool IsAt(ReadOnlySpan<byte> query, StoredName stored)
    {
        for (var i = 0; i < stored.Length; i++)
            if (Fold(query[HeaderLength + i]) != _names[stored.Start + i]) return false;
        return true;
    }

    /// <summary>A letter is small; no length of a label is a letter.</summary>
    private static byte Fold(byte octet) => octet is >= (byte)'A' and <= (byte)'Z' ? (byte)(octet | 0x20) : octet;

    /// <summary>The labels of a name, each behind its length, in small letters and without the end.</summary>
    private static byte[] Encode(string name)
    {
        var labels = name.TrimEnd('.').ToLowerInvariant().Split('.').Select(Encoding.ASCII.GetBytes).ToList();
        byte[] encoded = [.. labels.SelectMany(label => (byte[])[(byte)label.Length, .. label])];
        return labels.TrueForAll(label => label.Length is > 0 and < 64) && encoded.Length < 255
            ? encoded
            : throw new ArgumentException($"'{name}' is no name: labels have 1 to 63 letters, and all together 253");
    }

    /// <summary>The first state of a hash, and the slots of a table, so that each name has a slot of its own.</summary>
    private static (uint Seed, uint Mask) FindSeed(List<byte[]> names)
    {
        for (var slots = 2u; ; slots *= 2)
        {
            for (var seed = 1u; slots >= names.Count && seed < MostSeeds; seed++)
                if (names.Select(name => HashOf(name, seed) & slots - 1).Distinct().Count() == names.Count)
                    return (seed, slots - 1);
        }
    }

    private static uint HashOf(byte[] name, uint seed) =>
        name.Aggregate(seed, (hash, octet) => (hash ^ octet) * Prime);
}

/// <summary>A name on the list of <see cref="BlockedNames"/>.</summary>
/// <param name="Start">The first of its bytes among those of all names.</param>
/// <param name="Length">Its bytes; 0 in a slot without a name.</param>
internal readonly record struct StoredName(ushort Start, byte Length);
