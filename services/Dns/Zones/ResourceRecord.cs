namespace Emu.Services.Zones;

/// <summary>A part of a record's data: bytes, or a name that may be compressed (RFC 3597 §4).</summary>
internal readonly record struct DataPart(byte[] Bytes, DomainName? Name = null);

/// <summary>A record of a zone.</summary>
/// <param name="Owner">Its name.</param>
/// <param name="Type">Its type.</param>
/// <param name="Ttl">The seconds for which it may be kept.</param>
/// <param name="Data">Its data.</param>
internal sealed record ResourceRecord(DomainName Owner, ushort Type, uint Ttl, IReadOnlyList<DataPart> Data)
{
    /// <summary>The name that it leads to: of NS, CNAME, PTR, MX and SRV.</summary>
    public DomainName? Target { get; init; }
}
