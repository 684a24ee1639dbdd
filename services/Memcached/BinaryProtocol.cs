using Emu.Protocols;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Emu.Services;

/// <summary>The binary protocol (protocol_binary.xml).</summary>
internal sealed class BinaryProtocol(Items items, Message message, Statistics statistics, MemcachedCounters counters)
{
    private const int FlagsOffset = MemcachedMessage.HeaderLength;
    private const int StoreExpiryOffset = FlagsOffset + sizeof(uint);
    private const int TimeOffset = MemcachedMessage.HeaderLength;
    private const int DeltaOffset = MemcachedMessage.HeaderLength;
    private const int InitialOffset = DeltaOffset + sizeof(ulong);
    private const int CountExpiryOffset = InitialOffset + sizeof(ulong);

    /// <summary>The expiry of a number that is not to be made where there is none.</summary>
    private const uint MakesNone = uint.MaxValue;

    private readonly BinaryCommands _commands = new();
    private readonly BinaryAnswer _answer = new(items, message, statistics);
    private BinaryCommand _binary;

    /// <summary>The offset of what comes behind the request read last.</summary>
    public int Next { get; private set; }

    /// <summary>Reads a request.</summary>
    /// <param name="requests">All requests of the datagram.</param>
    /// <param name="from">The offset of the request.</param>
    /// <param name="now">The time in seconds.</param>
    /// <param name="command">The command to be executed.</param>
    /// <returns>The outcome; <see cref="Outcome.Pending"/> if that is for the items to say.</returns>
    public Outcome Read(Span<byte> requests, int from, uint now, ref Command command)
    {
        // Behind a request whose lengths are wrong, nobody knows where the next begins.
        Next = requests.Length;
        command = default;
        var bytes = requests[from..];
        if (!MemcachedMessage.TryParse(bytes, out var request)) return Drop(counters.CutOff);
        if (request.Magic != MemcachedMessage.RequestMagic) return Drop(counters.NotRequests);
        var headLength = MemcachedMessage.HeaderLength + request.ExtrasLength + request.KeyLength;
        if (headLength > bytes.Length) return Drop(counters.CutOff);

        _binary = _commands.Find(request.Opcode);
        var outcome = Examine(request);
        if (outcome is Outcome.BadLengths or Outcome.BadArguments) return outcome;
        var length = MemcachedMessage.HeaderLength + (ulong)request.BodyLength;
        var isWhole = length <= (ulong)bytes.Length;
        if (isWhole) Next = from + (int)length;
        if (outcome != Outcome.Pending) return outcome;
        if (!isWhole) return Drop(counters.CutOff);
        command.KeyStart = from + MemcachedMessage.HeaderLength + request.ExtrasLength;
        command.KeyLength = request.KeyLength;
        return Perform(bytes, request, ref command, now);
    }

    /// <summary>Adds the answer to the request.</summary>
    /// <param name="requests">All requests of the datagram.</param>
    /// <param name="from">The offset of the request.</param>
    /// <param name="outcome">Its outcome.</param>
    /// <param name="now">The time in seconds.</param>
    public void Answer(Span<byte> requests, int from, Outcome outcome, uint now)
    {
        if (outcome == Outcome.Quit) Next = requests.Length;
        if (outcome == Outcome.None || (_binary.IsQuiet && IsExpected(_binary.Operation, outcome))) return;
        if (!MemcachedMessage.TryParse(requests[from..], out var request)) return;
        counters.CountAnswer(outcome);
        _answer.Add(request, _binary, outcome, now);
    }

    /// <summary>Looks at the lengths of a request.</summary>
    /// <returns><see cref="Outcome.Pending"/>, or what is wrong.</returns>
    private Outcome Examine(MemcachedMessage request) =>
        request.BodyLength < (uint)request.ExtrasLength + request.KeyLength ? Outcome.BadLengths
        : request.KeyLength > Items.MaxKeyLength ? Outcome.BadArguments
        : _binary.Operation == Operation.Unknown ? Outcome.Error
        : _binary.Fits(request) ? Outcome.Pending
        : Outcome.BadArguments;

    /// <summary>Does what a request says that has no key, or reads all else of one that has.</summary>
    private Outcome Perform(Span<byte> bytes, MemcachedMessage request, ref Command command, uint now)
    {
        switch (_binary.Operation)
        {
            case Operation.Version:
                return Outcome.Version;
            case Operation.NoOperation:
                return Outcome.Ok;
            case Operation.Quit:
                return Outcome.Quit;
            case Operation.Statistics:
                return request.KeyLength == 0 ? Outcome.Statistics : Outcome.NotFound;
            case Operation.Flush:
                var time = request.ExtrasLength == 0 ? 0 : ReadUInt32BigEndian(bytes[TimeOffset..]);
                items.Flush(time == 0 ? now : Validity.Expiry(time, now) - 1, now);
                return Outcome.Ok;
            default:
                ReadArguments(bytes, request, ref command, now);
                return Outcome.Pending;
        }
    }

    private void ReadArguments(Span<byte> bytes, MemcachedMessage request, ref Command command, uint now)
    {
        command.Operation = _binary.Operation;
        command.Unique = request.Unique;
        command.ValueStart = command.KeyStart + command.KeyLength;
        command.ValueLength = (int)request.BodyLength - request.ExtrasLength - request.KeyLength;
        switch (_binary.Operation)
        {
            case Operation.Set or Operation.Add or Operation.Replace:
                if (command.Unique != 0) command.Operation = Operation.Cas;
                command.Flags = ReadUInt32BigEndian(bytes[FlagsOffset..]);
                command.Expiry = Validity.Expiry(ReadUInt32BigEndian(bytes[StoreExpiryOffset..]), now);
                break;
            case Operation.Increment or Operation.Decrement:
                var expiry = ReadUInt32BigEndian(bytes[CountExpiryOffset..]);
                command.Delta = ReadUInt64BigEndian(bytes[DeltaOffset..]);
                command.Initial = ReadUInt64BigEndian(bytes[InitialOffset..]);
                command.Makes = expiry != MakesNone;
                command.Expiry = Validity.Expiry(expiry, now);
                break;
            case Operation.Touch or Operation.GetAndTouch:
                command.Expiry = Validity.Expiry(ReadUInt32BigEndian(bytes[TimeOffset..]), now);
                break;
        }
    }

    /// <summary>True if the sender of a quiet request expects its outcome.</summary>
    private static bool IsExpected(Operation operation, Outcome outcome) =>
        outcome is Outcome.Stored or Outcome.Counted or Outcome.Deleted or Outcome.Ok or Outcome.Quit
        || (outcome == Outcome.NotFound && operation is Operation.Get or Operation.GetAndTouch);

    private static Outcome Drop(Counter reason)
    {
        reason.Increment();
        return Outcome.None;
    }
}
