using System.Buffers.Binary;

namespace Emu.Services.Zones;

/// <summary>A zone: what is said at its names, and where it ends (RFC 1034 §4.2).</summary>
internal sealed class Zone
{
    private readonly Dictionary<DomainName, Dictionary<ushort, List<ResourceRecord>>> _names = [];

    /// <summary>Begins at the records of a master file.</summary>
    /// <param name="path">The file, for errors.</param>
    /// <param name="records">Its records.</param>
    /// <exception cref="ArgumentException">They are no zone.</exception>
    public Zone(string path, IReadOnlyList<ResourceRecord> records)
    {
        var authorities = records.Where(r => r.Type == RecordType.Soa).ToList();
        if (authorities.Count != 1)
            throw new ArgumentException($"{path}: a zone has one SOA record, and there are {authorities.Count}");
        Apex = authorities[0].Owner;
        foreach (var record in records)
        {
            if (!record.Owner.IsIn(Apex)) throw new ArgumentException($"{path}: {record.Owner} is not in {Apex}");
            Add(record);
        }
        Authority = Negative(authorities[0]);
        foreach (var (name, types) in _names)
        {
            if (types.TryGetValue(RecordType.Cname, out var aliases) && (types.Count > 1 || aliases.Count > 1))
                throw new ArgumentException($"{path}: {name} has a CNAME and other records (RFC 1034 §3.6.2)");
            if (name.IsWildcard && types.ContainsKey(RecordType.NS))
                throw new ArgumentException(
                    $"{path}: {name} has NS records, which mean nothing there (RFC 4592 §4.2)");
        }
        // Names in between exist without records (RFC 4592 §2.2.2).
        foreach (var name in _names.Keys.ToList())
        {
            foreach (var above in name.Suffixes().TakeWhile(suffix => !suffix.Equals(Apex)))
                _names.TryAdd(above, []);
        }
    }

    /// <summary>The name at its top.</summary>
    public DomainName Apex { get; }

    /// <summary>The SOA record of negative answers (RFC 2308 §3).</summary>
    public ResourceRecord Authority { get; }

    /// <summary>The names that it answers for, and those at which it ends.</summary>
    public IEnumerable<DomainName> Names =>
        _names.Keys.Where(name => CutAbove(name.Parent) is null || name.Equals(Apex));

    /// <summary>The number of seconds in an SOA record for which negative answers may be kept.</summary>
    public static uint MinimumOf(IReadOnlyList<DataPart> authority) =>
        BinaryPrimitives.ReadUInt32BigEndian(authority[^1].Bytes.AsSpan()[^sizeof(uint)..]);

    /// <summary>True if a name is there, with records or without.</summary>
    public bool Has(DomainName name) => _names.ContainsKey(name);

    /// <summary>True for a name that is delegated.</summary>
    public bool IsCut(DomainName name) => !name.Equals(Apex) && Find(name, RecordType.NS).Count > 0;

    /// <summary>The nearest name, from this one up, that is delegated; null if this zone answers for it.</summary>
    public DomainName? CutAbove(DomainName name) =>
        name.IsIn(Apex) ? name.Suffixes().TakeWhile(s => !s.Equals(Apex)).LastOrDefault(IsCut) : null;

    /// <summary>The types at a name.</summary>
    public IEnumerable<ushort> TypesAt(DomainName name) => _names.TryGetValue(name, out var types) ? types.Keys : [];

    /// <summary>The records of a type at a name.</summary>
    public IReadOnlyList<ResourceRecord> Find(DomainName name, ushort type) =>
        _names.TryGetValue(name, out var types) && types.TryGetValue(type, out var records) ? records : [];

    /// <summary>The wildcard for a name that is not there (RFC 4592 §3.3.1); null if there is none.</summary>
    public DomainName? WildcardFor(DomainName name)
    {
        var encloser = name.Suffixes().First(Has);
        return Has(encloser.Wildcard) ? encloser.Wildcard : null;
    }

    private static ResourceRecord Negative(ResourceRecord authority) =>
        authority with { Ttl = Math.Min(authority.Ttl, MinimumOf(authority.Data)) };

    /// <summary>
    /// All records of a set have the least of their TTLs (RFC 2181 §5.2); one that is there twice is one.
    /// </summary>
    private void Add(ResourceRecord record)
    {
        if (!_names.TryGetValue(record.Owner, out var types)) types = _names[record.Owner] = [];
        if (!types.TryGetValue(record.Type, out var records)) records = types[record.Type] = [];
        if (records.Any(other => IsSame(other, record))) return;
        records.Add(record);
        var ttl = records.Min(r => r.Ttl);
        for (var i = 0; i < records.Count; i++) records[i] = records[i] with { Ttl = ttl };
    }

    private static bool IsSame(ResourceRecord one, ResourceRecord other) =>
        one.Data.Count == other.Data.Count
        && one.Data.Zip(other.Data).All(
            both => both.First.Bytes.SequenceEqual(both.Second.Bytes) && Equals(both.First.Name, both.Second.Name));
}
