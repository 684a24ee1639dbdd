namespace Emu.Services;

/// <summary>
/// Items by their keys, in memory of a fixed size, and what commands do with them: where there is no room, those go
/// whose last use is longest ago.
/// </summary>
internal sealed class Items
{
    /// <summary>The longest key, in bytes.</summary>
    public const int MaxKeyLength = 250;

    /// <summary>The longest value, in bytes: what a datagram carries.</summary>
    public const int MaxValueLength = 1446;

    private const int ChunkLength = 64;

    /// <summary>No item.</summary>
    private const int None = StringCache.None;

    private readonly StringCache _cache;
    private readonly Item[] _items;
    private readonly NewValue _value;
    private readonly Validity _validity = new();
    private readonly MemcachedCounters _counters;

    public Items(int chunks, ulong seed, MemcachedCounters counters)
    {
        _cache = new StringCache(chunks, ChunkLength, seed);
        _items = new Item[chunks];
        _value = new NewValue(_cache);
        Answers = new ShortAnswers(chunks);
        _counters = counters;
    }

    /// <summary>The item that the last command found or stored.</summary>
    public int Current { get; private set; }

    /// <summary>All of that item but its bytes.</summary>
    public Item CurrentItem => _items[Current];

    /// <summary>The bytes of that item's value.</summary>
    public int CurrentLength => _cache.ValueLengthOf(Current);

    /// <summary>The number of items.</summary>
    public int Count => _cache.Count;

    /// <summary>The bytes of memory.</summary>
    public int Memory => _items.Length * ChunkLength;

    /// <summary>The bytes of memory that items have taken.</summary>
    public int UsedMemory => Memory - _cache.Free * ChunkLength;

    /// <summary>The number that the last increment or decrement made.</summary>
    public ulong Number => _value.Number;

    /// <summary>Reads the value of <see cref="Current"/>.</summary>
    public void ReadValue(Span<byte> destination) => _cache.ReadValue(Current, 0, destination);

    /// <summary>The answers to retrievals of one item that have been sent.</summary>
    public ShortAnswers Answers { get; }

    /// <summary>
    /// Retrieves an item of a short key whose answer is kept, if that takes a few steps alone: it is found at once, it
    /// is valid, and no flush is due.
    /// </summary>
    /// <param name="key">The key, a <see cref="ShortKey"/>.</param>
    /// <param name="time">The time in nanoseconds.</param>
    /// <param name="item">The item.</param>
    /// <returns>False if it is not there, or if that is for <see cref="Execute"/> to say.</returns>
    public bool TryRetrieve(UInt128 key, ulong time, out int item)
    {
        item = _cache.FindShort(key, _cache.HashOf(key));
        if (item == None || !Answers.Has(item) || !_validity.IsPlainlyValid(_items[item], time)) return false;
        _cache.Use(item);
        _counters.GetHits.Increment();
        return true;
    }

    /// <summary>Executes a command that has a key.</summary>
    /// <param name="request">The request, in which the key and the value are.</param>
    /// <param name="command">The command.</param>
    /// <param name="now">The time in seconds.</param>
    public Outcome Execute(ReadOnlySpan<byte> request, in Command command, uint now)
    {
        _validity.Advance(now);
        var key = request.Slice(command.KeyStart, command.KeyLength);
        var hash = _cache.HashOf(key);
        var item = _cache.Find(key, hash);
        if (item != None && !_validity.IsValid(_items[item], now))
        {
            _cache.Remove(item);
            item = None;
        }
        Current = item;
        var outcome = item == None ? OutcomeWithoutItem(command) : OutcomeWithItem(command, item);
        _counters.Count(command.Operation, outcome);
        if (outcome is Outcome.Stored or Outcome.Counted) Store(key, hash, request, command);
        else if (outcome == Outcome.Deleted) _cache.Remove(item);
        else if (item != None) _cache.Use(item);
        return outcome;
    }

    /// <summary>Makes all items invalid that there are at some time.</summary>
    /// <param name="time">The second; now or before, at once.</param>
    /// <param name="now">The time in seconds.</param>
    public void Flush(uint time, uint now)
    {
        _counters.CmdFlush.Increment();
        _validity.Flush(time, now);
    }

    private Outcome OutcomeWithoutItem(in Command command)
    {
        _value.Number = command.Initial;
        return command.Operation switch
        {
            Operation.Set or Operation.Add => Outcome.Stored,
            Operation.Replace or Operation.Append or Operation.Prepend => Outcome.NotStored,
            _ => command.Makes ? Outcome.Counted : Outcome.NotFound,
        };
    }

    private Outcome OutcomeWithItem(in Command command, int item)
    {
        var isOther = command.Unique != _items[item].Unique
            && (command.Unique != 0 || command.Operation == Operation.Cas);
        switch (command.Operation)
        {
            case Operation.Get:
                return Outcome.Found;
            case Operation.GetAndTouch:
                _items[item].Expiry = command.Expiry;
                return Outcome.Found;
            case Operation.Touch:
                _items[item].Expiry = command.Expiry;
                return Outcome.Touched;
            case Operation.Add:
                return Outcome.NotStored;
            case Operation.Increment or Operation.Decrement when CurrentLength == 0:
                return Outcome.NotNumeric;
        }
        if (isOther) return Outcome.Exists;
        switch (command.Operation)
        {
            case Operation.Delete:
                return Outcome.Deleted;
            case Operation.Increment or Operation.Decrement:
                return _value.TryCount(command, item) ? Outcome.Counted : Outcome.NotNumeric;
            case Operation.Append or Operation.Prepend:
                return CurrentLength + command.ValueLength > MaxValueLength ? Outcome.NotStored : Outcome.Stored;
            default:
                return Outcome.Stored;
        }
    }

    /// <summary>Stores the value that the command makes, in place of the item that was there.</summary>
    private void Store(ReadOnlySpan<byte> key, uint hash, ReadOnlySpan<byte> request, in Command command)
    {
        var changes = command.Operation is Operation.Append or Operation.Prepend or Operation.Increment
            or Operation.Decrement;
        var item = new Item { Flags = command.Flags, Expiry = command.Expiry };
        if (changes && Current != None) item = CurrentItem;
        item.Unique = _validity.NextUnique();
        _value.Compose(command.Operation, request.Slice(command.ValueStart, command.ValueLength), Current);
        if (Current != None) _cache.Remove(Current);
        while (!_cache.HasRoom(key.Length, _value.Bytes.Length))
        {
            _counters.Evictions.Increment();
            _cache.Remove(_cache.Oldest);
        }
        Current = _cache.Add(key, hash, _value.Bytes);
        _items[Current] = item;
        Answers.Forget(Current);
    }
}
