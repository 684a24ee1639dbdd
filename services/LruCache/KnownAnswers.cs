namespace Emu.Services;

/// <summary>
/// The answers of the server that are known, by their keys; where there is no room, those go whose last use is longest
/// ago.
/// </summary>
internal sealed class KnownAnswers
{
    /// <summary>No answer.</summary>
    public const int None = StringCache.None;

    private const int ChunkLength = 64;
    private const ulong NanosecondsPerSecond = 1_000_000_000;
    private const int Key = 1, ValueLength = 3, Words = 4;

    private readonly StringCache _cache;

    /// <summary>By entry: the time from which on it is not known any more, in nanoseconds.</summary>
    private readonly ulong[] _ends;

    /// <summary>By entry: the period between two clearings in which it was learned.</summary>
    private readonly uint[] _periods;

    /// <summary>By entry: the ones' complement sum of its key and what is behind it.</summary>
    private readonly ushort[] _sums;

    /// <summary>By the lowest bits of a key's hash: how often one of these keys was forgotten.</summary>
    private readonly uint[] _versions;
    private readonly TextLine _line = new();
    private readonly ulong _maxAge;
    private readonly LruCacheCounters _counters;
    private uint _period;
    private ulong _learnFrom;

    public KnownAnswers(int chunks, uint maxAge, ulong seed, LruCacheCounters counters)
    {
        _cache = new StringCache(chunks, ChunkLength, seed);
        _ends = new ulong[chunks];
        _sums = new ushort[chunks];
        _periods = new uint[chunks];
        _versions = new uint[chunks];
        (_maxAge, _counters) = (maxAge * NanosecondsPerSecond, counters);
    }

    /// <summary>The hash of a key.</summary>
    public uint HashOf(ReadOnlySpan<byte> key) => _cache.HashOf(key);

    /// <summary>A number that is another whenever the keys of a hash may have changed.</summary>
    public uint VersionOf(uint hash) => _versions[PlaceOf(hash)] + _period;

    /// <summary>Finds an answer, and uses it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="time">The time in nanoseconds.</param>
    /// <returns>The answer; <see cref="None"/> if it is not known.</returns>
    public int Find(ReadOnlySpan<byte> key, uint hash, ulong time)
    {
        var entry = _cache.Find(key, hash);
        if (entry == None) return None;
        if (!IsKnown(entry, time))
        {
            _cache.Remove(entry);
            return None;
        }
        _cache.Use(entry);
        return entry;
    }

    /// <summary>Finds a short answer to a short key, and uses it, if that takes a few steps alone.</summary>
    /// <param name="key">The key, a <see cref="ShortKey"/>.</param>
    /// <param name="time">The time in nanoseconds.</param>
    /// <returns>The answer; <see cref="None"/> if it is not known, or not found like that.</returns>
    public int FindShort(UInt128 key, ulong time)
    {
        var entry = _cache.FindShort(key, _cache.HashOf(key));
        if (entry == None || !IsKnown(entry, time) || !_cache.IsInOneChunk(entry)) return None;
        _cache.Use(entry);
        return entry;
    }

    /// <summary>The bytes of an answer.</summary>
    public int LengthOf(int entry) => "VALUE "u8.Length + _cache.LengthOf(entry);

    /// <summary>Reads an answer.</summary>
    /// <param name="entry">The answer.</param>
    /// <param name="destination">Where it goes; it has as many bytes at least.</param>
    public void Read(int entry, Span<byte> destination)
    {
        "VALUE "u8.CopyTo(destination);
        _cache.Read(entry, destination.Slice("VALUE "u8.Length, _cache.LengthOf(entry)));
    }

    /// <summary>Reads a short answer.</summary>
    /// <param name="entry">The answer.</param>
    /// <param name="destination">Where it goes; it has as many bytes at least.</param>
    public void ReadShort(int entry, Span<byte> destination)
    {
        "VALUE "u8.CopyTo(destination);
        _cache.ReadOneChunk(entry, destination.Slice("VALUE "u8.Length, _cache.LengthOf(entry)));
    }

    /// <summary>The ones' complement sum of an answer.</summary>
    public ulong SumOf(int entry) => InternetChecksum.Sum("VALUE "u8) + _sums[entry];

    /// <summary>Learns an answer, if it is of one item, and that is as it was when it was asked for.</summary>
    /// <param name="answer">The answer of the server.</param>
    /// <param name="lease">That of the request.</param>
    /// <param name="time">The time in nanoseconds.</param>
    public void Learn(ReadOnlySpan<byte> answer, Lease lease, ulong time)
    {
        if (!IsItem(answer)) return;
        var key = answer.Slice(_line.StartOf(Key), _line.LengthOf(Key));
        var hash = HashOf(key);
        if (hash != lease.Hash) return;
        if (lease.Version != VersionOf(hash) || time < _learnFrom)
        {
            _counters.Outdated.Increment();
            return;
        }
        var entry = Add(key, hash, answer[_line.EndOf(Key)..]);
        (_ends[entry], _periods[entry]) = (time + _maxAge, _period);
        _sums[entry] = (ushort)InternetChecksum.Sum(answer["VALUE "u8.Length..]);
        _counters.Learned.Increment();
    }

    /// <summary>Forgets the keys of a hash, and does not learn what was asked for before.</summary>
    public void Forget(uint hash)
    {
        _versions[PlaceOf(hash)]++;
        for (var entry = _cache.FindHash(hash); entry != None; entry = _cache.FindHash(hash)) _cache.Remove(entry);
    }

    /// <summary>Forgets all, and does not learn what was asked for before.</summary>
    public void Clear() => _period++;

    /// <summary>Learns nothing until some second.</summary>
    public void LearnFrom(uint time) => _learnFrom = Math.Max(_learnFrom, time * NanosecondsPerSecond);

    /// <summary>True if an answer is that of one item: its line, its value and END.</summary>
    private bool IsItem(ReadOnlySpan<byte> answer)
    {
        if (!_line.TrySplit(answer) || _line.Count != Words || !_line.IsPlain) return false;
        if (!answer.StartsWith("VALUE "u8) || !answer.EndsWith("\r\nEND\r\n"u8)) return false;
        return _line.TryReadNumber(answer, ValueLength, out var length)
            && answer.Length == _line.End + length + "\r\nEND\r\n"u8.Length;
    }

    private int Add(ReadOnlySpan<byte> key, uint hash, ReadOnlySpan<byte> rest)
    {
        var before = _cache.Find(key, hash);
        if (before != None) _cache.Remove(before);
        while (!_cache.HasRoom(key.Length, rest.Length))
        {
            _counters.Evictions.Increment();
            _cache.Remove(_cache.Oldest);
        }
        return _cache.Add(key, hash, rest);
    }

    private bool IsKnown(int entry, ulong time) => _periods[entry] == _period && time < _ends[entry];

    private int PlaceOf(uint hash) => (int)(hash & (uint)(_versions.Length - 1));
}
