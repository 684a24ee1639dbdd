using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A demarcation device between a customer and two lines, that speaks OAM on each link (IEEE 802.3-2018 clause 57): it
/// sends Information OAMPDUs every second, follows discovery (§57.3.2.1) and the flags of the peer, and forgets a peer
/// that is silent for five seconds. What is not OAM passes to the links that have a peer, or that need none.
/// </summary>
/// <param name="mac">Of this device.</param>
/// <param name="links">The links that need a peer.</param>
/// <param name="tickInterval">Nanoseconds between OAMPDUs.</param>
public sealed class LinkOamMonitor(MacAddress mac, PortSet links, ulong tickInterval = 1_000_000_000) : Service
{
    private const int PortCount = 4;
    private const EtherType SlowProtocols = (EtherType)0x8809;
    private const byte OamSubtype = 3;
    private const byte InformationCode = 0, EventCode = 1, LoopbackCode = 4;
    private const byte LocalInformation = 1, RemoteInformation = 2;
    private const int InformationLength = 16;
    private const int Silence = 5;
    private static readonly MacAddress s_slow = new(0x0180_C200_0002);

    private readonly Peer[] _peers = new Peer[PortCount];

    private struct Peer
    {
        public bool IsKnown;
        public bool IsStable;
        public bool IsCritical;
        public byte Silent;
        public MacAddress Mac;
        public ulong Information;
        public ulong Identity;
    }

    /// <inheritdoc/>
    public override ulong TickInterval => tickInterval;

    /// <summary>Peers that were found.</summary>
    public Counter Discovered { get; } = new();

    /// <summary>Peers that were silent for too long.</summary>
    public Counter Lost { get; } = new();

    /// <summary>Dying gasps, critical events and link faults.</summary>
    public Counter Critical { get; } = new();

    /// <summary>Notices of errored frames and symbols.</summary>
    public Counter Events { get; } = new();

    /// <summary>OAMPDUs that are none.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Frames dropped: the link they came by, or would leave by, has no peer.</summary>
    public Counter Blocked { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == SlowProtocols && ethernet.Destination == s_slow && ethernet.Payload.Length > 4
            && ethernet.Payload[0] == OamSubtype)
        {
            Read(ethernet, frame.Ingress.Index & (PortCount - 1));
            return;
        }
        var open = Open();
        if (!open.Contains(frame.Ingress))
        {
            Blocked.Increment();
            return;
        }
        frame.ForwardTo(open);
        if (frame.Egress.IsEmpty) Blocked.Increment();
    }

    private PortSet Open()
    {
        var open = PortSet.None;
        for (var i = 0; i < PortCount; i++)
        {
            var port = new PortId(i);
            if (!links.Contains(port) || (_peers[i].IsKnown && _peers[i].IsStable && !_peers[i].IsCritical))
                open |= PortSet.Of(port);
        }
        return open;
    }

    private void Read(Ethernet ethernet, int port)
    {
        var pdu = ethernet.Payload;
        var (flags, code) = (pdu.GetUInt16(1), pdu[3]);
        ref var peer = ref _peers[port];
        switch (code)
        {
            case InformationCode:
                if (!TryReadInformation(pdu[4..], ref peer))
                {
                    Malformed.Increment();
                    return;
                }
                if (!peer.IsKnown || peer.Mac != ethernet.Source) Discovered.Increment();
                (peer.IsKnown, peer.Mac, peer.Silent) = (true, ethernet.Source, 0);
                break;
            case EventCode:
                Events.Increment();
                break;
            case LoopbackCode or 2 or 3 or 0xFE:
                break;
            default:
                Malformed.Increment();
                return;
        }
        var isCritical = (flags & 7) != 0;
        if (isCritical && !peer.IsCritical) Critical.Increment();
        peer.IsCritical = isCritical;
        peer.IsStable = (flags & 0x18) == 0x10;
    }

    private static bool TryReadInformation(Span<byte> fields, ref Peer peer)
    {
        var hasLocal = false;
        while (fields.Length >= 2 && fields[0] != 0)
        {
            var length = fields[1];
            if (length < 2 || length > fields.Length) return false;
            if (fields[0] == LocalInformation)
            {
                if (length != InformationLength || fields[2] != 1) return false;
                peer.Information = fields.GetUInt64(2);
                peer.Identity = fields.GetUInt64(8);
                hasLocal = true;
            }
            fields = fields[length..];
        }
        return hasLocal;
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        for (var i = 0; i < PortCount; i++)
        {
            if (!links.Contains(new PortId(i))) continue;
            ref var peer = ref _peers[i];
            if (peer.IsKnown && ++peer.Silent >= Silence)
            {
                peer = default;
                Lost.Increment();
            }
            Write(ref frame, peer);
            frame.Send(PortSet.Of(new PortId(i)));
        }
    }

    private void Write(ref Frame frame, in Peer peer)
    {
        frame.Resize(Ethernet.MinFrameLength);
        frame.Bytes.Clear();
        var ethernet = new Ethernet(frame) { Destination = s_slow, Source = mac, EtherType = SlowProtocols };
        var pdu = ethernet.Payload;
        pdu[0] = OamSubtype;
        // Local stable as soon as the peer is known, remote as it says.
        pdu.SetUInt16(1, (ushort)((peer.IsKnown ? 0x10 : 0x08) | (peer.IsStable ? 0x40 : peer.IsKnown ? 0x20 : 0)));
        pdu[3] = InformationCode;
        var local = pdu[4..];
        (local[0], local[1], local[2]) = (LocalInformation, InformationLength, 1);
        local[6] = 0x01;
        local.SetUInt16(7, FrameLength.DefaultMtu + 14);
        local.SetUInt32(9, 0x00_1B19_00);
        if (!peer.IsKnown) return;
        var remote = local[InformationLength..];
        (remote[0], remote[1]) = (RemoteInformation, InformationLength);
        remote.SetUInt64(2, peer.Information);
        remote.SetUInt64(8, peer.Identity);
    }
}
