namespace Emu.Services;

/// <summary>The text protocol (protocol.txt).</summary>
internal sealed class TextProtocol(Items items, Message message, Statistics statistics, MemcachedCounters counters)
{
    private const int Key = 1, Flags = 2, Expiry = 3, ValueLength = 4, Unique = 5;

    private readonly Words _words = new();
    private readonly TextCommands _commands = new();
    private readonly TextAnswer _answer = new(items, message, statistics);
    private readonly Number[] _numbers = new Number[Unique + 1];
    private TextCommand _text;
    private int _end;

    /// <summary>The word that is the key of a retrieval that goes on; 0 if none does.</summary>
    private int _word;

    /// <summary>Reads the next command, or the next key of a retrieval.</summary>
    /// <param name="requests">All commands of the datagram.</param>
    /// <param name="from">The offset of the command.</param>
    /// <param name="now">The time in seconds.</param>
    /// <param name="command">The command to be executed; as it was, for the next key of a retrieval.</param>
    /// <returns>The outcome; <see cref="Outcome.Pending"/> if that is for the items to say.</returns>
    public Outcome Read(ReadOnlySpan<byte> requests, int from, uint now, ref Command command)
    {
        var outcome = _word == 0 ? ReadLine(requests, from, now, ref command) : Outcome.Pending;
        if (outcome != Outcome.Pending || _word == 0) return outcome;
        if (_word >= _words.Count) return Outcome.End;
        command.KeyStart = _words.StartOf(_word);
        command.KeyLength = _words.LengthOf(_word);
        return Outcome.Pending;
    }

    /// <summary>Adds the answer to the command: of a retrieval a message each for the items that are there.</summary>
    /// <param name="requests">All commands of the datagram.</param>
    /// <param name="outcome">Its outcome.</param>
    /// <param name="now">The time in seconds.</param>
    public void Answer(ReadOnlySpan<byte> requests, Outcome outcome, uint now)
    {
        if (_word != 0)
        {
            if (outcome == Outcome.Found) _answer.AddItem(_text.ShowsUnique);
            _word++;
            if (_word < _words.Count) return;
            _word = 0;
            outcome = Outcome.End;
        }
        else if (outcome != Outcome.Error && IsQuiet(requests)) return;
        counters.CountAnswer(outcome);
        _answer.AddOutcome(outcome, now);
        if (outcome == Outcome.Quit) _end = requests.Length;
    }

    /// <summary>The offset of what comes behind the command, or its own if it is a retrieval that goes on.</summary>
    public int Next(int from) => _word != 0 ? from : _end;

    private Outcome ReadLine(ReadOnlySpan<byte> requests, int from, uint now, ref Command command)
    {
        _text = default;
        command = default;
        if (!_words.TrySplit(requests, from)) return CutOff(requests);
        _end = _words.End;
        if (_words.Count == 0) return Outcome.Error;
        _text = _commands.Find(Word(requests, 0));
        if (_words.Count < _text.MinWords || _words.Count > _text.MaxWords) return Outcome.Error;
        ReadNumbers(requests);
        command.Operation = _text.Operation;
        return Perform(requests, ref command, now);
    }

    /// <summary>Does what a command says that has no key, or finds out what is wrong with one that has.</summary>
    private Outcome Perform(ReadOnlySpan<byte> request, ref Command command, uint now)
    {
        switch (command.Operation)
        {
            case Operation.Get:
                return BeginRetrieval(Key);
            case Operation.GetAndTouch:
                command.Expiry = Validity.Expiry((int)_numbers[1].Unsigned, now);
                return _numbers[1].IsSigned ? BeginRetrieval(Key + 1) : Outcome.BadExpiry;
            case Operation.Version:
                return Outcome.Version;
            case Operation.Verbosity:
                return _numbers[1].IsUnsigned ? Outcome.Ok : Outcome.BadFormat;
            case Operation.Flush:
                return Flush(request, now);
            case Operation.Statistics:
                return Outcome.Statistics;
            case Operation.Quit:
                return Outcome.Quit;
        }
        command.KeyStart = _words.StartOf(Key);
        command.KeyLength = _words.LengthOf(Key);
        return ReadArguments(request, ref command, now);
    }

    /// <summary>Reads what is behind the key.</summary>
    /// <returns><see cref="Outcome.Pending"/>, or what is wrong.</returns>
    private Outcome ReadArguments(ReadOnlySpan<byte> request, ref Command command, uint now)
    {
        var isKey = command.KeyLength <= Items.MaxKeyLength;
        switch (command.Operation)
        {
            case Operation.Delete:
                if (!IsDelete(request)) return Outcome.BadDelete;
                return isKey ? Outcome.Pending : Outcome.BadFormat;
            case Operation.Increment or Operation.Decrement:
                if (!isKey) return Outcome.BadFormat;
                command.Delta = _numbers[2].Unsigned;
                return _numbers[2].IsUnsigned ? Outcome.Pending : Outcome.BadDelta;
            case Operation.Touch:
                if (!isKey) return Outcome.BadFormat;
                command.Expiry = Validity.Expiry((int)_numbers[2].Unsigned, now);
                return _numbers[2].IsSigned ? Outcome.Pending : Outcome.BadExpiry;
            default:
                return isKey ? ReadValue(request, ref command, now) : Outcome.BadFormat;
        }
    }

    private Outcome ReadValue(ReadOnlySpan<byte> request, ref Command command, uint now)
    {
        var isNumbers = _numbers[Flags].IsUnsigned && _numbers[Expiry].IsSigned && _numbers[ValueLength].IsSigned
            && (command.Operation != Operation.Cas || _numbers[Unique].IsUnsigned);
        var length = (int)_numbers[ValueLength].Unsigned;
        if (!isNumbers || length is < 0 or > int.MaxValue - 2) return Outcome.BadFormat;
        if (length + 2 > request.Length - _end) return CutOff(request);
        command.Flags = (uint)_numbers[Flags].Unsigned;
        command.Expiry = Validity.Expiry((int)_numbers[Expiry].Unsigned, now);
        command.Unique = command.Operation == Operation.Cas ? _numbers[Unique].Unsigned : 0;
        (command.ValueStart, command.ValueLength) = (_end, length);
        _end += length + 2;
        return request[_end - 2] == '\r' && request[_end - 1] == '\n' ? Outcome.Pending : Outcome.BadDataChunk;
    }

    private Outcome BeginRetrieval(int first)
    {
        for (var word = first; word < _words.Count; word++)
            if (_words.LengthOf(word) > Items.MaxKeyLength) return Outcome.BadFormat;
        _word = first;
        return Outcome.Pending;
    }

    private Outcome Flush(ReadOnlySpan<byte> request, uint now)
    {
        var hasTime = _words.Count != (EndsQuietly(request) ? 2 : 1);
        if (hasTime && !_numbers[1].IsSigned) return Outcome.BadExpiry;
        var time = hasTime ? (int)_numbers[1].Unsigned : 0;
        items.Flush(time <= 0 ? now : Validity.Expiry(time, now) - 1, now);
        return Outcome.Ok;
    }

    /// <summary>Once there was a time, of which 0 is still allowed.</summary>
    private bool IsDelete(ReadOnlySpan<byte> request)
    {
        if (_words.Count == 2) return true;
        var (isZero, isQuiet) = (Word(request, 2).SequenceEqual("0"u8), EndsQuietly(request));
        return _words.Count == 3 ? isZero || isQuiet : isZero && isQuiet;
    }

    private bool IsQuiet(ReadOnlySpan<byte> request) =>
        _text.CanBeQuiet && _words.Count > (_text.Operation == Operation.Delete ? 2 : 1) && EndsQuietly(request);

    private bool EndsQuietly(ReadOnlySpan<byte> request) => Word(request, _words.Count - 1).SequenceEqual("noreply"u8);

    private void ReadNumbers(ReadOnlySpan<byte> request)
    {
        for (var word = (int)_text.FirstNumber; word <= _text.LastNumber; word++)
            _numbers[word] = word < _words.Count ? Number.Read(Word(request, word)) : default;
    }

    private ReadOnlySpan<byte> Word(ReadOnlySpan<byte> request, int word) =>
        request.Slice(_words.StartOf(word), _words.LengthOf(word));

    private Outcome CutOff(ReadOnlySpan<byte> request)
    {
        counters.CutOff.Increment();
        _end = request.Length;
        return Outcome.None;
    }
}
