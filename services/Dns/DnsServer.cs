using Emu.Protocols;
using Emu.Services.Zones;
using static System.Buffers.Binary.BinaryPrimitives;
using Message = Emu.Protocols.Dns;

namespace Emu.Services;

/// <summary>Answers questions by the zones that it has, as an application of a host's UDP port.</summary>
public sealed class DnsServer : IUdpApplication
{
    /// <summary>The longest message that no network has to take apart, and that who asks may be told of.</summary>
    private const ushort MaxLength = 1232;

    /// <summary>The longest message to one who does not say what it can take (RFC 1035 §4.2.1).</summary>
    private const int MaxLengthWithoutOptions = 512;

    /// <summary>A message whose question has a name below the root, a type and a class.</summary>
    private const int LeastLength = Message.HeaderLength + 7;

    private const ushort ClassIN = 1;
    private const ushort ClassAny = 255;

    private readonly NameTable _table;
    private readonly QuestionTable _questions;
    private readonly AnswerRate? _rate;

    /// <summary>Reads the zones.</summary>
    /// <param name="zones">The paths of their master files (RFC 1035 §5), one each.</param>
    /// <param name="rate">Answers a second to one network, a /24 or with IPv6 a /56; 0 for no limit.</param>
    /// <exception cref="ArgumentException">A file is no zone: file, line and reason.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The rate is below 0.</exception>
    public DnsServer(string[] zones, int rate = 0)
    {
        ArgumentNullException.ThrowIfNull(zones);
        ArgumentOutOfRangeException.ThrowIfNegative(rate);
        if (rate != 0) _rate = new AnswerRate(rate);
        var read = zones.Select(path => new Zone(path, MasterFile.Read(Place(path)))).ToList();
        var twice = read.GroupBy(zone => zone.Apex).FirstOrDefault(group => group.Count() > 1);
        if (twice is not null) throw new ArgumentException($"zone {twice.Key} is there {twice.Count()} times");
        _table = new NameTable(read);
        _questions = new QuestionTable(_table.Known, MaxLengthWithoutOptions - Message.HeaderLength);
    }

    /// <summary>Its answers by their kind.</summary>
    public DnsCounters Counters { get; } = new();

    /// <inheritdoc/>
    public void Receive(ref Frame frame, UdpDatagram datagram)
    {
        var bytes = frame.Bytes.Slice(datagram.Offset, datagram.Length);
        if (!Message.TryParse(bytes, out var message) || message.IsResponse) Counters.NotQueries.Increment();
        else if (_rate is not null && !_rate.MayAnswer(frame, datagram)) Counters.OverRate.Increment();
        else if (datagram.Length >= LeastLength && IsQuestionAlone(message)
            && _questions.TryFind(message.Payload, out var answer))
            AnswerAlone(ref frame, datagram, message, answer);
        else AnswerOther(ref frame, datagram, message);
    }

    /// <summary>True for a query that is a question and nothing else.</summary>
    private static bool IsQuestionAlone(Message message) =>
        message is { Opcode: DnsOpcode.Query, QuestionCount: 1, AnswerCount: 0, AuthorityCount: 0, AdditionalCount: 0 };

    /// <summary>Answers a question alone with what has been prepared for it, for which there is room.</summary>
    private void AnswerAlone(ref Frame frame, UdpDatagram datagram, Message message, PreparedAnswer answer)
    {
        message.AnswerCount = answer.Answers;
        message.AuthorityCount = answer.Authorities;
        message.AdditionalCount = answer.FullAdditionals;
        Outcome(answer).Write(message);
        Count(answer);
        var question = frame.Bytes.Slice(datagram.Offset, datagram.Length);
        var sum = InternetChecksum.Sum(question) + InternetChecksum.Behind(question.Length, answer.FullSum);
        datagram.Reply(ref frame, question.Length + answer.FullLength, sum);
        var records = _table.Bytes.AsSpan(answer.Start, answer.FullLength);
        records.CopyTo(frame.Bytes[(datagram.Offset + datagram.Length)..]);
    }

    /// <summary>Answers all that is not known as a whole.</summary>
    private void AnswerOther(ref Frame frame, UdpDatagram datagram, Message message)
    {
        if (message.Opcode != DnsOpcode.Query)
        {
            Counters.NotImplemented.Increment();
            AnswerWithoutQuestion(ref frame, datagram, DnsResponseCode.NotImplemented);
        }
        else if (message.QuestionCount != 1 || message.AnswerCount != 0
            || !DnsQuestion.TryRead(message.Payload, out var question))
        {
            Counters.FormatErrors.Increment();
            AnswerWithoutQuestion(ref frame, datagram, DnsResponseCode.FormatError);
        }
        else Answer(ref frame, datagram, message, question);
    }

    /// <summary>The zone of the example is beside the service, wherever that is run.</summary>
    private static string Place(string path)
    {
        var beside = Path.Combine(
            Path.GetDirectoryName(typeof(DnsServer).Assembly.Location) ?? "", Path.GetFileName(path));
        return File.Exists(path) || Path.GetFileName(path) != path || !File.Exists(beside) ? path : beside;
    }

    private void Answer(ref Frame frame, UdpDatagram datagram, Message message, DnsQuestion question)
    {
        var records = message.AuthorityCount + message.AdditionalCount;
        if (!DnsOptions.TryRead(message.Payload[question.Length..], records, out var options))
        {
            Counters.FormatErrors.Increment();
            AnswerWithoutQuestion(ref frame, datagram, DnsResponseCode.FormatError);
        }
        else if (options.Version != 0)
        {
            Counters.BadVersions.Increment();
            AnswerWithoutRecords(ref frame, datagram, question, options, DnsResponseCode.NoError);
        }
        else
        {
            var isTransfer = question.Type is RecordType.Axfr or RecordType.Ixfr;
            var answer = isTransfer || question.Class is not (ClassIN or ClassAny)
                ? NameTable.None
                : _table.Find(message.Payload[..question.NameLength], question.Hash, question.Type);
            if (answer == NameTable.None)
            {
                Counters.QueriesRefused.Increment();
                AnswerWithoutRecords(ref frame, datagram, question, options, DnsResponseCode.Refused);
            }
            else AnswerWith(ref frame, datagram, question, options, _table.Answers[answer]);
        }
    }

    /// <summary>Answers with what has been prepared, or with TC if that has no room (RFC 2181 §9).</summary>
    private void AnswerWith(
        ref Frame frame, UdpDatagram datagram, DnsQuestion question, DnsOptions options, PreparedAnswer answer)
    {
        var end = Message.HeaderLength + question.Length;
        var room = Room(options) - end;
        if (answer.Length > room)
        {
            Counters.Truncated.Increment();
            Finish(ref frame, datagram, question, options, new DnsOutcome(DnsResponseCode.NoError, true, true), 0);
            return;
        }
        var isFull = answer.FullLength <= room;
        var length = isFull ? answer.FullLength : answer.Length;
        frame.Resize(datagram.Offset + end + length + DnsOptions.Length);
        var records = frame.Bytes.Slice(datagram.Offset + end, length);
        _table.Bytes.AsSpan(answer.Start, length).CopyTo(records);
        MovePointers(records, answer, question.NameLength - answer.NameLength);
        if (Message.TryParse(frame.Bytes[datagram.Offset..], out var message))
        {
            message.AnswerCount = answer.Answers;
            message.AuthorityCount = answer.Authorities;
            message.AdditionalCount = isFull ? answer.FullAdditionals : answer.Additionals;
        }
        Count(answer);
        Finish(ref frame, datagram, question, options, Outcome(answer), length);
    }

    private static DnsOutcome Outcome(PreparedAnswer answer) => new(
        answer.DoesNameExist ? DnsResponseCode.NoError : DnsResponseCode.NameError, answer.IsAuthoritative, false);

    /// <summary>Makes the pointers those of a question that is longer than what the answer was prepared for.</summary>
    private void MovePointers(Span<byte> records, PreparedAnswer answer, int distance)
    {
        if (distance == 0) return;
        for (var i = answer.FirstPointer; i < answer.FirstPointer + answer.Pointers; i++)
        {
            var at = _table.Pointers[i];
            if (at >= records.Length) return;
            var pointer = records[at..];
            WriteUInt16BigEndian(pointer, (ushort)(ReadUInt16BigEndian(pointer) + distance));
        }
    }

    private void Count(PreparedAnswer answer)
    {
        if (!answer.DoesNameExist) Counters.NoName.Increment();
        else if (answer.Answers > 0) Counters.Answered.Increment();
        else if (answer.IsAuthoritative) Counters.NoData.Increment();
        else Counters.Referred.Increment();
    }

    private static int Room(DnsOptions options) =>
        !options.IsThere ? MaxLengthWithoutOptions
        : Math.Clamp((int)options.Size, MaxLengthWithoutOptions, MaxLength) - DnsOptions.Length;

    /// <summary>An answer that has the header alone: the rest could not be read.</summary>
    private static void AnswerWithoutQuestion(ref Frame frame, UdpDatagram datagram, DnsResponseCode code)
    {
        if (Message.TryParse(frame.Bytes[datagram.Offset..], out var message))
        {
            message.QuestionCount = 0;
            DnsOutcome.ClearRecords(message);
            new DnsOutcome(code, false, false).Write(message);
        }
        datagram.Reply(ref frame, Message.HeaderLength);
    }

    private static void AnswerWithoutRecords(
        ref Frame frame, UdpDatagram datagram, DnsQuestion question, DnsOptions options, DnsResponseCode code) =>
        Finish(ref frame, datagram, question, options, new DnsOutcome(code, false, false), 0);

    private static void Finish(
        ref Frame frame, UdpDatagram datagram, DnsQuestion question, DnsOptions options, DnsOutcome outcome,
        int records)
    {
        var end = Message.HeaderLength + question.Length + records;
        frame.Resize(datagram.Offset + end + DnsOptions.Length);
        var bytes = frame.Bytes[datagram.Offset..];
        if (!Message.TryParse(bytes, out var message)) return;
        if (records == 0) DnsOutcome.ClearRecords(message);
        outcome.Write(message);
        if (options.IsThere)
        {
            message.AdditionalCount++;
            options.Write(bytes[end..], MaxLength, options.Version != 0);
            end += DnsOptions.Length;
        }
        datagram.Reply(ref frame, end);
    }
}
