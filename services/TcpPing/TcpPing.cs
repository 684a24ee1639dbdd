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
/// <para>It is an <see cref="IPHost"/> with TCP alone: its neighbours, and what it refuses, is said there. No answer
/// depends on a TCP option, so none is looked at: a SYN whose options are malformed is answered as Linux answers it,
/// and no option can do harm (RFC 9293 §3.1, MUST-5 to MUST-7).</para>
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
public sealed class TcpPing : Service, ITcpApplication
{
    /// <summary>
    /// The window that a client needs to send something after its handshake, which is then reset; at 0 it would probe
    /// for minutes, with ACKs as bare as the one that completed the handshake. One segment (RFC 9293 §3.7.1).
    /// </summary>
    private const ushort OpenWindow = 1220;

    private readonly IPHost _host;
    private readonly ushort[] _listening;
    private readonly bool _completeHandshakes;
    private readonly InitialSequenceNumbers _initialSequenceNumbers;

    /// <summary>Begins without connections, as it stays.</summary>
    /// <param name="address">The host's IPv4 address.</param>
    /// <param name="mac">The host's MAC address; when absent 02:00 and the IPv4 address, so that hosts differ.</param>
    /// <param name="address6">The host's IPv6 address, beside a link-local one; when absent it has neither.</param>
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
        _host = new IPHost(address, mac, address6).Tcp(this);
        _listening = listen ?? [];
        _completeHandshakes = completeHandshakes;
        _initialSequenceNumbers = new InitialSequenceNumbers(key ?? RandomKey(), _host);
    }

    /// <summary>The neighbours that the host has answered, and why it has refused packets.</summary>
    public HostCounters Host => _host.Counters;

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

    /// <inheritdoc/>
    public override void Process(ref Frame frame) => _host.Receive(ref frame);

    /// <summary>RFC 9293 §3.10.7 on a segment; it is counted.</summary>
    public void Receive(ref Frame frame, TcpSegment segment)
    {
        var initial = _initialSequenceNumbers.Of(segment, frame.Time);
        var isListening = Array.IndexOf(_listening, segment.Header.DestinationPort) >= 0;
        if (_completeHandshakes && isListening && InitialSequenceNumbers.IsCompletedBy(segment.Header, initial))
        {
            Handshakes.Increment();
            return;
        }
        var window = _completeHandshakes ? OpenWindow : (ushort)0;
        var answer = SegmentArrives.Answer(segment.Header, isListening, initial, window);
        if (answer.Flags == TcpFlags.None)
        {
            Unanswered.Increment();
            return;
        }
        if ((answer.Flags & TcpFlags.Syn) != 0) SynAcks.Increment();
        else Resets.Increment();
        segment.Reply(ref frame, answer);
    }

    private static UInt128 RandomKey()
    {
        var key = RandomNumberGenerator.GetBytes(16);
        return BinaryPrimitives.ReadUInt128BigEndian(key);
    }
}
