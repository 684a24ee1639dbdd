namespace Emu.Services.Zones;

/// <summary>
/// Writes what stands behind the question of an answer: records on the wire (RFC 1035 §4.1.3), names compressed
/// (§4.1.4).
/// </summary>
/// <remarks>
/// It is written for a question of one name. For a longer one that ends in it, every pointer is farther by the
/// difference; <see cref="Pointers"/> says where they are. Only the pointer to the whole of the question's name is the
/// same for all: the owner of what is made of a wildcard.
/// </remarks>
internal sealed class AnswerWriter
{
    private const int HeaderLength = 12;
    private const int TypeAndClassLength = 4;
    private const int Pointer = 0xC000;
    private const ushort ClassIN = 1;

    private readonly Dictionary<DomainName, int> _places = [];
    private readonly DomainName? _asked;
    private readonly int _start;

    /// <summary>Begins behind a question.</summary>
    /// <param name="name">The name, or the wildcard that stands for the names that are asked.</param>
    public AnswerWriter(DomainName name)
    {
        _start = HeaderLength + name.Wire.Length + TypeAndClassLength;
        if (name.IsWildcard) _asked = name;
        foreach (var suffix in name.Suffixes().Where(s => !s.IsRoot && !(s.IsWildcard && s.Equals(name))))
            _places[suffix] = HeaderLength + name.Wire.Length - suffix.Wire.Length;
    }

    /// <summary>The bytes so far.</summary>
    public List<byte> Bytes { get; } = [];

    /// <summary>Offsets of the pointers that move with the length of the question's name.</summary>
    public List<ushort> Pointers { get; } = [];

    /// <summary>Adds a record.</summary>
    public void Add(ResourceRecord record)
    {
        Write(record.Owner);
        Bytes.AddRange([(byte)(record.Type >> 8), (byte)record.Type, 0, (byte)ClassIN]);
        Bytes.AddRange([
            (byte)(record.Ttl >> 24), (byte)(record.Ttl >> 16), (byte)(record.Ttl >> 8), (byte)record.Ttl, 0, 0]);
        var from = Bytes.Count;
        foreach (var part in record.Data)
        {
            if (part.Name is { } name) Write(name);
            else Bytes.AddRange(part.Bytes);
        }
        var length = Bytes.Count - from;
        (Bytes[from - 2], Bytes[from - 1]) = ((byte)(length >> 8), (byte)length);
    }

    private void Write(DomainName name)
    {
        if (name.Equals(_asked))
        {
            Bytes.AddRange([Pointer >> 8, HeaderLength]);
            return;
        }
        foreach (var suffix in name.Suffixes())
        {
            if (suffix.IsRoot)
            {
                Bytes.Add(0);
                return;
            }
            if (_places.TryGetValue(suffix, out var place))
            {
                Pointers.Add((ushort)Bytes.Count);
                Bytes.AddRange([(byte)((Pointer | place) >> 8), (byte)place]);
                return;
            }
            _places[suffix] = _start + Bytes.Count;
            Bytes.AddRange(suffix.Wire[..(suffix.Wire[0] + 1)]);
        }
    }
}
