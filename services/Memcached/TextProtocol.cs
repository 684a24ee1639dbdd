using Emu.Protocols;

namespace Emu.Services;

/// <summary>The text protocol (protocol.txt).</summary>
internal sealed class TextProtocol(Items items, Message message, MemcachedCounters counters)
{
    private const int Key = 1, Flags = 2, Expiry = 3, ValueLength = 4, Unique = 5;

    private readonly Words _words = new();
    private readonly TextCommands _commands = new();
    private readonly TextAnswer _answer = new(items, message);
    private readonly Number[] _numbers = new Number[Unique + 1];
    private int _end;

    /// <summary>Handles a command, and answers it.</summary>
    /// <param name="frame">The frame, in which the answer takes the payload's place.</param>
    /// <param name="datagram">The datagram.</param>
    /// <param name="id">The ID of the request.</param>
    /// <param name="request">The request: all of its commands.</param>
    /// <param name="from">The offset of the command.</param>
    /// <returns>The offset of what is behind the command.</returns>
    public int Receive(ref Frame frame, UdpDatagram datagram, ushort id, ReadOnlySpan<byte> request, int from)
    {
        if (!_words.TrySplit(request, from)) return CutOff(request);
        _end = _words.End;
        var text = _words.Count == 0 ? default : _commands.Find(Word(request, 0));
        var isError = _words.Count < text.MinWords || _words.Count > text.MaxWords || _words.Count == 0;
        ReadNumbers(request, text);
        var command = new Command { Operation = text.Operation };
        var outcome = isError ? Outcome.Error : Perform(request, ref command, (uint)frame.Seconds);
        if (outcome == Outcome.Found) Retrieve(ref frame, datagram, id, request, text, ref command);
        else if (isError || !IsQuiet(request, text))
        {
            message.Clear();
            _answer.Append(outcome);
            message.Send(ref frame, datagram, id);
        }
        return _end;
    }

    /// <summary>Does what a command says that is no retrieval, or finds out what is wrong with it.</summary>
    private Outcome Perform(ReadOnlySpan<byte> request, ref Command command, uint now)
    {
        switch (command.Operation)
        {
            case Operation.Get:
                return IsAnyKeyTooLong(Key) ? Outcome.BadFormat : Outcome.Found;
            case Operation.GetAndTouch:
                if (!_numbers[1].IsSigned) return Outcome.BadExpiry;
                command.Expiry = Validity.Expiry((int)_numbers[1].Unsigned, now);
                return IsAnyKeyTooLong(Key + 1) ? Outcome.BadFormat : Outcome.Found;
            case Operation.Version:
                return Outcome.Version;
            case Operation.Verbosity:
                return _numbers[1].IsUnsigned ? Outcome.Ok : Outcome.BadFormat;
            case Operation.Flush:
                return Flush(request, now);
            case Operation.Quit:
                return Outcome.None;
        }
        command.KeyStart = _words.StartOf(Key);
        command.KeyLength = _words.LengthOf(Key);
        var outcome = ReadArguments(request, ref command, now);
        return outcome == Outcome.Found ? items.Execute(request, command, now) : outcome;
    }

    /// <summary>Reads what is behind the key.</summary>
    /// <returns><see cref="Outcome.Found"/>, or what is wrong.</returns>
    private Outcome ReadArguments(ReadOnlySpan<byte> request, ref Command command, uint now)
    {
        var isKey = command.KeyLength <= Items.MaxKeyLength;
        switch (command.Operation)
        {
            case Operation.Delete:
                if (!IsDelete(request)) return Outcome.BadDelete;
                return isKey ? Outcome.Found : Outcome.BadFormat;
            case Operation.Increment or Operation.Decrement:
                if (!isKey) return Outcome.BadFormat;
                command.Delta = _numbers[2].Unsigned;
                return _numbers[2].IsUnsigned ? Outcome.Found : Outcome.BadDelta;
            case Operation.Touch:
                if (!isKey) return Outcome.BadFormat;
                command.Expiry = Validity.Expiry((int)_numbers[2].Unsigned, now);
                return _numbers[2].IsSigned ? Outcome.Found : Outcome.BadExpiry;
            default:
                return isKey ? ReadValue(request, ref command, now) : Outcome.BadFormat;
        }
    }

    private Outcome ReadValue(ReadOnlySpan<byte> request, ref Command command, uint now)
    {
        counters.CmdSet.Increment();
        var isNumbers = _numbers[Flags].IsUnsigned && _numbers[Expiry].IsSigned && _numbers[ValueLength].IsSigned
            && (command.Operation != Operation.Cas || _numbers[Unique].IsUnsigned);
        var length = (int)_numbers[ValueLength].Unsigned;
        if (!isNumbers || length is < 0 or > int.MaxValue - 2) return Outcome.BadFormat;
        if (length + 2 > request.Length - _end)
        {
            _end = CutOff(request);
            return Outcome.None;
        }
        command.Flags = (uint)_numbers[Flags].Unsigned;
        command.Expiry = Validity.Expiry((int)_numbers[Expiry].Unsigned, now);
        command.Unique = command.Operation == Operation.Cas ? _numbers[Unique].Unsigned : 0;
        (command.ValueStart, command.ValueLength) = (_end, length);
        _end += length + 2;
        return request[_end - 2] == '\r' && request[_end - 1] == '\n' ? Outcome.Found : Outcome.BadDataChunk;
    }

    /// <summary>Answers with the items of all keys: one message each.</summary>
    private void Retrieve(
        ref Frame frame, UdpDatagram datagram, ushort id, ReadOnlySpan<byte> request, TextCommand text,
        ref Command command)
    {
        var now = (uint)frame.Seconds;
        var first = text.Operation == Operation.GetAndTouch ? Key + 1 : Key;
        for (var word = first; word < _words.Count || word == first; word++)
        {
            message.Clear();
            if (word < _words.Count)
            {
                command.KeyStart = _words.StartOf(word);
                command.KeyLength = _words.LengthOf(word);
                if (items.Execute(request, command, now) == Outcome.Found)
                    _answer.AppendItem(Word(request, word), text.ShowsUnique);
            }
            if (word + 1 >= _words.Count) _answer.Append(Outcome.End);
            message.Send(ref frame, datagram, id);
        }
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

    private bool IsQuiet(ReadOnlySpan<byte> request, TextCommand text) =>
        text.CanBeQuiet && _words.Count > (text.Operation == Operation.Delete ? 2 : 1) && EndsQuietly(request);

    private bool EndsQuietly(ReadOnlySpan<byte> request) => Word(request, _words.Count - 1).SequenceEqual("noreply"u8);

    private bool IsAnyKeyTooLong(int first)
    {
        for (var word = first; word < _words.Count; word++)
            if (_words.LengthOf(word) > Items.MaxKeyLength) return true;
        return false;
    }

    private void ReadNumbers(ReadOnlySpan<byte> request, TextCommand text)
    {
        for (var word = (int)text.FirstNumber; word <= text.LastNumber; word++)
            _numbers[word] = word < _words.Count ? Number.Read(Word(request, word)) : default;
    }

    private ReadOnlySpan<byte> Word(ReadOnlySpan<byte> request, int word) =>
        request.Slice(_words.StartOf(word), _words.LengthOf(word));

    private int CutOff(ReadOnlySpan<byte> request)
    {
        counters.CutOff.Increment();
        return request.Length;
    }
}
