using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// The frame of every answer over IPv4. The parts that all answers share have been added up:
/// their checksums are that sum and the rest.
/// </summary>
internal sealed class IPv4AnswerFrame
{
    /// <summary>The shortest frame of Ethernet, without FCS: what the packet lacks is padding.</summary>
    private const int Length = 60;

    private const int PacketLength = IPv4.MinHeaderLength + Tcp.MinHeaderLength;

    /// <summary>The TTL that RFC 1122 §3.2.1.7 asks for, as recommended since RFC 1700.</summary>
    private const byte FreshTtl = 64;

    private readonly MacAddress _mac;
    private readonly IPv4Address _own;
    private readonly ulong _headerSum;
    private readonly ulong _segmentSum;

    public IPv4AnswerFrame(MacAddress mac, IPv4Address own)
    {
        (_mac, _own) = (mac, own);
        Span<byte> packet = stackalloc byte[PacketLength];
        if (!TryBegin(packet, out var ip, out _))
            throw new InvalidOperationException("a packet without data does not fit");
        _headerSum = InternetChecksum.Sum(packet[..IPv4.MinHeaderLength]);
        _segmentSum = ip.PseudoHeaderSum(IPProtocol.Tcp, Tcp.MinHeaderLength) + InternetChecksum.Sum(ip.Payload);
    }

    /// <summary>Makes a frame the one that carries an answer, and replies with it.</summary>
    /// <param name="frame">The frame that is answered.</param>
    /// <param name="answer">The segment.</param>
    /// <param name="peer">Whom it goes to.</param>
    public void Reply(ref Frame frame, TcpAnswer answer, IPv4Address peer)
    {
        var peerMac = new Ethernet(frame).Source;
        frame.Resize(Length);
        var ethernet = new Ethernet(frame) { Destination = peerMac, Source = _mac };
        ethernet.Payload[PacketLength..].Clear();
        if (!TryBegin(ethernet.Payload[..PacketLength], out var ip, out var tcp)) return;
        ip.Destination = peer;
        ip.HeaderChecksum = InternetChecksum.Finish(_headerSum + InternetChecksum.Sum(peer.Bits));
        answer.WriteTo(tcp);
        tcp.Checksum = InternetChecksum.Finish(answer.SumWith(_segmentSum + InternetChecksum.Sum(peer.Bits)));
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
        ip.Ttl = FreshTtl;
        ip.Protocol = IPProtocol.Tcp;
        ip.Source = _own;
        return Tcp.TryInitialize(ip.Payload, out tcp);
    }
}
