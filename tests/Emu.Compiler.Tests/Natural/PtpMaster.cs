using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A two-step master clock of IEEE 1588-2019 over Ethernet: eight times a second it sends Sync and Follow_Up, each
/// second Announce, and it answers Delay_Req. It falls silent while a better clock announces itself.
/// </summary>
/// <param name="mac">The clock's station address, of which its identity is made.</param>
/// <param name="priority">Its priority 1: less is better.</param>
/// <param name="domain">The number of its domain.</param>
public sealed class PtpMaster(MacAddress mac, byte priority = 128, byte domain = 0) : Service
{
    private const EtherType Ptp = (EtherType)0x88F7;
    private const int HeaderLength = 34, SyncLength = 44, DelayResponseLength = 54, AnnounceLength = 64;
    private const ulong NanosecondsPerSecond = 1_000_000_000;
    private const uint SyncsPerAnnounce = 8, AnnounceTimeout = 3;
    private const byte ClockClass = 248, ClockAccuracy = 0xFE, Priority2 = 128, InternalOscillator = 0xA0;
    private const ushort Variance = 0xFFFF, TwoStep = 0x0200, PortNumber = 1;

    private static readonly MacAddress s_everyone = MacAddress.Parse("01:1b:19:00:00:00");

    private enum MessageType : byte
    {
        Sync = 0,
        DelayRequest = 1,
        FollowUp = 8,
        DelayResponse = 9,
        Announce = 11,
    }

    /// <summary>An EUI-64 made of the EUI-48 (IEEE 1588-2019 §7.5.2.2).</summary>
    private readonly ulong _identity = mac.Bits >> 24 << 40 | 0xFF_FE00_0000 | mac.Bits & 0xFF_FFFF;

    private ushort _syncSequence, _announceSequence;
    private ulong _silentUntil;

    public override ulong TickInterval => NanosecondsPerSecond / SyncsPerAnnounce;

    public Counter Syncs { get; } = new();

    public Counter Announces { get; } = new();

    public Counter DelayResponses { get; } = new();

    public Counter BetterClocks { get; } = new();

    public override void Tick(ref Frame frame)
    {
        if (frame.Time < _silentUntil) return;

        if (_syncSequence % SyncsPerAnnounce == 0)
        {
            var announce = Begin(ref frame, MessageType.Announce, AnnounceLength, _announceSequence++, 0);
            announce[13] = priority;
            announce[14] = ClockClass;
            announce[15] = ClockAccuracy;
            BinaryPrimitives.WriteUInt16BigEndian(announce[16..], Variance);
            announce[18] = Priority2;
            BinaryPrimitives.WriteUInt64BigEndian(announce[19..], _identity);
            announce[29] = InternalOscillator;
            frame.Send(frame.Ports);
            Announces.Increment();
        }

        Begin(ref frame, MessageType.Sync, SyncLength, _syncSequence, -3);
        frame.Send(frame.Ports);

        var followUp = Begin(ref frame, MessageType.FollowUp, SyncLength, _syncSequence, -3);
        WriteTimestamp(followUp, frame.Time);
        frame.Send(frame.Ports);

        _syncSequence++;
        Syncs.Increment();
    }

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var message = ethernet.Payload;
        if (ethernet.EtherType != Ptp || message.Length < SyncLength || (message[1] & 0xF) != 2 || message[4] != domain)
            return;

        switch ((MessageType)(message[0] & 0xF))
        {
            case MessageType.Announce when message.Length >= AnnounceLength:
                Compare(message[HeaderLength..], frame.Time);
                break;
            case MessageType.DelayRequest when frame.Time >= _silentUntil:
                Answer(ref frame, message);
                break;
        }
    }

    private void Answer(ref Frame frame, ReadOnlySpan<byte> request)
    {
        var correction = BinaryPrimitives.ReadInt64BigEndian(request[8..]);
        var requester = BinaryPrimitives.ReadUInt64BigEndian(request[20..]);
        var requesterPort = BinaryPrimitives.ReadUInt16BigEndian(request[28..]);
        var sequence = BinaryPrimitives.ReadUInt16BigEndian(request[30..]);

        var response = Begin(ref frame, MessageType.DelayResponse, DelayResponseLength, sequence, 0);
        WriteTimestamp(response, frame.Time);
        BinaryPrimitives.WriteUInt64BigEndian(response[10..], requester);
        BinaryPrimitives.WriteUInt16BigEndian(response[18..], requesterPort);
        BinaryPrimitives.WriteInt64BigEndian(frame.Bytes[(Ethernet.HeaderLength + 8)..], correction);
        DelayResponses.Increment();
        frame.Reply();
    }

    /// <summary>The data set comparison of IEEE 1588-2019 §9.3.4, as far as the grandmasters differ.</summary>
    private void Compare(ReadOnlySpan<byte> announce, ulong now)
    {
        var other = (
            announce[13], announce[14], announce[15],
            BinaryPrimitives.ReadUInt16BigEndian(announce[16..]), announce[18],
            BinaryPrimitives.ReadUInt64BigEndian(announce[19..]));
        var own = (priority, ClockClass, ClockAccuracy, Variance, Priority2, _identity);
        if (other.CompareTo(own) >= 0) return;
        BetterClocks.Increment();
        _silentUntil = now + AnnounceTimeout * NanosecondsPerSecond;
    }

    /// <summary>Begins a message, and gives what is behind its header.</summary>
    private Span<byte> Begin(ref Frame frame, MessageType type, int length, ushort sequence, sbyte logInterval)
    {
        frame.Resize(0);
        frame.Resize(Math.Max(Ethernet.HeaderLength + length, Ethernet.MinFrameLength));
        var ethernet = new Ethernet(frame) { Destination = s_everyone, Source = mac, EtherType = Ptp };
        var header = ethernet.Payload;
        header[0] = (byte)type;
        header[1] = 2;
        BinaryPrimitives.WriteUInt16BigEndian(header[2..], (ushort)length);
        header[4] = domain;
        BinaryPrimitives.WriteUInt16BigEndian(header[6..], type == MessageType.Sync ? TwoStep : (ushort)0);
        BinaryPrimitives.WriteUInt64BigEndian(header[20..], _identity);
        BinaryPrimitives.WriteUInt16BigEndian(header[28..], PortNumber);
        BinaryPrimitives.WriteUInt16BigEndian(header[30..], sequence);
        header[32] = type switch
        {
            MessageType.Sync => 0,
            MessageType.FollowUp => 2,
            MessageType.DelayResponse => 3,
            _ => 5,
        };
        header[33] = (byte)logInterval;
        return header[HeaderLength..];
    }

    /// <summary>48 bits of seconds, 32 of nanoseconds.</summary>
    private static void WriteTimestamp(Span<byte> body, ulong time)
    {
        var (seconds, nanoseconds) = Math.DivRem(time, NanosecondsPerSecond);
        BinaryPrimitives.WriteUInt16BigEndian(body, (ushort)(seconds >> 32));
        BinaryPrimitives.WriteUInt32BigEndian(body[2..], (uint)seconds);
        BinaryPrimitives.WriteUInt32BigEndian(body[6..], (uint)nanoseconds);
    }
}
