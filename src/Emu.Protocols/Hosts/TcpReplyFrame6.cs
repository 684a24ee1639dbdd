namespace Emu.Protocols;

/// <summary>The frame of every answer over IPv6.</summary>
internal sealed class TcpReplyFrame6 : TcpReplyFrame
{
    private const int Length = Ethernet.HeaderLength + PacketLength;

    private const int PacketLength = IPv6.HeaderLength + Tcp.MinHeaderLength;

    private readonly MacAddress _mac;
    private readonly IPv6Address _own;
    private readonly ulong _segmentSum;

    public TcpReplyFrame6(MacAddress mac, IPv6Address own)
    {
        (_mac, _own) = (mac, own);
        Span<byte> packet = stackalloc byte[PacketLength];
        if (!TryBegin(packet, out var ip, out _))
            throw new InvalidOperationException("a packet without data does not fit");
        _segmentSum = ip.PseudoHeaderSum(IPProtocol.Tcp, Tcp.MinHeaderLength) + InternetChecksum.Sum(ip.Payload);
    }

    public override bool IsIPv6 => true;

    public override void Reply(ref Frame frame, TcpHeader answer, UInt128 peer)
    {
        var peerMac = new Ethernet(frame).Source;
        frame.Resize(Length);
        var ethernet = new Ethernet(frame) { Destination = peerMac, Source = _mac };
        if (!TryBegin(ethernet.Payload, out var ip, out var tcp)) return;
        ip.Destination = new IPv6Address(peer);
        answer.WriteTo(tcp);
        tcp.Checksum = InternetChecksum.Finish(answer.SumWith(_segmentSum + InternetChecksum.Sum(peer)));
        frame.Reply();
    }

    /// <summary>The headers, with what is the same in all.</summary>
    private bool TryBegin(Span<byte> packet, out IPv6 ip, out Tcp tcp)
    {
        tcp = default;
        if (!IPv6.TryInitialize(packet, out ip)) return false;
        ip.NextHeader = IPProtocol.Tcp;
        ip.HopLimit = IPv6.DefaultHopLimit;
        ip.Source = _own;
        return Tcp.TryInitialize(ip.Payload, out tcp);
    }
}
