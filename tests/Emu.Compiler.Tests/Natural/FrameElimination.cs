using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Frame replication and elimination for reliability (IEEE 802.1CB-2017), at the edge of a ring in a car or a plant:
/// frames of a stream leave by two ways with a sequence number, and of those that come in by two ways each is let
/// through once.
/// </summary>
/// <remarks>
/// Ports 0 and 1 are the two ways, port 2 the end station. Streams are known by destination and VLAN (null stream
/// identification, §6.4); of each there is a talker on one side only. Recovery is the vector algorithm (§7.4.3.4).
/// Frames of no stream pass between the station and way 0.
/// </remarks>
/// <example>--stream 01:00:5e:00:00:10=100 --stream 01:00:5e:00:00:11=100 --history 32 --reset-microseconds
/// 2000</example>
/// <param name="stream">A stream, its destination address and its VLAN: MAC=VID. Up to 64.</param>
/// <param name="history">The sequence numbers that are remembered, frerSeqRcvyHistoryLength.</param>
/// <param name="resetMicroseconds">Microseconds without an accepted frame after which any number is taken.</param>
public sealed class FrameElimination(
    string[] stream, [Range(2, 64)] int history = 32, [Range(1, 10_000_000)] int resetMicroseconds = 2000) : Service
{
    private const EtherType RTag = (EtherType)0xF1C1;
    private const int RTagLength = 6, RTagOffset = Ethernet.HeaderLength + Vlan.HeaderLength - 2, SequenceOffset = 4;
    private const int MaxStreams = 64;
    private const ulong NanosecondsPerMicrosecond = 1000;

    private static readonly PortId s_way0 = new(0), s_way1 = new(1), s_station = new(2);

    /// <summary>The names of a stream.</summary>
    private readonly record struct StreamKey(MacAddress Destination, ushort Vid) : ITableKey<StreamKey>
    {
        public static int Width => 60;

        public UInt128 KeyBits => Destination.Bits << 12 | Vid;
    }

    /// <summary>The variables of the vector recovery algorithm (§7.4.3.2).</summary>
    private struct Recovery
    {
        public ushort RecovSeqNum;
        public ulong SequenceHistory; // bit i is set if RecovSeqNum - i was received
        public ulong SinceReset;      // bit i is set if that number is not from before the first one
        public ulong LastAccepted;
        public bool IsRunning;        // TakeAny is its opposite, so that a new one takes any number
    }

    private readonly ConstantTable<StreamKey, byte> _streams = new(Keys(stream));
    private readonly Recovery[] _recoveries = new Recovery[MaxStreams];
    private readonly ushort[] _nextNumbers = new ushort[MaxStreams];

    /// <summary>Frames sent by two ways.</summary>
    public Counter Replicated { get; } = new();

    /// <summary>Frames let through to the station.</summary>
    public Counter Accepted { get; } = new();

    /// <summary>Frames let through behind one with a higher number.</summary>
    public Counter OutOfOrder { get; } = new();

    /// <summary>Frames dropped: the other way was faster.</summary>
    public Counter Discarded { get; } = new();

    /// <summary>Frames dropped: their number is far from all that was expected.</summary>
    public Counter Rogue { get; } = new();

    /// <summary>Numbers that were never received.</summary>
    public Counter Lost { get; } = new();

    /// <summary>Frames of a stream dropped: without a number where one belongs, or cut off.</summary>
    public Counter Tagless { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.CTag && Vlan.TryParse(ethernet.Payload, out var vlan)
            && _streams.TryGet(new StreamKey(ethernet.Destination, vlan.Vid), out var number))
        {
            if (frame.Ingress == s_station) Replicate(ref frame, number & (MaxStreams - 1));
            else if (vlan.EtherType == RTag && vlan.Payload.Length >= RTagLength)
                Eliminate(ref frame, number & (MaxStreams - 1), vlan.Payload.GetUInt16(SequenceOffset - 2));
            else Tagless.Increment();
        }
        else if (frame.Ingress == s_station) frame.ForwardTo(s_way0);
        else if (frame.Ingress == s_way0) frame.ForwardTo(s_station);
    }

    /// <summary>Sequence generation (§7.4.1) and encoding by an R-TAG (§7.8), then both ways.</summary>
    private void Replicate(ref Frame frame, int number)
    {
        frame.Insert(RTagOffset, RTagLength);
        var tag = frame.Bytes.Slice(RTagOffset, RTagLength);
        tag.SetUInt16(0, (ushort)RTag); // two reserved bytes behind it stay 0
        tag.SetUInt16(SequenceOffset, _nextNumbers[number]);
        _nextNumbers[number]++;
        frame.ForwardTo(PortSet.Of(s_way0) | PortSet.Of(s_way1));
        Replicated.Increment();
    }

    private void Eliminate(ref Frame frame, int number, ushort sequence)
    {
        if (!TryRecover(ref _recoveries[number], sequence, frame.Time)) return;
        Accepted.Increment();
        frame.Remove(RTagOffset, RTagLength);
        frame.ForwardTo(s_station);
    }

    /// <summary>VectorRecoveryAlgorithm (§7.4.3.4).</summary>
    /// <returns>False if the frame is to be discarded.</returns>
    private bool TryRecover(ref Recovery recovery, ushort sequence, ulong time)
    {
        // The timer of §7.4.3.3 as a time: only accepted frames start it again.
        var isReset = time - recovery.LastAccepted > (ulong)resetMicroseconds * NanosecondsPerMicrosecond;
        if (!recovery.IsRunning || isReset)
        {
            recovery = new Recovery
            {
                RecovSeqNum = sequence,
                SequenceHistory = 1,
                SinceReset = 1,
                LastAccepted = time,
                IsRunning = true,
            };
            return true;
        }
        int delta = (short)(sequence - recovery.RecovSeqNum); // modulo 2^16
        if (delta >= history || delta <= -history)
        {
            Rogue.Increment();
            return false;
        }
        if (delta <= 0)
        {
            var bit = 1ul << -delta;
            if ((recovery.SequenceHistory & bit) != 0)
            {
                Discarded.Increment();
                return false;
            }
            recovery.SequenceHistory |= bit;
            OutOfOrder.Increment();
        }
        else
        {
            // The numbers that leave the history and were never received are lost.
            var arriving = (1ul << delta) - 1;
            var leaving = arriving << (history - delta);
            Lost.Add(ulong.PopCount(recovery.SinceReset & ~recovery.SequenceHistory & leaving));
            recovery.SinceReset = recovery.SinceReset << delta | arriving;
            recovery.SequenceHistory = recovery.SequenceHistory << delta | 1;
            recovery.RecovSeqNum = sequence;
        }
        recovery.LastAccepted = time;
        return true;
    }

    private static Dictionary<StreamKey, byte> Keys(string[] streams)
    {
        if (streams.Length > MaxStreams)
            throw new ArgumentException($"there is room for {MaxStreams} streams", nameof(streams));
        var keys = new Dictionary<StreamKey, byte>();
        foreach (var text in streams)
        {
            var words = text.Split('=');
            keys.Add(new StreamKey(MacAddress.Parse(words[0]), ushort.Parse(words[1])), (byte)keys.Count);
        }
        return keys;
    }
}
