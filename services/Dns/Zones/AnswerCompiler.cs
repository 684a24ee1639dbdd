using System.Runtime.InteropServices;

namespace Emu.Services.Zones;

/// <summary>Prepares the answers of zones (RFC 1034 §4.3.2), for every name and every type there.</summary>
/// <param name="zones">The zones; no two have one apex.</param>
internal sealed class AnswerCompiler(IReadOnlyList<Zone> zones)
{
    /// <summary>A chain of aliases is followed so far, here and by those who ask.</summary>
    private const int MaxAliases = 16;

    private readonly List<byte> _bytes = [];
    private readonly List<ushort> _pointers = [];
    private readonly List<PreparedAnswer> _answers = [];

    /// <summary>The bytes of all answers.</summary>
    public byte[] Bytes => [.. _bytes];

    /// <summary>The pointers of all answers.</summary>
    public ushort[] Pointers => [.. _pointers];

    /// <summary>The answers.</summary>
    public PreparedAnswer[] Answers => [.. _answers];

    /// <summary>The zone that a name is in; null if there is none.</summary>
    public Zone? ZoneOf(DomainName name) =>
        name.Suffixes().Select(suffix => zones.FirstOrDefault(z => z.Apex.Equals(suffix)))
            .FirstOrDefault(z => z is not null);

    /// <summary>The answer to a type at a name: records, an alias and its end, or that there is none.</summary>
    /// <param name="name">The name, which is there.</param>
    /// <param name="zone">Its zone.</param>
    /// <param name="type">The type; 0 for one that nothing has.</param>
    public int Prepare(DomainName name, Zone zone, ushort type)
    {
        var writer = new AnswerWriter(name);
        var (answers, authorities, exists) = (new List<ResourceRecord>(), new List<ResourceRecord>(), true);
        DomainName? cut = null;
        Zone? at = zone;
        var (source, owner) = (name, name);
        for (var aliases = 0; ; aliases++)
        {
            var found = at.Find(source, type);
            if (found.Count > 0)
            {
                answers.AddRange(found.Select(r => r with { Owner = owner }));
                break;
            }
            if (at.Find(source, RecordType.Cname) is not [var alias])
            {
                authorities.Add(at.Authority);
                break;
            }
            answers.Add(alias with { Owner = owner });
            owner = alias.Target!;
            at = ZoneOf(owner);
            if (at is null || aliases == MaxAliases || answers.Any(r => r.Owner.Equals(owner))) break;
            if ((cut = at.CutAbove(owner)) is not null)
            {
                authorities.AddRange(at.Find(cut, RecordType.NS));
                break;
            }
            var place = at.Has(owner) ? owner : at.WildcardFor(owner);
            if (place is null)
            {
                exists = false;
                authorities.Add(at.Authority);
                break;
            }
            source = place;
        }
        return Write(name, writer, answers, authorities, cut is null ? null : at, isAuthoritative: true, exists);
    }

    /// <summary>The referral at a name that is delegated (RFC 1034 §4.3.2 step 3 b).</summary>
    public int PrepareReferral(DomainName cut, Zone zone) =>
        Write(
            cut, new AnswerWriter(cut), [], [.. zone.Find(cut, RecordType.NS)], zone, isAuthoritative: false,
            doesNameExist: true);

    /// <summary>The answer that a zone has nothing: no such name, or no such type (RFC 2308 §2).</summary>
    public int PrepareNothing(Zone zone, bool doesNameExist) =>
        Write(zone.Apex, new AnswerWriter(zone.Apex), [], [zone.Authority], null, isAuthoritative: true, doesNameExist);

    private int Write(
        DomainName name, AnswerWriter writer, List<ResourceRecord> answers, List<ResourceRecord> authorities,
        Zone? referredBy, bool isAuthoritative, bool doesNameExist)
    {
        foreach (var record in answers) writer.Add(record);
        foreach (var record in authorities) writer.Add(record);
        var glue = referredBy is null ? [] : authorities.SelectMany(r => AddressesOf(r, referredBy)).ToList();
        foreach (var record in glue) writer.Add(record);
        var length = writer.Bytes.Count;
        var more = answers.Where(r => r.Type is RecordType.NS or RecordType.MX or RecordType.Srv)
            .SelectMany(r => ZoneOf(r.Target!) is { } zone ? AddressesOf(r, zone) : [])
            .Distinct().Except(answers).ToList();
        foreach (var record in more) writer.Add(record);

        if (writer.Bytes.Count > ushort.MaxValue)
            throw new ArgumentException($"the records at {name} do not fit into a message of {ushort.MaxValue} bytes");
        _answers.Add(new PreparedAnswer(
            _bytes.Count, (ushort)length, (ushort)writer.Bytes.Count, (ushort)answers.Count, (ushort)authorities.Count,
            (ushort)glue.Count, (ushort)(glue.Count + more.Count), (byte)name.Wire.Length, _pointers.Count,
            (ushort)writer.Pointers.Count, isAuthoritative, doesNameExist,
            (ushort)InternetChecksum.Sum(CollectionsMarshal.AsSpan(writer.Bytes))));
        _bytes.AddRange(writer.Bytes);
        _pointers.AddRange(writer.Pointers);
        return _answers.Count - 1;
    }

    private static IEnumerable<ResourceRecord> AddressesOf(ResourceRecord record, Zone zone) =>
        zone.Find(record.Target!, RecordType.A).Concat(zone.Find(record.Target!, RecordType.Aaaa));
}
