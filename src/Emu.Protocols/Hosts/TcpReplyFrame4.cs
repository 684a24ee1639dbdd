namespace Emu.Protocols;

/// <summary>The frame of every answer over IPv4.</summary>
internal sealed class TcpReplyFrame4 : TcpReplyFrame
{
    private const int PacketLength = IPv4.MinHeaderLength + Tcp.MinHeaderLength;

    private readonly MacAddress _mac;
    private readonly IPv4Address _own;
    private readonly ulong _headerSum;
    private readonly ulong _segmentSum;

    public TcpReplyFrame4(MacAddress mac, IPv4Address own)
    {
        (_mac, _own) = (mac, own);
        Span<byte> packet = stackalloc byte[PacketLength];
        if (!TryBegin(packet, out var ip, out _))
            throw new InvalidOperationException("a packet without data does not fit");
        _headerSum = InternetChecksum.Sum(packet[..IPv4.MinHeaderLength]);
        _segmentSum = ip.PseudoHeaderSum(IPProtocol.Tcp, Tcp.MinHeaderLength) + InternetChecksum.Sum(ip.Payload);
    }

    public override bool IsIPv6 => false;

    public override void Reply(ref Frame frame, TcpHeader answer, UInt128 peer)
    {
        var (peerMac, peerBits) = (new Ethernet(frame).Source, (uint)peer);
        frame.Resize(Ethernet.MinFrameLength);
        var ethernet = new Ethernet(frame) { Destination = peerMac, Source = _mac };
        ethernet.Payload[PacketLength..].Clear();
        if (!TryBegin(ethernet.Payload[..PacketLength], out var ip, out var tcp)) return;
        ip.Destination = new IPv4Address(peerBits);
        ip.HeaderChecksum = InternetChecksum.Finish(_headerSum + InternetChecksum.Sum(peerBits));
        answer.WriteTo(tcp);
        tcp.Checksum = InternetChecksum.Finish(answer.SumWith(_segmentSum + InternetChecksum.Sum(peerBits)));
        frame.Reply();
    }

    /// <summary>
    /// The headers, with what is the same in all. No routers may take the packet apart, so it needs no identification
    /// (RFC 6864 §4.1).
    /// </summary>
    private bool TryBegin(Span<byte> packet, out IPv4 ip, out Tcp tcp)
    {
        tcp = default;
        if (!IPv4.TryInitialize(packet, out ip)) return false;
        ip.DontFragment = true;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Tcp;
        ip.Source = _own;
        return Tcp.TryInitialize(ip.Payload, out tcp);
    }
}
