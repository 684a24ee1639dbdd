using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Joins ports 0 and 1, and sends copies of a random part of the frames to an analyser behind a router at port 2, in
/// ERSPAN type II (draft-foschiano-erspan-03 §4.2): GRE with a sequence number, and a header that says where the frame
/// came from. Copies are cut where they are too long.
/// </summary>
/// <param name="mac">The MAC address that copies come from.</param>
/// <param name="address">The IPv4 address that copies come from.</param>
/// <param name="analyser">The IPv4 address that they go to.</param>
/// <param name="routerMac">The MAC address of the analyser, or of the router to it.</param>
/// <param name="session">The number of the session, 0 to 1023.</param>
/// <param name="snap">The most bytes of a frame that are copied, 64 to 1464.</param>
/// <param name="oneIn">The frames of which one is copied, on the average; 1 for all.</param>
public sealed class ErspanMirror(
    MacAddress mac, IPv4Address address, IPv4Address analyser, MacAddress routerMac, ushort session = 1,
    int snap = 1464, uint oneIn = 1) : Service
{
    private const EtherType Erspan2 = (EtherType)0x88BE;
    private const int GreLength = 8, ErspanLength = 8;
    private const int Headers = Ethernet.HeaderLength + IPv4.MinHeaderLength + GreLength + ErspanLength;

    private const uint Version = 1u << 28, Truncated = 1u << 10, TagKept = 3u << 11;

    private static readonly PortId s_left = new(0), s_right = new(1), s_analyser = new(2);

    private readonly int _snap = snap is >= 64 and <= 1464
        ? snap
        : throw new ArgumentOutOfRangeException(nameof(snap), snap, "64 to 1464");

    private readonly uint _oneIn = oneIn > 0 ? oneIn : throw new ArgumentOutOfRangeException(nameof(oneIn));

    private ulong _random = 0x9E37_79B9_7F4A_7C15;
    private uint _sequence;

    /// <summary>Frames of which there was a copy.</summary>
    public Counter Mirrored { get; } = new();

    /// <summary>Of these, those that were cut.</summary>
    public Counter Cut { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_left) frame.ForwardTo(s_right);
        else if (frame.Ingress == s_right) frame.ForwardTo(s_left);
        else return;
        if (!IsChosen()) return;

        frame.Send(frame.Egress);
        Encapsulate(ref frame);
        frame.ForwardTo(s_analyser);
        Mirrored.Increment();
    }

    private void Encapsulate(ref Frame frame)
    {
        var word = Version | session & 0x3FFu;
        var original = new Ethernet(frame);
        if (original.EtherType == EtherType.CTag && Vlan.TryParse(original.Payload, out var tag))
            word |= TagKept | (uint)tag.Vid << 16 | (uint)tag.Pcp << 13;
        if (frame.Length > _snap)
        {
            frame.Resize(_snap);
            word |= Truncated;
            Cut.Increment();
        }
        var ingress = frame.Ingress.Index;
        frame.Insert(0, Headers);

        var ethernet = new Ethernet(frame) { Destination = routerMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Identification = (ushort)_sequence;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Gre;
        ip.Source = address;
        ip.Destination = analyser;
        ip.WriteHeaderChecksum();
        if (!Gre.TryInitialize(ip.Payload, hasChecksum: false, hasKey: false, hasSequenceNumber: true, out var gre))
            return;
        gre.EtherType = Erspan2;
        gre.SequenceNumber = _sequence++;
        gre.Payload.SetUInt32(0, word);
        gre.Payload.SetUInt32(4, ingress);
    }

    /// <summary>True for one in so many, by xorshift64* (Vigna 2016).</summary>
    private bool IsChosen()
    {
        _random ^= _random >> 12;
        _random ^= _random << 25;
        _random ^= _random >> 27;
        var draw = (uint)(_random * 0x2545_F491_4F6C_DD1D >> 32);
        return (ulong)draw * _oneIn >> 32 == 0;
    }
}
