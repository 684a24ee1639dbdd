using System.Buffers.Binary;
using System.Security.Cryptography;
using Emu.Protocols;

namespace Emu.Services;

/// <summary>
/// A host whose TCP ports can be probed: answers as RFC 9293 §3.10.7 says for closed and listening ones, so a client
/// can time SYN to SYN+ACK.
/// </summary>
/// <remarks>
/// <para>An answer leaves by the port that its segment came from, without options or data, its TTL fresh, its window 0.
/// It depends on no segment before: no connection is kept, so the ACK that completes a handshake is reset, as any ACK
/// is where nobody has connected. With <c>completeHandshakes</c> that ACK is dropped, so that the client's connect
/// succeeds.</para>
/// <para>It answers ARP, and with an IPv6 address neighbour solicitations. No answer depends on a TCP option, so none
/// is looked at: a SYN whose options are malformed is answered as Linux answers it, and no option can do harm
/// (RFC 9293 §3.1, MUST-5 to MUST-7).</para>
/// <para>IP options that it does not know are ignored, and none is repeated in an answer. Dropped are packets with a
/// source route, as Linux drops them unless it is configured otherwise, and those with an IPv6 option whose type says
/// so. A fragment header around a whole packet (RFC 6946) is passed over.</para>
/// <para>Not done: connections and data; reassembly, so fragments are dropped; duplicate address detection; neighbour
/// solicitations behind extension headers; authentication headers; ICMP, so nobody is told why a packet is dropped;
/// ECN.</para>
/// <para>Without a key, one is drawn when the service is constructed: a run or a build that is to be
/// repeated must be given one. A build carries its key: who can read it has the key.</para>
/// </remarks>
/// <example>--address 10.0.0.2 --listen 80</example>
public sealed partial class TcpPing : Service
{
    /// <summary>
    /// The window that a client needs to send something after its handshake, which is then reset; at 0 it would probe
    /// for minutes, with ACKs as bare as the one that completed the handshake. One segment (RFC 9293 §3.7.1).
    /// </summary>
    private const ushort OpenWindow = 1220;

    private readonly IPv4Address _address;
    private readonly IPv6Address _address6;
    private readonly MacAddress _mac;
    private readonly ushort[] _listening;
    private readonly bool _completeHandshakes;
    private readonly ArpResponder _arp;
    private readonly NeighborResponder? _neighbors;
    private readonly InitialSequenceNumbers _initialSequenceNumbers;
    private readonly IPv4AnswerFrame _answerFrame;
    private readonly IPv6AnswerFrame _answerFrame6;

    /// <summary>Begins without connections, as it stays.</summary>
    /// <param name="address">The host's IPv4 address.</param>
    /// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    /// <param name="address6">The host's IPv6 address; when absent it has none.</param>
    /// <param name="listen">A port that listens; all others are closed.</param>
    /// <param name="key">
    /// The secret of the initial sequence numbers, 128 bits; when absent it is drawn at random.
    /// </param>
    /// <param name="completeHandshakes">
    /// The ACK that completes a handshake with a listening port is dropped instead of reset, so that connect succeeds
    /// (nc -z, nmap -sT, curl); data that follows is reset.
    /// </param>
    public TcpPing(
        IPv4Address address, MacAddress mac = default, IPv6Address address6 = default, ushort[]? listen = null,
        UInt128? key = null, bool completeHandshakes = false)
    {
        _address = address;
        _address6 = address6;
        _mac = mac == default ? MacAddress.Of(address) : mac;
        _listening = listen ?? [];
        _completeHandshakes = completeHandshakes;
        _arp = new ArpResponder(address, _mac);
        _neighbors = address6.IsUnspecified ? null : new NeighborResponder(address6, _mac);
        _initialSequenceNumbers = new InitialSequenceNumbers(key ?? RandomKey(), address, address6);
        _answerFrame = new IPv4AnswerFrame(_mac, address);
        _answerFrame6 = new IPv6AnswerFrame(_mac, address6);
    }

    /// <summary>ARP requests answered.</summary>
    public Counter ArpReplies { get; } = new();

    /// <summary>Neighbour solicitations answered.</summary>
    public Counter NeighborAdvertisements { get; } = new();

    /// <summary>SYNs to a listening port answered by SYN and ACK.</summary>
    public Counter SynAcks { get; } = new();

    /// <summary>Segments answered by RST: to a closed port, or with an ACK to a listening one.</summary>
    public Counter Resets { get; } = new();

    /// <summary>Dropped because handshakes are completed: ACKs to a listening port that complete one.</summary>
    public Counter Handshakes { get; } = new();

    /// <summary>
    /// Dropped as RFC 9293 asks: segments with RST, and those with neither SYN nor ACK to a listening port.
    /// </summary>
    public Counter Unanswered { get; } = new();

    /// <summary>Dropped: for another host, or nothing that this one answers.</summary>
    public Counter NotForUs { get; } = new();

    /// <summary>Dropped: IP packets to a broadcast or multicast address (RFC 9293 §3.9.2.3, MUST-57).</summary>
    public Counter ToGroup { get; } = new();

    /// <summary>Dropped: parts of a datagram, which is never put together here.</summary>
    public Counter Fragments { get; } = new();

    /// <summary>
    /// Dropped: packets with a source route (RFC 7126 §4.3, §4.4), or a routing header with segments left (RFC 8200
    /// §4.4).
    /// </summary>
    public Counter SourceRoutes { get; } = new();

    /// <summary>Dropped: packets with an unknown IPv6 option whose type says so (RFC 8200 §4.2).</summary>
    public Counter UnknownOptions { get; } = new();

    /// <summary>Dropped: a checksum is wrong.</summary>
    public Counter BadChecksum { get; } = new();

    /// <summary>
    /// Dropped: cut off, a field that contradicts another, or a source that cannot be answered
    /// (RFC 9293 §3.9.2.3, MUST-63).
    /// </summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.Source.IsGroup) Malformed.Increment();
        else if (ethernet.Destination != _mac && ethernet.Destination.IsIndividual) NotForUs.Increment();
        else if (ethernet.EtherType == EtherType.Arp) AnswerArp(ref frame, ethernet);
        else if (ethernet.EtherType == EtherType.IPv4) AnswerIPv4(ref frame, ethernet);
        else if (ethernet.EtherType == EtherType.IPv6 && _neighbors is not null) AnswerIPv6(ref frame, ethernet);
        else NotForUs.Increment();
    }

    /// <summary>RFC 1122 §3.2.1 on the packet, then RFC 9293 §3.10.7 on the segment.</summary>
    private void AnswerIPv4(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv4.TryParse(ethernet.Payload, out var ip)) Malformed.Increment();
        else if (!ip.HasValidHeaderChecksum) BadChecksum.Increment();
        else if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast || ip.Destination.IsBroadcast)
            ToGroup.Increment();
        else if (ip.Destination != _address) NotForUs.Increment();
        else if (!ip.Source.CanBeSource || ip.Source == _address) Malformed.Increment();
        else if (ip.IsFragment) Fragments.Increment();
        else if (ip.Protocol != IPProtocol.Tcp) NotForUs.Increment();
        else if (!AreOptionsAccepted(ip.Options)) return;
        else if (!Tcp.TryParse(ip.Payload, out var tcp)) Malformed.Increment();
        else if (!tcp.HasValidChecksum(ip)) BadChecksum.Increment();
        else
        {
            var initial = _initialSequenceNumbers.Of(ip.Source, tcp.SourcePort, tcp.DestinationPort, frame.Time);
            var answer = Answer(tcp, initial);
            if (answer.Flags != TcpFlags.None) _answerFrame.Reply(ref frame, answer, ip.Source);
        }
    }

    /// <summary>RFC 8200 on the packet, then as over IPv4; a solicitation is the responder's.</summary>
    private void AnswerIPv6(ref Frame frame, Ethernet ethernet)
    {
        if (!IPv6.TryParse(ethernet.Payload, out var ip) || ip.Source.IsMulticast)
        {
            Malformed.Increment();
            return;
        }
        if (ip.NextHeader == IPProtocol.Icmpv6)
        {
            AnswerSolicitation(ref frame, ip);
            return;
        }
        var extensions = ip.Extensions;
        if (!AreExtensionsAccepted(ref extensions)) return;
        if (extensions.NextHeader != IPProtocol.Tcp) NotForUs.Increment();
        else if (ethernet.Destination.IsGroup || ip.Destination.IsMulticast) ToGroup.Increment();
        else if (ip.Destination != _address6) NotForUs.Increment();
        else if (ip.Source.IsUnspecified || ip.Source.IsLoopback || ip.Source == _address6) Malformed.Increment();
        else if (!Tcp.TryParse(extensions.Payload, out var tcp)) Malformed.Increment();
        else if (!tcp.HasValidChecksum(ip)) BadChecksum.Increment();
        else
        {
            var initial = _initialSequenceNumbers.Of(ip.Source, tcp.SourcePort, tcp.DestinationPort, frame.Time);
            var answer = Answer(tcp, initial);
            if (answer.Flags != TcpFlags.None) _answerFrame6.Reply(ref frame, answer, ip.Source);
        }
    }

    private static UInt128 RandomKey()
    {
        var key = RandomNumberGenerator.GetBytes(16);
        return BinaryPrimitives.ReadUInt128BigEndian(key);
    }
}
