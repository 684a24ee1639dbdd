using System.Numerics;

namespace Emu.Services.Zones;

/// <summary>A name of the zones, and its answers.</summary>
/// <param name="Start">The first of its bytes among those of all names.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="FirstType">The first of its types among those of all names.</param>
/// <param name="Types">The number of its types.</param>
/// <param name="Otherwise">The answer to every other type.</param>
/// <param name="Any">The answer to ANY (RFC 8482 §4.1).</param>
/// <param name="Below">The answer to names below it that are not there; -1 if a wildcard gives it.</param>
/// <param name="Wildcard">The number of its wildcard's name; -1 if it has none.</param>
internal readonly record struct NameEntry(
    int Start, byte Length, int FirstType, ushort Types, int Otherwise, int Any, int Below, int Wildcard);

/// <summary>
/// The names of zones in a hash table, which a question is looked up in, and the answers there. All of it is constant.
/// </summary>
/// <remarks>
/// The hash of a name is a polynomial modulo 2³², its bytes the coefficients, the first that of 1. So a byte can be
/// taken off the front by a subtraction and a product, and the hashes of all names that end a name cost one pass over
/// it (Karp and Rabin 1987, <i>Efficient randomized pattern-matching algorithms</i>).
/// </remarks>
internal sealed class NameTable
{
    /// <summary>The number that not is there.</summary>
    public const int None = -1;

    private const int MaxNames = ushort.MaxValue;

    /// <summary>An odd number, so that there is another whose product with it is 1 modulo 2³².</summary>
    private const uint Factor = 0x9E37_79B1;
    private const uint Inverse = 0x0E8B_2F51;

    private readonly byte[] _names;
    private readonly NameEntry[] _entries;
    private readonly uint[] _hashes;
    private readonly ushort[] _buckets;
    private readonly int _shift;
    private readonly ushort[] _types;
    private readonly int[] _answerOfType;

    public NameTable(IReadOnlyList<Zone> zones)
    {
        var compiler = new AnswerCompiler(zones);
        var names = zones.SelectMany(zone => zone.Names.Select(name => (Name: name, Zone: zone)))
            .Where(n => n.Name.Equals(n.Zone.Apex) || ReferenceEquals(compiler.ZoneOf(n.Name), n.Zone)).ToList();
        if (names.Count > MaxNames)
            throw new ArgumentException($"the zones have {names.Count} names; there is room for {MaxNames}");
        var bits = Math.Max(1, BitOperations.Log2((uint)names.Count * 2));
        _shift = 32 - bits;
        names = [.. names.OrderBy(n => HashOf(n.Name) >> _shift)];
        var numbers = names.Select((n, i) => (n.Name, i)).ToDictionary();
        _hashes = [.. names.Select(n => HashOf(n.Name))];
        _buckets = Buckets(1 << bits);
        var (bytes, entries) = (new List<byte>(), new List<NameEntry>());
        var (types, answers) = (new List<ushort>(), new List<int>());
        var none = zones.ToDictionary(z => z, z => compiler.PrepareNothing(z, doesNameExist: true));
        var noName = zones.ToDictionary(z => z, z => compiler.PrepareNothing(z, doesNameExist: false));
        var known = new List<(DomainName Name, ushort Type, int Answer)>();
        foreach (var (name, zone) in names)
        {
            var first = types.Count;
            var isCut = zone.IsCut(name);
            var otherwise = isCut ? compiler.PrepareReferral(name, zone)
                : zone.Find(name, RecordType.Cname).Count > 0 ? compiler.Prepare(name, zone, 0)
                : none[zone];
            foreach (var type in TypesOf(name, zone, compiler))
            {
                types.Add(type);
                answers.Add(
                    isCut && zone.Find(name, type).Count == 0 ? none[zone] : compiler.Prepare(name, zone, type));
            }
            for (var i = first; i < types.Count; i++) known.Add((name, types[i], answers[i]));
            var any = isCut || zone.TypesAt(name).FirstOrDefault() is not (> 0 and var some)
                ? otherwise
                : answers[types.IndexOf(some, first)];
            entries.Add(new NameEntry(
                bytes.Count, (byte)name.Wire.Length, first, (ushort)(types.Count - first), otherwise, any,
                isCut ? otherwise : noName[zone],
                isCut ? None : numbers.GetValueOrDefault(name.Wildcard, None)));
            bytes.AddRange(name.Folded);
        }
        (_names, _types, _answerOfType, _entries) = ([.. bytes], [.. types], [.. answers], [.. entries]);
        (Bytes, Pointers, Answers) = (compiler.Bytes, compiler.Pointers, compiler.Answers);
        Known = [.. known.Select(each => (each.Name, each.Type, Answers[each.Answer]))];
    }

    /// <summary>The bytes of all answers.</summary>
    public byte[] Bytes { get; }

    /// <summary>The offsets of pointers in all answers.</summary>
    public ushort[] Pointers { get; }

    /// <summary>All answers.</summary>
    public PreparedAnswer[] Answers { get; }

    /// <summary>The names and types that have an answer of their own.</summary>
    public IReadOnlyList<(DomainName Name, ushort Type, PreparedAnswer Answer)> Known { get; }

    /// <summary>The factor of a byte, given that of the byte before; 1 for the first.</summary>
    public static uint NextFactor(uint factor) => factor * Factor;

    /// <summary>The hash of a name without its first byte.</summary>
    public static uint WithoutFirst(uint hash, byte folded) => (hash - folded) * Inverse;

    /// <summary>
    /// The number of the answer to a question: of the name, of the wildcard that stands for it, or of the nearest name
    /// above it (RFC 1034 §4.3.2 steps 2 and 3); <see cref="None"/> if it is in no zone.
    /// </summary>
    /// <param name="name">The name, in any case.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="type">The type.</param>
    public int Find(ReadOnlySpan<byte> name, uint hash, ushort type)
    {
        var from = 0;
        var entry = Find(name, from, hash);
        while (entry == None && name[from] != 0)
        {
            var next = from + name[from] + 1;
            for (; from < next; from++) hash = WithoutFirst(hash, DomainName.Fold(name[from]));
            entry = Find(name, from, hash);
        }
        if (entry == None) return None;
        if (from == 0) return AnswerAt(entry, type);
        return _entries[entry].Wildcard == None ? _entries[entry].Below : AnswerAt(_entries[entry].Wildcard, type);
    }

    /// <summary>The number of the first name in each bucket, and behind the last bucket.</summary>
    private ushort[] Buckets(int count)
    {
        var sizes = _hashes.CountBy(hash => hash >> _shift).ToDictionary();
        var buckets = new ushort[count + 1];
        for (var i = 0; i < count; i++)
            buckets[i + 1] = (ushort)(buckets[i] + sizes.GetValueOrDefault((uint)i));
        return buckets;
    }

    private static uint HashOf(DomainName name)
    {
        var (hash, factor) = (0u, 1u);
        foreach (var value in name.Folded)
        {
            hash += value * factor;
            factor = NextFactor(factor);
        }
        return hash;
    }

    /// <summary>The types that have an answer of their own: of an alias those at its end, too.</summary>
    private static IEnumerable<ushort> TypesOf(DomainName name, Zone zone, AnswerCompiler compiler)
    {
        if (zone.IsCut(name)) return [RecordType.DS];
        var types = new List<ushort>();
        var visited = new HashSet<DomainName>();
        Zone? at = zone;
        while (at is not null && visited.Add(name))
        {
            types.AddRange(at.TypesAt(name));
            if (at.Find(name, RecordType.Cname) is not [var alias]) break;
            name = alias.Target!;
            at = compiler.ZoneOf(name);
            if (at is null || at.CutAbove(name) is not null) break;
            if (!at.Has(name) && at.WildcardFor(name) is { } wildcard) name = wildcard;
        }
        return types.Distinct();
    }

    private int Find(ReadOnlySpan<byte> name, int from, uint hash)
    {
        var bucket = (int)(hash >> _shift);
        for (var i = (int)_buckets[bucket]; i < _buckets[bucket + 1]; i++)
            if (_hashes[i] == hash && IsAt(name, from, _entries[i])) return i;
        return None;
    }

    private bool IsAt(ReadOnlySpan<byte> name, int from, NameEntry entry)
    {
        if (name.Length - from != entry.Length) return false;
        for (var i = 0; i < entry.Length; i++)
            if (DomainName.Fold(name[from + i]) != _names[entry.Start + i]) return false;
        return true;
    }

    private int AnswerAt(int number, ushort type)
    {
        var entry = _entries[number];
        if (type == RecordType.Any) return entry.Any;
        for (var i = entry.FirstType; i < entry.FirstType + entry.Types; i++)
            if (_types[i] == type) return _answerOfType[i];
        return entry.Otherwise;
    }
}
