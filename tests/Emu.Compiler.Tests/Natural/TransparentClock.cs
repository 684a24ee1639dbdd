using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A transparent clock of PTP (IEEE 1588-2019 §10.2) over Ethernet and over UDP: event messages get the time that a
/// link takes to this port added to their correction, in units of 2⁻¹⁶ ns, and others pass as they are.
/// </summary>
public sealed class TransparentClock(int linkNanoseconds = 250) : Service
{
    private const EtherType Ptp = (EtherType)0x88F7;
    private const ushort EventPort = 319;
    private const int HeaderLength = 34;

    public Counter Corrected { get; } = new();

    public Counter Syncs { get; } = new();

    public Counter OtherVersions { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        switch (ethernet.EtherType)
        {
            case Ptp:
                Correct(ethernet.Payload);
                break;
            case EtherType.IPv4 when IPv4.TryParse(ethernet.Payload, out var ip) && ip.Protocol == IPProtocol.Udp
                && Udp.TryParse(ip.Payload, out var udp) && udp.DestinationPort == EventPort:
                if (Correct(udp.Payload)) udp.Checksum = 0;
                break;
            case EtherType.IPv6 when IPv6.TryParse(ethernet.Payload, out var ip6) && ip6.NextHeader == IPProtocol.Udp
                && Udp.TryParse(ip6.Payload, out var udp6) && udp6.DestinationPort == EventPort:
                if (Correct(udp6.Payload)) udp6.WriteChecksum(ip6);
                break;
        }
    }

    private bool Correct(Span<byte> message)
    {
        if (message.Length < HeaderLength) return false;
        if ((message[1] & 15) != 2)
        {
            OtherVersions.Increment();
            return false;
        }
        var type = message[0] & 15;
        // Sync, Delay_Req, Pdelay_Req and Pdelay_Resp are timed, the others are not.
        if (type > 3) return false;
        if (type == 0) Syncs.Increment();
        var correction = BinaryPrimitives.ReadInt64BigEndian(message[8..]);
        // A correction too large to express stays at its most.
        if (correction == long.MaxValue) return false;
        correction += (long)linkNanoseconds << 16;
        BinaryPrimitives.WriteInt64BigEndian(message[8..], correction);
        Corrected.Increment();
        return true;
    }
}
