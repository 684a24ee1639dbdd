using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// One end of a static pseudowire of L2TPv3 over IPv4 (RFC 3931 §4.1, RFC 4719): Ethernet frames of port 0 leave by
/// port 1 behind a session number, a cookie and a sequence number.
/// </summary>
/// <remarks>
/// Packets that come late are dropped (RFC 3931 §4.6.1). Not done: the control connection, fragmentation.
/// </remarks>
/// <example>--mac 02:00:00:00:00:01 --address 192.0.2.1 --peer 192.0.2.2 --peer-mac 02:00:00:00:00:02</example>
/// <param name="mac">The MAC address of this end.</param>
/// <param name="address">The IPv4 address of this end.</param>
/// <param name="peer">The address of the other end.</param>
/// <param name="peerMac">The MAC address of the way to it.</param>
/// <param name="localSession">The session's number here.</param>
/// <param name="remoteSession">The session's number there.</param>
/// <param name="localCookie">The cookie that has to come.</param>
/// <param name="remoteCookie">The cookie that the other end asks for.</param>
public sealed class L2tpTunnel(
    MacAddress mac, IPv4Address address, IPv4Address peer, MacAddress peerMac, uint localSession = 0x1001,
    uint remoteSession = 0x2002, ulong localCookie = 0x0123_4567_89AB_CDEF, ulong remoteCookie = 0xFEDC_BA98_7654_3210)
    : Service
{
    private const IPProtocol L2tp = (IPProtocol)115;
    private const int L2tpLength = 16; // session, cookie, sublayer
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + L2tpLength;
    private const uint SequenceFlag = 0x4000_0000;
    private const uint SequenceMask = 0xFF_FFFF;

    private static readonly PortId s_customer = new(0), s_network = new(1);

    private uint _next;
    private uint _expected;

    /// <summary>Frames sent.</summary>
    public Counter Sent { get; } = new();

    /// <summary>Frames received.</summary>
    public Counter Received { get; } = new();

    /// <summary>Frames that came late.</summary>
    public Counter Late { get; } = new();

    /// <summary>Frames that never came, or came late.</summary>
    public Counter Missing { get; } = new();

    /// <summary>Packets of another session, or with another cookie.</summary>
    public Counter Refused { get; } = new();

    /// <summary>Frames that are too long.</summary>
    public Counter TooLong { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_network) Unwrap(ref frame);
        else if (frame.Length + Headers - Ethernet.HeaderLength > 1500) TooLong.Increment();
        else Wrap(ref frame);
    }

    private void Wrap(ref Frame frame)
    {
        frame.Insert(0, Headers);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = peerMac;
        ethernet.Source = mac;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = L2tp;
        ip.Source = address;
        ip.Destination = peer;
        ip.WriteHeaderChecksum();
        var header = ip.Payload;
        header.SetUInt32(0, remoteSession);
        header.SetUInt64(4, remoteCookie);
        header.SetUInt32(12, SequenceFlag | _next);
        _next = (_next + 1) & SequenceMask;
        Sent.Increment();
        frame.ForwardTo(s_network);
    }

    private void Unwrap(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || !ip.HasValidHeaderChecksum || ip.IsFragment || ip.Protocol != L2tp || ip.Source != peer
            || ip.Destination != address || ip.Payload.Length < L2tpLength + Ethernet.HeaderLength
            || ip.Payload.GetUInt32(0) != localSession || ip.Payload.GetUInt64(4) != localCookie)
        {
            Refused.Increment();
            return;
        }
        var sublayer = ip.Payload.GetUInt32(12);
        if ((sublayer & SequenceFlag) != 0 && !IsInOrder(sublayer & SequenceMask)) return;

        var headers = Ethernet.HeaderLength + ip.HeaderLength + L2tpLength;
        var length = ip.Payload.Length - L2tpLength;
        frame.Remove(0, headers);
        frame.Resize(length);
        Received.Increment();
        frame.ForwardTo(s_customer);
    }

    private bool IsInOrder(uint sequence)
    {
        var ahead = (sequence - _expected) & SequenceMask;
        if (ahead > SequenceMask / 2)
        {
            Late.Increment();
            return false;
        }
        Missing.Add(ahead);
        _expected = (sequence + 1) & SequenceMask;
        return true;
    }
}
