using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Knows the multicast routers at its ports by their Hellos, sends its own, and lets packets of groups leave only where
/// there is a router (RFC 7761 §4.3.1, §4.9.2 for the message; as bridges do by RFC 8220 §2.2).
/// </summary>
/// <param name="addresses">The address of this router at each port.</param>
/// <param name="mac">Its MAC address.</param>
/// <param name="tickInterval">Nanoseconds between looks at what is too old.</param>
/// <param name="helloSeconds">Seconds between its Hellos.</param>
public sealed class PimNeighbors(
    IPv4Address[] addresses, MacAddress mac, ulong tickInterval = 1_000_000_000, int helloSeconds = 30) : Service
{
    private const IPProtocol Pim = (IPProtocol)103;
    private const byte VersionAndHello = 0x20;
    private const ushort HoldTime = 1, Generation = 20, Forever = 0xFFFF;
    private const int PortNeighbors = 4, MessageLength = 4 + 6 + 8;
    private const uint OwnGeneration = 0x2026_0001;
    private const ulong Second = 1_000_000_000;

    private static readonly IPv4Address s_group = IPv4Address.Parse("224.0.0.13");
    private static readonly MacAddress s_groupMac = MacAddress.Parse("01:00:5e:00:00:0d");

    private struct Neighbor
    {
        public IPv4Address Address;
        public ulong Expiry;
        public uint Generation;
    }

    private readonly record struct Hello(ushort HoldTime, uint Generation);

    private readonly Neighbor[] _neighbors = new Neighbor[addresses.Length * PortNeighbors];
    private ulong _nextHello;
    private PortSet _withRouters;

    /// <summary>Neighbours that are new.</summary>
    public Counter Appeared { get; } = new();

    /// <summary>Neighbours that began anew.</summary>
    public Counter Restarted { get; } = new();

    /// <summary>Neighbours that have gone: they said so, or were not heard of for long.</summary>
    public Counter Gone { get; } = new();

    /// <summary>Hellos for which there was no room.</summary>
    public Counter Overflow { get; } = new();

    /// <summary>Messages dropped: malformed.</summary>
    public Counter Malformed { get; } = new();

    /// <summary>Hellos sent.</summary>
    public Counter Sent { get; } = new();

    /// <inheritdoc/>
    public override ulong TickInterval => tickInterval;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip))
        {
            frame.Flood();
            return;
        }
        if (ip.Protocol == Pim && ip.Destination == s_group)
        {
            if (ip.Ttl != 1 || !ip.Source.CanBeSource || frame.Ingress.Index >= addresses.Length
                || !TryRead(ip.Payload, out var hello))
                Malformed.Increment();
            else Learn(frame.Ingress.Index, ip.Source, hello, frame.Time);
            return; // such messages go no further than a link
        }
        // Groups of the link itself, and all that is not of a group, go everywhere.
        if (!ip.Destination.IsMulticast || ip.Destination.Bits >> 8 == 0xE00000) frame.Flood();
        else frame.ForwardTo(_withRouters);
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        _withRouters = PortSet.None;
        for (var i = 0; i < _neighbors.Length; i++)
        {
            ref var neighbor = ref _neighbors[i];
            if (neighbor.Expiry == 0) continue;
            if (neighbor.Expiry <= frame.Time)
            {
                neighbor = default;
                Gone.Increment();
            }
            else _withRouters |= PortSet.Of(new PortId(i / PortNeighbors));
        }
        if (frame.Time < _nextHello) return;
        _nextHello = frame.Time + (ulong)helloSeconds * Second;
        for (var port = 0; port < addresses.Length; port++)
        {
            WriteHello(ref frame, addresses[port]);
            frame.Send(PortSet.Of(new PortId(port)));
            Sent.Increment();
        }
    }

    private static bool TryRead(Span<byte> message, out Hello hello)
    {
        hello = default;
        if (message.Length < 4 || message[0] != VersionAndHello) return false;
        if (!InternetChecksum.IsValid(InternetChecksum.Sum(message))) return false;
        var (holdTime, generation) = ((ushort)105, 0u);
        var options = message[4..];
        while (options.Length > 0)
        {
            if (options.Length < 4) return false;
            int type = options.GetUInt16(0), length = options.GetUInt16(2);
            if (options.Length < 4 + length) return false;
            switch (type)
            {
                case HoldTime when length == 2:
                    holdTime = options.GetUInt16(4);
                    break;
                case Generation when length == 4:
                    generation = options.GetUInt32(4);
                    break;
                case HoldTime or Generation:
                    return false;
            }
            options = options[(4 + length)..];
        }
        hello = new Hello(holdTime, generation);
        return true;
    }

    private void Learn(int port, IPv4Address source, Hello hello, ulong time)
    {
        var neighbors = _neighbors.AsSpan(port * PortNeighbors, PortNeighbors);
        var place = -1;
        for (var i = 0; i < neighbors.Length; i++)
        {
            if (neighbors[i].Expiry != 0 && neighbors[i].Address == source)
            {
                place = i;
                break;
            }
            if (neighbors[i].Expiry == 0 && place < 0) place = i;
        }
        if (place < 0)
        {
            Overflow.Increment();
            return;
        }

        ref var neighbor = ref neighbors[place];
        var isKnown = neighbor.Expiry != 0;
        if (hello.HoldTime == 0)
        {
            neighbor = default;
            if (isKnown) Gone.Increment();
            return;
        }
        if (!isKnown) Appeared.Increment();
        else if (neighbor.Generation != hello.Generation) Restarted.Increment();
        if (!isKnown || neighbor.Generation != hello.Generation) _nextHello = 0; // it shall know of us soon
        (neighbor.Address, neighbor.Generation) = (source, hello.Generation);
        neighbor.Expiry = hello.HoldTime == Forever ? ulong.MaxValue : time + hello.HoldTime * Second;
        _withRouters |= PortSet.Of(new PortId(port));
    }

    private void WriteHello(ref Frame frame, IPv4Address source)
    {
        frame.Resize(Ethernet.MinFrameLength);
        var ethernet = new Ethernet(frame) { Destination = s_groupMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload[..(IPv4.MinHeaderLength + MessageLength)], out var ip)) return;
        (ip.Dscp, ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (48, 1, Pim, source, s_group);
        ip.WriteHeaderChecksum();
        var message = ip.Payload;
        message[0] = VersionAndHello;
        message.SetUInt32(4, (uint)HoldTime << 16 | 2);
        message.SetUInt16(8, (ushort)(helloSeconds * 7 / 2));
        message.SetUInt32(10, (uint)Generation << 16 | 4);
        message.SetUInt32(14, OwnGeneration);
        message.SetUInt16(2, 0);
        message.SetUInt16(2, InternetChecksum.Compute(message));
    }
}
