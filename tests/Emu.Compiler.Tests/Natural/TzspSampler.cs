using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A wire between two ports that sends a sample of what passes to a sniffer, by the TaZmen Sniffer Protocol: one frame
/// of so many, chosen at random, cut to its first bytes, with its true length and a running number in tags.
/// </summary>
/// <param name="mac">Whom the samples are from.</param>
/// <param name="address">The same as an IP address.</param>
/// <param name="snifferMac">The sniffer.</param>
/// <param name="sniffer">Its address.</param>
/// <param name="every">One of so many frames is taken, on average; at least 1.</param>
/// <param name="snap">The bytes of a frame that are taken.</param>
/// <param name="snifferPort">The port of the sniffer.</param>
/// <param name="seed">Of the random numbers, not 0.</param>
public sealed class TzspSampler(
    MacAddress mac, IPv4Address address, MacAddress snifferMac, IPv4Address sniffer, int every = 8, int snap = 128,
    int snifferPort = 2, uint seed = 2463534242) : Service
{
    private const ushort Port = 37008;
    private const int UdpOffset = Ethernet.HeaderLength + IPv4.MinHeaderLength;
    private const int TzspOffset = UdpOffset + Udp.HeaderLength;
    private const int TzspLength = 15;
    private const int Headers = TzspOffset + TzspLength;
    private const byte Version = 1;
    private const ushort EthernetFrames = 1;
    private const byte PacketCountTag = 40, LengthTag = 41, EndTag = 1;

    private static readonly PortId s_left = new(0);
    private static readonly PortId s_right = new(1);

    private readonly PortId _sniffer = new(snifferPort);
    private uint _random = seed;
    private uint _left = 1;
    private uint _samples;
    private ushort _identification;

    /// <summary>Frames that passed.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Frames of which a sample was sent.</summary>
    public Counter Sampled { get; } = new();

    /// <summary>Samples that were cut.</summary>
    public Counter Truncated { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_left) frame.ForwardTo(s_right);
        else if (frame.Ingress == s_right) frame.ForwardTo(s_left);
        else return;

        Passed.Increment();
        if (--_left > 0) return;
        _left = Skip();

        frame.Send(frame.Egress);
        Sampled.Increment();
        var length = frame.Length;
        if (length > snap)
        {
            Truncated.Increment();
            frame.Resize(snap);
        }
        frame.Insert(0, Headers);
        WriteHeaders(ref frame, length);
        frame.ForwardTo(_sniffer);
    }

    /// <summary>The frames to the next sample: from 1 to 2n - 1, so n on average.</summary>
    private uint Skip()
    {
        _random ^= _random << 13;
        _random ^= _random >> 17;
        _random ^= _random << 5;
        return 1 + _random % (2 * (uint)every - 1);
    }

    private void WriteHeaders(ref Frame frame, int length)
    {
        var ethernet = new Ethernet(frame);
        ethernet.Destination = snifferMac;
        ethernet.Source = mac;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Identification = _identification++;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = sniffer;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = Port;

        var tzsp = udp.Payload;
        tzsp[0] = Version;
        tzsp.SetUInt16(2, EthernetFrames);
        tzsp[4] = PacketCountTag;
        tzsp[5] = sizeof(uint);
        tzsp.SetUInt32(6, ++_samples);
        tzsp[10] = LengthTag;
        tzsp[11] = sizeof(ushort);
        tzsp.SetUInt16(12, (ushort)length);
        tzsp[14] = EndTag;
        udp.WriteChecksum(ip);
    }
}
