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
    private const int Key = 1, ValueLength = 3, Words = 4;

    private readonly StringCache _cache;

    /// <summary>By entry: when it was learned, and in which period between two clearings.</summary>
    private readonly uint[] _learned, _periods;

    /// <summary>By the lowest bits of a key's hash: how often one of these keys was forgotten.</summary>
    private readonly uint[] _versions;
    private readonly TextLine _line = new();
    private readonly uint _maxAge;
    private readonly LruCacheCounters _counters;
    private uint _period, _learnFrom;

    public KnownAnswers(int chunks, uint maxAge, ulong seed, LruCacheCounters counters)
    {
        _cache = new StringCache(chunks, ChunkLength, seed);
        _learned = new uint[chunks];
        _periods = new uint[chunks];
        _versions = new uint[chunks];
        (_maxAge, _counters) = (maxAge, counters);
    }

    /// <summary>The hash of a key.</summary>
    public uint HashOf(ReadOnlySpan<byte> key) => _cache.HashOf(key);

    /// <summary>A number that is another whenever the keys of a hash may have changed.</summary>
    public uint VersionOf(uint hash) => _versions[PlaceOf(hash)] + _period;

    /// <summary>Finds an answer, and uses it.</summary>
    /// <param name="key">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="now">The time in seconds.</param>
    /// <returns>The answer; <see cref="None"/> if it is not known.</returns>
    public int Find(ReadOnlySpan<byte> key, uint hash, uint now)
    {
        var entry = _cache.Find(key, hash);
        if (entry == None) return None;
        if (_periods[entry] != _period || now - _learned[entry] >= _maxAge)
        {
            _cache.Remove(entry);
            return None;
        }
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

    /// <summary>Learns an answer, if it is of one item, and that is as it was when it was asked for.</summary>
    /// <param name="answer">The answer of the server.</param>
    /// <param name="lease">That of the request.</param>
    /// <param name="now">The time in seconds.</param>
    public void Learn(ReadOnlySpan<byte> answer, Lease lease, uint now)
    {
        if (!IsItem(answer)) return;
        var key = answer.Slice(_line.StartOf(Key), _line.LengthOf(Key));
        var hash = HashOf(key);
        if (hash != lease.Hash) return;
        if (lease.Version != VersionOf(hash) || now < _learnFrom)
        {
            _counters.Outdated.Increment();
            return;
        }
        Add(key, hash, answer[_line.EndOf(Key)..], now);
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
    public void LearnFrom(uint time) => _learnFrom = Math.Max(_learnFrom, time);

    /// <summary>True if an answer is that of one item: its line, its value and END.</summary>
    private bool IsItem(ReadOnlySpan<byte> answer)
    {
        if (!_line.TrySplit(answer) || _line.Count != Words || !_line.IsPlain) return false;
        if (!answer.StartsWith("VALUE "u8) || !answer.EndsWith("\r\nEND\r\n"u8)) return false;
        return _line.TryReadNumber(answer, ValueLength, out var length)
            && answer.Length == _line.End + length + "\r\nEND\r\n"u8.Length;
    }

    private void Add(ReadOnlySpan<byte> key, uint hash, ReadOnlySpan<byte> rest, uint now)
    {
        var before = _cache.Find(key, hash);
        if (before != None) _cache.Remove(before);
        while (!_cache.HasRoom(key.Length, rest.Length))
        {
            _counters.Evictions.Increment();
            _cache.Remove(_cache.Oldest);
        }
        var entry = _cache.Add(key, hash, rest);
        (_learned[entry], _periods[entry]) = (now, _period);
        _counters.Learned.Increment();
    }

    private int PlaceOf(uint hash) => (int)(hash & (uint)(_versions.Length - 1));
}
