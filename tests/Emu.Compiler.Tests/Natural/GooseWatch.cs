using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Watches GOOSE messages of a substation (IEC 61850-8-1): state and sequence numbers of each publisher have to go on,
/// and one of which nothing comes in time is counted as lost. What goes back is not forwarded.
/// </summary>
public sealed class GooseWatch : Service
{
    private const EtherType Goose = (EtherType)0x88B8;
    private const int Publishers = 64, HeaderLength = 8;
    private const byte Pdu = 0x61, TimeToLive = 0x81, StateNumber = 0x85, SequenceNumber = 0x86, Test = 0x87;

    private struct Publisher
    {
        public uint State, Sequence;

        public ulong Deadline;

        public bool IsAlive;
    }

    private readonly Publisher[] _publishers = new Publisher[Publishers];
    private int _next;

    public override ulong TickInterval => 1_000_000;

    public Counter Events { get; } = new();

    public Counter Repetitions { get; } = new();

    public Counter Stale { get; } = new();

    public Counter Tests { get; } = new();

    public Counter Malformed { get; } = new();

    public Counter Lost { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var payload = ethernet.Payload;
        if (type == EtherType.CTag && Vlan.TryParse(payload, out var tag))
        {
            type = tag.EtherType;
            payload = tag.Payload;
        }
        if (type == Goose && !MayPass(payload, frame.Time)) return;
        frame.Flood();
    }

    /// <summary>Marks one publisher as lost if its time is over: each tick looks at the next.</summary>
    public override void Tick(ref Frame frame)
    {
        ref var publisher = ref _publishers[_next];
        _next = (_next + 1) % Publishers;
        if (!publisher.IsAlive || frame.Time < publisher.Deadline) return;
        publisher.IsAlive = false;
        Lost.Increment();
    }

    private bool MayPass(ReadOnlySpan<byte> message, ulong time)
    {
        if (message.Length < HeaderLength + 2)
        {
            Malformed.Increment();
            return false;
        }
        var id = message[0] << 8 | message[1];
        var length = message[2] << 8 | message[3];
        if (length < HeaderLength + 2 || length > message.Length || message[HeaderLength] != Pdu)
        {
            Malformed.Increment();
            return false;
        }
        message = message[..length];
        var at = HeaderLength + 2;
        if (message[HeaderLength + 1] >= 0x80) at += message[HeaderLength + 1] & 3;

        uint milliseconds = 0, state = 0, sequence = 0;
        var isTest = false;
        while (at + 2 <= message.Length && message[at] is >= 0x80 and < 0xAB)
        {
            var (kind, size) = (message[at], message[at + 1]);
            if (size >= 0x80 || at + 2 + size > message.Length)
            {
                Malformed.Increment();
                return false;
            }
            var value = message.Slice(at + 2, size);
            switch (kind)
            {
                case TimeToLive:
                    milliseconds = Number(value);
                    break;
                case StateNumber:
                    state = Number(value);
                    break;
                case SequenceNumber:
                    sequence = Number(value);
                    break;
                case Test:
                    isTest = size == 1 && value[0] != 0;
                    break;
            }
            at += 2 + size;
        }
        if (isTest)
        {
            Tests.Increment();
            return true;
        }
        return IsNext(ref _publishers[id % Publishers], state, sequence, time + milliseconds * 1_000_000ul, time);
    }

    private bool IsNext(ref Publisher publisher, uint state, uint sequence, ulong deadline, ulong time)
    {
        var isKnown = publisher.IsAlive && time < publisher.Deadline;
        if (isKnown && (state < publisher.State || (state == publisher.State && sequence <= publisher.Sequence)))
        {
            Stale.Increment();
            return false;
        }
        if (!isKnown || state != publisher.State) Events.Increment();
        else Repetitions.Increment();
        publisher.State = state;
        publisher.Sequence = sequence;
        publisher.Deadline = deadline;
        publisher.IsAlive = true;
        return true;
    }

    private static uint Number(ReadOnlySpan<byte> value)
    {
        uint number = 0;
        for (var i = 0; i < value.Length && i < 5; i++) number = number << 8 | value[i];
        return number;
    }
}
