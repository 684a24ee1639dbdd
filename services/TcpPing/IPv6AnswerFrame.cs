using Emu.Protocols;

namespace Emu.Services;

/// <summary>The frame of every answer over IPv6, made as <see cref="IPv4AnswerFrame"/> is.</summary>
internal sealed class IPv6AnswerFrame
{
    private const int Length = Ethernet.HeaderLength + PacketLength;

    private const int PacketLength = IPv6.HeaderLength + Tcp.MinHeaderLength;
    private const byte FreshHopLimit = 64;

    private readonly MacAddress _mac;
    private readonly IPv6Address _own;
    private readonly ulong _segmentSum;

    public IPv6AnswerFrame(MacAddress mac, IPv6Address own)
    {
        (_mac, _own) = (mac, own);
        Span<byte> packet = stackalloc byte[PacketLength];
        if (!TryBegin(packet, out var ip, out _))
            throw new InvalidOperationException("a packet without data does not fit");
        _segmentSum = ip.PseudoHeaderSum(IPProtocol.Tcp, Tcp.MinHeaderLength) + InternetChecksum.Sum(ip.Payload);
    }

    /// <inheritdoc cref="IPv4AnswerFrame.Reply"/>
    public void Reply(ref Frame frame, TcpAnswer answer, IPv6Address peer)
    {
        var peerMac = new Ethernet(frame).Source;
        frame.Resize(Length);
        var ethernet = new Ethernet(frame) { Destination = peerMac, Source = _mac };
        if (!TryBegin(ethernet.Payload, out var ip, out var tcp)) return;
        ip.Destination = peer;
        answer.WriteTo(tcp);
        tcp.Checksum = InternetChecksum.Finish(answer.SumWith(_segmentSum + InternetChecksum.Sum(peer.Bits)));
        frame.Reply();
    }

    /// <summary>The headers, with what is the same in all.</summary>
    private bool TryBegin(Span<byte> packet, out IPv6 ip, out Tcp tcp)
    {
        tcp = default;
        if (!IPv6.TryInitialize(packet, out ip)) return false;
        ip.NextHeader = IPProtocol.Tcp;
        ip.HopLimit = FreshHopLimit;
        ip.Source = _own;
        return Tcp.TryInitialize(ip.Payload, out tcp);
    }
}
