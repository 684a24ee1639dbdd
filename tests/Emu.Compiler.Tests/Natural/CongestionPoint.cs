using System.Buffers.Binary;
using System.ComponentModel.DataAnnotations;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A congestion point of a lossless network (QCN; IEEE 802.1Q-2022 clause 30, once 802.1Qau): when the queue in front
/// of
/// a link is too long, or grows, it tells the station whose frame it has just sampled, which then sends less.
/// </summary>
/// <remarks>
/// <para>Port 0 has the stations, port 1 the link. The queue is reckoned from the lengths and times of the frames of
/// one
/// priority; frames of others, without a tag, and from port 1, pass.</para>
/// <para>Frames are sampled after a number of bytes that falls as congestion rises, within 15 percent by chance, so
/// that
/// no flow escapes by its rhythm (§30.2.1). The congestion notification message has the flow of the sampled
/// frame, if it said one (CN-TAG), and its first 64 bytes.</para>
/// </remarks>
/// <example>--mac 02:00:00:00:00:fe --gigabits 10 --priority 3</example>
/// <param name="mac">The bridge's MAC address.</param>
/// <param name="gigabits">The rate of the link in Gbit/s.</param>
/// <param name="priority">The priority whose flows are controlled.</param>
/// <param name="setPoint">The bytes that the queue should hold (cpQSp).</param>
/// <param name="seed">Of the chance in sampling.</param>
public sealed class CongestionPoint(
    MacAddress mac, [Range(1, 400)] uint gigabits = 10, [Range(0, 7)] byte priority = 3,
    [Range(1_000, 1_000_000)] int setPoint = 26_000, ulong seed = 1) : Service
{
    private const EtherType Notification = (EtherType)0x22E7, CnTag = (EtherType)0x22E9;

    /// <summary>The offset of what follows the VLAN tag, and the length of a CN-TAG with its EtherType.</summary>
    private const int BehindTag = 16, CnTagLength = 4;

    /// <summary>An EtherType, and the message in front of the bytes of the sampled frame (§33.4).</summary>
    private const int TypeLength = 2, MessageLength = 24, MaxQuoted = 64;

    /// <summary>Notifications have a priority of their own: the one for the network's control.</summary>
    private const byte NotificationPriority = 6;

    /// <summary>The weight of the queue's growth (cpW), and the greatest quantised feedback.</summary>
    private const int Weight = 2, MaxFeedback = 63;

    /// <summary>Queue lengths in notifications are in units of 64 bytes (§33.4.5).</summary>
    private const int LengthUnit = 64;

    /// <summary>Bytes between samples, by the upper three bits of the feedback (table 30-1).</summary>
    private static readonly int[] s_sampleBases = [150_000, 75_000, 50_000, 37_500, 30_000, 25_000, 21_500, 18_500];

    private static readonly PortId s_stations = new(0), s_link = new(1);

    private readonly int _mostFeedback = setPoint * (2 * Weight + 1);
    private SplitMix64 _chance = new(seed);
    private ulong _last;
    private int _queue;
    private int _queueBefore;
    private int _untilSample = 18_500;

    /// <summary>Frames that went through the queue.</summary>
    public Counter Queued { get; } = new();

    /// <summary>Frames that were sampled.</summary>
    public Counter Sampled { get; } = new();

    /// <summary>Notifications sent.</summary>
    public Counter Notified { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_link)
        {
            frame.ForwardTo(s_stations);
            return;
        }
        frame.ForwardTo(s_link);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.CTag || !Vlan.TryParse(ethernet.Payload, out var tag)
            || tag.Pcp != priority)
            return;

        Queued.Increment();
        Enqueue(frame.Length, frame.Time);
        _untilSample -= frame.Length;
        if (_untilSample > 0) return;

        Sampled.Increment();
        var (offset, delta) = (setPoint - _queue, _queue - _queueBefore);
        _queueBefore = _queue;
        var feedback = Quantised(offset - Weight * delta);
        _untilSample = s_sampleBases[feedback >> 3] * (870 + (int)(_chance.Next() & 0xFF)) / 1000;
        // A station cannot take a group's blame, and one that sends from a group address is nobody.
        if (feedback == 0 || !ethernet.Source.IsIndividual) return;

        frame.Send(PortSet.Of(s_link));
        Notify(ref frame, feedback, offset, delta);
        Notified.Increment();
    }

    /// <summary>Lets the queue drain until now, and puts a frame into it.</summary>
    private void Enqueue(int length, ulong time)
    {
        var drained = (time - _last) * gigabits / 8;
        _last = time;
        _queue = drained < (ulong)_queue ? _queue - (int)drained : 0;
        // What the buffer has no room for would be paused, so the queue grows no further.
        _queue = Math.Min(_queue + length, 2 * _mostFeedback);
    }

    /// <summary>The number that tells a station a negative feedback value: 1 to 63 (§30.2.1 and §32.9.4).</summary>
    private int Quantised(int feedback) =>
        feedback >= 0 ? 0 : Math.Clamp(-feedback * MaxFeedback / _mostFeedback, 1, MaxFeedback);

    /// <summary>Makes the frame the notification to its own sender.</summary>
    private void Notify(ref Frame frame, int feedback, int offset, int delta)
    {
        var sampled = new Ethernet(frame);
        var (source, destination) = (sampled.Source, sampled.Destination);
        var hasFlow = frame.Length >= BehindTag + CnTagLength + TypeLength
            && BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[BehindTag..]) == (ushort)CnTag;
        var type = hasFlow ? BehindTag + CnTagLength : BehindTag;

        // Of the frame its first bytes stay; the message goes in front of them.
        var quoted = Math.Min(frame.Length - type, MaxQuoted);
        frame.Resize(type + quoted);
        frame.Insert(type, TypeLength + MessageLength);

        var ethernet = new Ethernet(frame);
        (ethernet.Destination, ethernet.Source) = (source, mac);
        if (!Vlan.TryParse(ethernet.Payload, out var tag)) return;
        tag.Pcp = NotificationPriority;

        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[type..], (ushort)Notification);
        var message = frame.Bytes.Slice(type + TypeLength, MessageLength);
        BinaryPrimitives.WriteUInt16BigEndian(message, (ushort)feedback); // version 0, and six reserved bits
        BinaryPrimitives.WriteUInt64BigEndian(message[2..], mac.Bits << 16 | priority);
        BinaryPrimitives.WriteInt16BigEndian(message[10..], InUnits(offset));
        BinaryPrimitives.WriteInt16BigEndian(message[12..], InUnits(delta));
        BinaryPrimitives.WriteUInt16BigEndian(message[14..], (ushort)(priority << 13));
        NetworkOrder.SetMacAddress(message, 16, destination);
        BinaryPrimitives.WriteUInt16BigEndian(message[22..], (ushort)quoted);
        frame.Reply();
    }

    private static short InUnits(int bytes) =>
        (short)Math.Clamp(bytes / LengthUnit, short.MinValue, short.MaxValue);
}
