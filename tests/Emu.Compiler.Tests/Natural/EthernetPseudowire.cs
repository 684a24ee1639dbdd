using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// One end of an Ethernet pseudowire over MPLS (RFC 4448): frames of the attachment circuit (port 0) cross the network
/// (port 1) behind a tunnel label, the pseudowire's label and a control word with a sequence number, which is checked
/// at the other end (RFC 4385 §4). Packets of the associated channel go to the control plane (port 2).
/// </summary>
/// <param name="mac">The station address of this end.</param>
/// <param name="nextHop">That of the next router of the network.</param>
/// <param name="tunnelLabel">The label of the tunnel to the other end.</param>
/// <param name="remoteLabel">The label that the other end has given to the pseudowire.</param>
/// <param name="localLabel">The label that this end has given to it.</param>
/// <param name="mtu">The longest frame of the attachment circuit.</param>
public sealed class EthernetPseudowire(
    MacAddress mac, MacAddress nextHop, uint tunnelLabel = 1000, uint remoteLabel = 2001, uint localLabel = 2002,
    int mtu = 1486) : Service
{
    private const EtherType Mpls = (EtherType)0x8847;
    private const int LabelLength = 4, ControlWordLength = 4, MostLabels = 4;
    private const int Overhead = Ethernet.HeaderLength + 2 * LabelLength + ControlWordLength;
    private const byte DefaultTtl = 255, Data = 0, AssociatedChannel = 1;

    private static readonly PortId s_circuit = new(0), s_network = new(1), s_control = new(2);

    /// <summary>An entry of a label stack (RFC 3032 §2.1).</summary>
    private readonly record struct LabelEntry(uint Label, byte TrafficClass, bool IsBottom, byte Ttl)
    {
        public static LabelEntry Read(ReadOnlySpan<byte> bytes)
        {
            var word = BinaryPrimitives.ReadUInt32BigEndian(bytes);
            return new LabelEntry(word >> 12, (byte)(word >> 9 & 7), (word >> 8 & 1) != 0, (byte)word);
        }

        public void Write(Span<byte> bytes) =>
            BinaryPrimitives.WriteUInt32BigEndian(
                bytes, Label << 12 | (uint)TrafficClass << 9 | (IsBottom ? 0x100u : 0) | Ttl);
    }

    private ushort _nextToSend = 1;
    private ushort _expected = 1;

    public Counter Sent { get; } = new();

    public Counter Received { get; } = new();

    public Counter OutOfOrder { get; } = new();

    public Counter Lost { get; } = new();

    public Counter ToControl { get; } = new();

    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_circuit) Encapsulate(ref frame);
        else if (frame.Ingress == s_network) Decapsulate(ref frame);
        else Dropped.Increment();
    }

    private void Encapsulate(ref Frame frame)
    {
        if (frame.Length > mtu)
        {
            Dropped.Increment();
            return;
        }
        var trafficClass = PriorityOf(new Ethernet(frame));
        frame.Insert(0, Overhead);
        var ethernet = new Ethernet(frame) { Destination = nextHop, Source = mac, EtherType = Mpls };
        var stack = ethernet.Payload;
        new LabelEntry(tunnelLabel, trafficClass, IsBottom: false, DefaultTtl).Write(stack);
        new LabelEntry(remoteLabel, trafficClass, IsBottom: true, DefaultTtl).Write(stack[LabelLength..]);
        BinaryPrimitives.WriteUInt32BigEndian(stack[(2 * LabelLength)..], _nextToSend);
        _nextToSend = After(_nextToSend);
        Sent.Increment();
        frame.ForwardTo(s_network);
    }

    private void Decapsulate(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Destination != mac || ethernet.EtherType != Mpls
            || !TryFindBottom(ethernet.Payload, out var bottom, out var stackLength) || bottom.Label != localLabel
            || ethernet.Payload.Length < stackLength + ControlWordLength)
        {
            Dropped.Increment();
            return;
        }

        var controlWord = ethernet.Payload.Slice(stackLength, ControlWordLength);
        switch (controlWord[0] >> 4)
        {
            case AssociatedChannel:
                ToControl.Increment();
                frame.ForwardTo(s_control);
                return;
            case not Data:
                Dropped.Increment();
                return;
        }
        if (!IsInOrder(BinaryPrimitives.ReadUInt16BigEndian(controlWord[2..])))
        {
            OutOfOrder.Increment();
            return;
        }

        // A short frame was padded behind the control word, and says how long it was (RFC 4448 §4.6).
        int length = controlWord[1] & 0x3F;
        frame.Remove(0, Ethernet.HeaderLength + stackLength + ControlWordLength);
        if (length > ControlWordLength && length - ControlWordLength < frame.Length)
            frame.Resize(length - ControlWordLength);
        if (frame.Length < Ethernet.HeaderLength)
        {
            Dropped.Increment();
            return;
        }
        Received.Increment();
        frame.ForwardTo(s_circuit);
    }

    /// <summary>The tunnel's label is there or not: the router before this one may have popped it.</summary>
    private static bool TryFindBottom(ReadOnlySpan<byte> stack, out LabelEntry bottom, out int length)
    {
        bottom = default;
        length = 0;
        while (length < MostLabels * LabelLength && stack.Length - length >= LabelLength)
        {
            bottom = LabelEntry.Read(stack[length..]);
            length += LabelLength;
            if (bottom.Ttl == 0) return false;
            if (bottom.IsBottom) return true;
        }
        return false;
    }

    /// <summary>RFC 4385 §4.2; a number of 0 is from a sender that does not count.</summary>
    private bool IsInOrder(ushort sequence)
    {
        if (sequence == 0) return true;
        var ahead = (ushort)(sequence - _expected);
        if (ahead >= 32768) return false;
        Lost.Add(ahead);
        _expected = After(sequence);
        return true;
    }

    /// <summary>0 is left out (RFC 4385 §4.1).</summary>
    private static ushort After(ushort sequence) => sequence == ushort.MaxValue ? (ushort)1 : (ushort)(sequence + 1);

    private static byte PriorityOf(Ethernet ethernet)
    {
        if (ethernet.EtherType is EtherType.CTag or EtherType.STag && Vlan.TryParse(ethernet.Payload, out var tag))
            return tag.Pcp;
        return 0;
    }
}
