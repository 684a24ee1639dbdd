using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// The answering side of MPLS ping and traceroute (RFC 8029): a label switching router that says for which forwarding
/// equivalence classes it is the end of the path, and for which it only hands on.
/// </summary>
/// <remarks>
/// Requests arrive with the label of the path, or without where the hop before has popped it. The first class of the
/// Target FEC Stack alone is looked at, which must be an LDP IPv4 prefix; replies go by IPv4 (mode 2), and consist of
/// the fixed part of 32 bytes. Not done: downstream mapping, IPv6, authentication of any kind.
/// </remarks>
/// <example>--address 10.255.0.3 --mac 02:00:00:00:00:03 --egress 10.1.0.0/16 --transit 10.2.0.0/16=24</example>
/// <param name="address">The router's IPv4 address.</param>
/// <param name="mac">The router's MAC address.</param>
/// <param name="egress">A prefix for which the path ends here, ADDRESS/LENGTH.</param>
/// <param name="transit">A prefix that is handed on, and the label with which it arrives, ADDRESS/LENGTH=LABEL.</param>
public sealed class LspPing(
    IPv4Address address, MacAddress mac, string[]? egress = null, string[]? transit = null) : Service
{
    private const EtherType Mpls = (EtherType)0x8847;
    private const ushort Port = 3503;
    private const int ShimLength = 4, HeaderLength = 32, TlvHeader = 4;
    private const int AlertedHeader = IPv4.MinHeaderLength + 4;      // with a router alert, as requests have (§4.3)
    private const int ReplyLength = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + HeaderLength;
    private const int TargetFecStack = 1, LdpIPv4Prefix = 1, LdpIPv4PrefixLength = 5;
    private const int Mandatory = 0x8000;                            // types below must be understood (§3)
    private const uint BottomBit = 0x100;
    private const byte EchoRequest = 1, EchoReply = 2, DoNotReply = 1, ReplyByUdp = 2;

    /// <summary>The return codes (RFC 8029 §3.1).</summary>
    private enum ReturnCode : byte
    {
        None = 0,
        Malformed = 1,
        NotUnderstood = 2,
        IsEgress = 3,
        NoMapping = 4,
        LabelSwitched = 8,
        NotTheLabel = 10,
    }

    private readonly record struct Prefix(uint Bits, byte Length) : ITableKey<Prefix>
    {
        public static int Width => 40;

        public UInt128 KeyBits => (UInt128)Bits << 8 | Length;

        public static Prefix Parse(string text)
        {
            var words = text.Split('/');
            return new Prefix(IPv4Address.Parse(words[0]).Bits, byte.Parse(words[1]));
        }
    }

    private readonly record struct Binding(bool IsEgress, uint Label);

    private readonly ConstantTable<Prefix, Binding> _bindings = new(
        (egress ?? []).Select(text => (Prefix.Parse(text), new Binding(true, 0)))
            .Concat((transit ?? []).Select(text => text.Split('='))
                .Select(words => (Prefix.Parse(words[0]), new Binding(false, uint.Parse(words[1])))))
            .ToDictionary(pair => pair.Item1, pair => pair.Item2));

    /// <summary>Requests answered.</summary>
    public Counter Answered { get; } = new();

    /// <summary>Requests that wanted no reply, or one by a way that there is not.</summary>
    public Counter Silent { get; } = new();

    /// <summary>Frames dropped: no request to this router.</summary>
    public Counter Ignored { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        var packet = ethernet.Payload;
        var isLabelled = false;
        uint shim = 0;
        if (ethernet.EtherType == Mpls && BinaryPrimitives.TryReadUInt32BigEndian(packet, out shim)
            && (shim & BottomBit) != 0)
        {
            isLabelled = true;
            packet = packet[ShimLength..];
        }
        if (ethernet.Destination != mac || !(isLabelled || ethernet.EtherType == EtherType.IPv4)
            || !IPv4.TryParse(packet, out var ip) || ip.HeaderLength is not (IPv4.MinHeaderLength or AlertedHeader)
            || !ip.HasValidHeaderChecksum || ip.IsFragment || !IsToPath(ip.Destination) || !ip.Source.CanBeSource
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Port || !udp.HasValidChecksum(ip)
            || udp.Payload.Length < HeaderLength || udp.Payload.GetUInt16(0) != 1 || udp.Payload[4] != EchoRequest)
        {
            Ignored.Increment();
            return;
        }
        var replyMode = udp.Payload[5];
        if (replyMode != ReplyByUdp)
        {
            Silent.Increment();
            return;
        }
        var code = Judge(udp.Payload[HeaderLength..], isLabelled, shim >> 12);
        Reply(ref frame, ethernet.Source, ip.Source, udp, code);
        Answered.Increment();
    }

    /// <summary>
    /// An address of 127/8, which keeps a request from being routed where its path is broken (§2.1), or our own.
    /// </summary>
    private bool IsToPath(IPv4Address destination) => destination.IsLoopback || destination == address;

    /// <summary>Walks the TLVs, and says what this router is to the class that they ask about (§4.4).</summary>
    private ReturnCode Judge(ReadOnlySpan<byte> tlvs, bool isLabelled, uint label)
    {
        var code = ReturnCode.Malformed; // without a stack of classes it is nothing
        while (tlvs.Length >= TlvHeader)
        {
            int type = BinaryPrimitives.ReadUInt16BigEndian(tlvs), length =
                BinaryPrimitives.ReadUInt16BigEndian(tlvs[2..]);
            var padded = (length + 3) & ~3;
            if (TlvHeader + padded > tlvs.Length) return ReturnCode.Malformed;
            // Pad (3), vendor (5), reply TOS (10) and the like change nothing here; what is not known has to be said.
            if (type == TargetFecStack) code = JudgeClass(tlvs.Slice(TlvHeader, length), isLabelled, label);
            else if (type < Mandatory && type is not (3 or 5 or 7 or 9 or 10)) return ReturnCode.NotUnderstood;
            tlvs = tlvs[(TlvHeader + padded)..];
        }
        return tlvs.IsEmpty ? code : ReturnCode.Malformed;
    }

    private ReturnCode JudgeClass(ReadOnlySpan<byte> stack, bool isLabelled, uint label)
    {
        if (stack.Length < TlvHeader + LdpIPv4PrefixLength) return ReturnCode.Malformed;
        if (BinaryPrimitives.ReadUInt16BigEndian(stack) != LdpIPv4Prefix) return ReturnCode.NotUnderstood;
        if (BinaryPrimitives.ReadUInt16BigEndian(stack[2..]) != LdpIPv4PrefixLength) return ReturnCode.Malformed;
        var prefix = new Prefix(BinaryPrimitives.ReadUInt32BigEndian(stack[TlvHeader..]), stack[TlvHeader + 4]);
        if (!_bindings.TryGet(prefix, out var binding)) return ReturnCode.NoMapping;
        if (binding.IsEgress) return ReturnCode.IsEgress;
        return isLabelled && label == binding.Label ? ReturnCode.LabelSwitched : ReturnCode.NotTheLabel;
    }

    /// <summary>
    /// Makes the frame the reply (§4.5): the fixed part of the request, with code and time, in headers of its own.
    /// </summary>
    private void Reply(ref Frame frame, MacAddress peerMac, IPv4Address peer, Udp request, ReturnCode code)
    {
        var peerPort = request.SourcePort;
        var (ids, sent) = (request.Payload.GetUInt64(8), request.Payload.GetUInt64(16));
        frame.Resize(ReplyLength);
        var ethernet = new Ethernet(frame);
        (ethernet.Source, ethernet.Destination, ethernet.EtherType) = (mac, peerMac, EtherType.IPv4);
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Source, ip.Destination) = (address, peer);
        ip.Protocol = IPProtocol.Udp;
        ip.Ttl = 255;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (Port, peerPort);
        var message = udp.Payload;
        message.SetUInt32(0, 1 << 16);                                    // version 1, no flags
        message.SetUInt32(4, (uint)EchoReply << 24 | (uint)ReplyByUdp << 16 | (uint)code << 8
            | (code is ReturnCode.Malformed or ReturnCode.NotUnderstood ? 0u : 1u)); // at the first label of the stack
        message.SetUInt64(8, ids);                                        // sender's handle and sequence number
        message.SetUInt64(16, sent);
        message.SetUInt64(24, Ntp.Timestamp(frame.Time));
        udp.WriteChecksum(ip);
        frame.Reply();
    }
}
