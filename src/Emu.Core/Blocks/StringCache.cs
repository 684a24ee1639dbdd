namespace Emu;

/// <summary>
/// Values under keys, byte strings both, in memory of a fixed size and in the order of their last use: a cache with
/// exact LRU, of which the caller says what goes when (separate chaining, a doubly linked list, chunks).
/// </summary>
/// <remarks>
/// <para>An entry has a number below the number of chunks, that of its first chunk; what else there is to know of it
/// the caller keeps under that number. Its key and value are one string, and take as many chunks as that needs.</para>
/// <para>A lookup costs a byte a step for the key's hash, and a comparison for each entry of the same hash. Adding and
/// removing cost a step for each chunk, and for each byte written. A short key that is one of the first two of its
/// chain, as nearly all are, is found by a few reads (<see cref="FindShort"/>), and so is a value beside it in one
/// chunk.</para>
/// </remarks>
/// <example><code>
/// while (!cache.HasRoom(key.Length, value.Length)) cache.Remove(cache.Oldest);
/// cache.Add(key, cache.HashOf(key), value);
/// </code></example>
public sealed class StringCache
{
    /// <summary>No entry.</summary>
    public const int None = HashChains.None;

    private const int HashBits = 30;

    private readonly RabinFingerprint _fingerprint;
    private readonly H3Hash _shortHash;
    private readonly HashChains _chains;
    private readonly LruList _uses;
    private readonly ChunkPool _pool;
    private readonly ushort[] _keyLengths, _valueLengths;

    /// <summary>By entry: its key, if that is a short one; else 0.</summary>
    private readonly UInt128[] _shortKeys;

    /// <summary>Makes an empty cache.</summary>
    /// <param name="chunks">The number of chunks, and of entries at most; a power of two from 2 to 2²⁴.</param>
    /// <param name="chunkLength">The bytes of a chunk, at least 1.</param>
    /// <param name="seed">Chooses the hash; secret where an attacker picks the keys.</param>
    /// <exception cref="ArgumentOutOfRangeException">A number is outside its range.</exception>
    public StringCache(int chunks, int chunkLength, ulong seed)
    {
        _fingerprint = new RabinFingerprint(seed);
        _shortHash = new H3Hash(128, HashBits, seed);
        _chains = new HashChains(chunks);
        _uses = new LruList(chunks);
        _pool = new ChunkPool(chunks, chunkLength);
        _keyLengths = new ushort[chunks];
        _valueLengths = new ushort[chunks];
        _shortKeys = new UInt128[chunks];
    }

    /// <summary>The number of free chunks.</summary>
    public int Free => _pool.Free;

    /// <summary>The number of entries.</summary>
    public int Count { get; private set; }

    /// <summary>The entry whose last use is longest ago; there must be one.</summary>
    public int Oldest => _uses.Oldest;

    /// <summary>The hash of a key, by which <see cref="Find"/> and <see cref="Add"/> know it.</summary>
    public uint HashOf(ReadOnlySpan<byte> key) =>
        key.Length <= ShortKey.MaxLength ? HashOf(ShortKey.Of(key)) : _fingerprint.Compute(key);

    /// <summary>The hash of a key that is a <see cref="ShortKey"/>.</summary>
    public uint HashOf(UInt128 shortKey) => (uint)_shortHash.Index(shortKey);

    /// <summary>The bytes of an entry's key and value together.</summary>
    public int LengthOf(int entry) => _keyLengths[entry] + _valueLengths[entry];

    /// <summary>The bytes of an entry's value.</summary>
    public int ValueLengthOf(int entry) => _valueLengths[entry];

    /// <summary>Finds the entry of a key; it is not used by that.</summary>
    /// <param name="key">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <returns>The entry; <see cref="None"/> if there is none.</returns>
    public int Find(ReadOnlySpan<byte> key, uint hash)
    {
        for (var entry = _chains.First(hash); entry != None; entry = _chains.Next(entry))
            if (_chains.HashOf(entry) == hash && _keyLengths[entry] == key.Length && _pool.StartsWith(entry, key))
                return entry;
        return None;
    }

    /// <summary>
    /// Finds the entry of a <see cref="ShortKey"/> that is not empty, if it is one of the first two of its chain, by a
    /// number of reads that is always the same; it is not used by that.
    /// </summary>
    /// <param name="shortKey">The key.</param>
    /// <param name="hash">Its hash.</param>
    /// <returns>The entry; <see cref="None"/> if it is none of the two: then <see cref="Find"/> says more.</returns>
    public int FindShort(UInt128 shortKey, uint hash)
    {
        var first = _chains.First(hash);
        if (first == None || _shortKeys[first] == shortKey) return first;
        var second = _chains.Next(first);
        return second != None && _shortKeys[second] == shortKey ? second : None;
    }

    /// <summary>True if an entry is in one chunk.</summary>
    public bool IsInOneChunk(int entry) => LengthOf(entry) <= _pool.ChunkLength;

    /// <summary>Reads an entry in one chunk: its key, and its value behind it.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="destination">Where they go; of as many bytes at most.</param>
    public void ReadOneChunk(int entry, Span<byte> destination) => _pool.FirstOf(entry, destination.Length)
        .CopyTo(destination);

    /// <summary>Finds an entry by the hash of its key alone: the newest of them, since keys may share a hash.</summary>
    /// <returns>The entry; <see cref="None"/> if there is none.</returns>
    public int FindHash(uint hash)
    {
        for (var entry = _chains.First(hash); entry != None; entry = _chains.Next(entry))
            if (_chains.HashOf(entry) == hash) return entry;
        return None;
    }

    /// <summary>True if there are free chunks for an entry.</summary>
    public bool HasRoom(int keyLength, int valueLength) => _pool.Free >= _pool.ChunksOf(keyLength + valueLength);

    /// <summary>Adds an entry, as the one used last. There must be room, and no other of the same key.</summary>
    /// <param name="key">The key, below 2¹⁶ bytes.</param>
    /// <param name="hash">Its hash.</param>
    /// <param name="value">The value, below 2¹⁶ bytes.</param>
    /// <returns>The entry.</returns>
    public int Add(ReadOnlySpan<byte> key, uint hash, ReadOnlySpan<byte> value)
    {
        var entry = _pool.Make(_pool.ChunksOf(key.Length + value.Length)) & _keyLengths.Length - 1;
        _keyLengths[entry] = (ushort)key.Length;
        _valueLengths[entry] = (ushort)value.Length;
        _pool.Write(entry, 0, key);
        _pool.Write(entry, key.Length, value);
        _shortKeys[entry] = key.Length <= ShortKey.MaxLength ? ShortKey.Of(key) : 0;
        _chains.Add(entry, hash);
        _uses.Add(entry);
        Count++;
        return entry;
    }

    /// <summary>Makes an entry the one used last.</summary>
    public void Use(int entry) => _uses.Use(entry);

    /// <summary>Removes an entry.</summary>
    public void Remove(int entry)
    {
        _chains.Remove(entry);
        _uses.Remove(entry);
        _pool.Release(entry);
        Count--;
    }

    /// <summary>Reads an entry's key, and its value behind it.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="destination">Where they go; of as many bytes at most.</param>
    public void Read(int entry, Span<byte> destination) => _pool.Read(entry, 0, destination);

    /// <summary>Reads bytes of an entry's value.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="offset">The offset of the first byte read.</param>
    /// <param name="destination">Where they go; the value has as many from there on.</param>
    public void ReadValue(int entry, int offset, Span<byte> destination) =>
        _pool.Read(entry, _keyLengths[entry] + offset, destination);
}
