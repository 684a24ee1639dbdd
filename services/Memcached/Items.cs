namespace Emu.Services;

/// <summary>
/// Items by their keys, in memory of a fixed size: where there is no room, those go whose last use is longest ago.
/// </summary>
/// <remarks>An item's number is that of the first of its chunks.</remarks>
internal sealed class Items
{
    /// <summary>The longest key, in bytes.</summary>
    public const int MaxKeyLength = 250;

    /// <summary>The longest value, in bytes: what a datagram carries.</summary>
    public const int MaxValueLength = 1446;

    private const int ChunkLength = 64;
    private const int MaxRelativeTime = 60 * 60 * 24 * 30;

    /// <summary>No item.</summary>
    private const int None = HashChains.None;

    private readonly RabinFingerprint _fingerprint;
    private readonly HashChains _chains;
    private readonly LruList _uses;
    private readonly ChunkPool _pool;
    private readonly Item[] _items;
    private readonly MemcachedCounters _counters;

    /// <summary>The value that is to be stored.</summary>
    private readonly byte[] _value = new byte[2 * MaxValueLength];

    private ulong _unique, _flushed;
    private uint _flushTime;

    public Items(int chunks, ulong seed, MemcachedCounters counters)
    {
        _fingerprint = new RabinFingerprint(seed);
        _chains = new HashChains(chunks);
        _uses = new LruList(chunks);
        _pool = new ChunkPool(chunks, ChunkLength);
        _items = new Item[chunks];
        _counters = counters;
    }

    /// <summary>The item that the last command found.</summary>
    public int Current { get; private set; }

    /// <summary>The item that the last command found: all but its bytes.</summary>
    public Item CurrentItem => _items[Current];

    /// <summary>The number that the last increment or decrement made.</summary>
    public Digits Digits { get; } = new();

    /// <summary>Reads bytes of the value of <see cref="Current"/>.</summary>
    public void ReadValue(int offset, Span<byte> destination) =>
        _pool.Read(Current, _items[Current].KeyLength + offset, destination);

    /// <summary>Executes a command that has a key.</summary>
    /// <param name="request">The request, in which the key and the value are.</param>
    /// <param name="command">The command.</param>
    /// <param name="now">The time in seconds.</param>
    public Outcome Execute(ReadOnlySpan<byte> request, in Command command, uint now)
    {
        if (_flushTime != 0 && now >= _flushTime) FlushAll();
        var key = request.Slice(command.KeyStart, command.KeyLength);
        var hash = _fingerprint.Compute(key);
        var item = Find(key, hash);
        if (item != None && !IsLive(_items[item], now))
        {
            Remove(item);
            item = None;
        }
        Current = item;
        var outcome = item == None ? OutcomeWithoutItem(command) : OutcomeWithItem(request, command, ref _items[item]);
        if (outcome is Outcome.Stored or Outcome.Counted) Store(key, hash, request, command);
        else if (outcome == Outcome.Deleted) Remove(item);
        else if (item != None) _uses.Use(item);
        return outcome;
    }

    /// <summary>Makes all items expire.</summary>
    /// <param name="time">The second at which they do; now or before, at once.</param>
    /// <param name="now">The time in seconds.</param>
    public void Flush(uint time, uint now)
    {
        if (time > now)
        {
            _flushTime = time;
            return;
        }
        _unique++;
        FlushAll();
    }

    /// <summary>The second at which an item expires of which a client says so.</summary>
    /// <param name="time">
    /// Seconds from now, up to 30 days of them; above, seconds since 1970; 0 for never, and below 0 for now.
    /// </param>
    /// <param name="now">The time in seconds.</param>
    public static uint Expiry(long time, uint now) =>
        time < 0 ? Math.Max(now, 1)
        : time is 0 or > MaxRelativeTime ? (uint)time
        : (uint)time + now;

    private void FlushAll() => (_flushed, _flushTime) = (_unique, 0);

    private bool IsLive(in Item item, uint now) =>
        item.Unique > _flushed && (item.Expiry == 0 || now < item.Expiry);

    private int Find(ReadOnlySpan<byte> key, uint hash)
    {
        for (var item = _chains.First(hash); item != None; item = _chains.Next(item))
            if (_chains.HashOf(item) == hash && _items[item].KeyLength == key.Length && _pool.StartsWith(item, key))
                return item;
        return None;
    }

    private static Outcome OutcomeWithoutItem(in Command command) => command.Operation switch
    {
        Operation.Set or Operation.Add => Outcome.Stored,
        Operation.Replace or Operation.Append or Operation.Prepend => Outcome.NotStored,
        _ => Outcome.NotFound,
    };

    private Outcome OutcomeWithItem(ReadOnlySpan<byte> request, in Command command, ref Item item)
    {
        var isOther = command.Unique != item.Unique && (command.Unique != 0 || command.Operation == Operation.Cas);
        switch (command.Operation)
        {
            case Operation.Get:
                return Outcome.Found;
            case Operation.GetAndTouch:
                item.Expiry = command.Expiry;
                return Outcome.Found;
            case Operation.Touch:
                item.Expiry = command.Expiry;
                return Outcome.Touched;
            case Operation.Add:
                return Outcome.NotStored;
        }
        if (isOther) return Outcome.Exists;
        switch (command.Operation)
        {
            case Operation.Delete:
                return Outcome.Deleted;
            case Operation.Increment or Operation.Decrement:
                return Count(command, item);
            case Operation.Append or Operation.Prepend:
                return item.ValueLength + command.ValueLength > MaxValueLength ? Outcome.NotStored : Outcome.Stored;
            default:
                return Outcome.Stored;
        }
    }

    /// <summary>Adds to a number, modulo 2⁶⁴, or takes from it, down to 0.</summary>
    private Outcome Count(in Command command, in Item item)
    {
        var text = _value.AsSpan(0, item.ValueLength);
        ReadValue(0, text);
        var number = Number.Read(text);
        if (!number.IsUnsigned) return Outcome.NotNumeric;
        var before = number.Unsigned;
        Digits.Write(
            command.Operation == Operation.Increment ? before + command.Delta
            : before > command.Delta ? before - command.Delta
            : 0);
        return Outcome.Counted;
    }

    /// <summary>Stores the value that the command makes, in place of the item that was there.</summary>
    private void Store(ReadOnlySpan<byte> key, uint hash, ReadOnlySpan<byte> request, in Command command)
    {
        var keeps = command.Operation is Operation.Append or Operation.Prepend or Operation.Increment
            or Operation.Decrement;
        var item = new Item { KeyLength = (byte)key.Length, Flags = command.Flags, Expiry = command.Expiry };
        if (keeps) item = CurrentItem;
        var given = request.Slice(command.ValueStart, command.ValueLength);
        item.ValueLength = (ushort)Compose(given, command.Operation);
        item.Unique = ++_unique;
        if (Current != None) Remove(Current);
        var chunks = _pool.ChunksOf(key.Length + item.ValueLength);
        while (_pool.Free < chunks)
        {
            _counters.Evictions.Increment();
            Remove(_uses.Oldest);
        }
        Current = _pool.Make(chunks);
        _items[Current] = item;
        _pool.Write(Current, 0, key);
        _pool.Write(Current, key.Length, _value.AsSpan(0, item.ValueLength));
        _chains.Add(Current, hash);
        _uses.Add(Current);
    }

    /// <summary>Puts the new value together.</summary>
    /// <returns>Its length in bytes.</returns>
    private int Compose(ReadOnlySpan<byte> given, Operation operation)
    {
        var old = Current == None ? 0 : (int)CurrentItem.ValueLength;
        switch (operation)
        {
            case Operation.Append:
                ReadValue(0, _value.AsSpan(0, old));
                given.CopyTo(_value.AsSpan(old));
                return old + given.Length;
            case Operation.Prepend:
                given.CopyTo(_value);
                ReadValue(0, _value.AsSpan(given.Length, old));
                return old + given.Length;
            case Operation.Increment or Operation.Decrement:
                // A number that has got shorter keeps its length, by blanks behind it.
                var length = Math.Max(old, Digits.Length);
                _value.AsSpan(0, length).Fill((byte)' ');
                Digits.Text.CopyTo(_value);
                return length;
            default:
                given.CopyTo(_value);
                return given.Length;
        }
    }

    private void Remove(int item)
    {
        _chains.Remove(item);
        _uses.Remove(item);
        _pool.Release(item);
    }
}
