using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A hub that reports the counters of its ports to a collector, those of one port after the other (sFlow version 5,
/// <i>sFlow Version 5</i>, 2004, §5: <c>counters_sample</c> with <c>if_counters</c>, which are those of RFC 2233).
/// </summary>
/// <param name="mac">The MAC address of this agent.</param>
/// <param name="address">Its address.</param>
/// <param name="collector">The address of the collector.</param>
/// <param name="collectorMac">The MAC address of the collector.</param>
/// <param name="tickInterval">Nanoseconds from a report to the next.</param>
public sealed class InterfaceCounters(
    MacAddress mac, IPv4Address address, IPv4Address collector, MacAddress collectorMac,
    ulong tickInterval = 5_000_000_000) : Service
{
    private const int Interfaces = 4, CollectorPort = 3;
    private const ushort SflowPort = 6343;
    private const uint CountersSample = 2, InterfaceFormat = 1, InterfaceLength = 88, Ethernet6 = 6;
    private const int HeaderLength = 28, SampleLength = 20 + 8 + 88;
    private const int Length = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + HeaderLength
        + SampleLength;

    private struct Traffic
    {
        public ulong Bytes;
        public uint Unicasts, Multicasts, Broadcasts;

        public void Count(MacAddress destination, int length)
        {
            Bytes += (ulong)length + 4; // with the FCS
            if (destination.IsBroadcast) Broadcasts++;
            else if (destination.IsGroup) Multicasts++;
            else Unicasts++;
        }
    }

    private struct Interface
    {
        public Traffic In, Out;
        public uint Discards, Errors, UnknownProtocols;
        public uint Reports;
    }

    private readonly Interface[] _interfaces = new Interface[Interfaces];
    private uint _datagrams;
    private int _next;
    private ulong _start;

    /// <summary>Reports sent.</summary>
    public Counter Reports { get; } = new();

    /// <summary>Frames dropped: from a source that no station can be.</summary>
    public Counter Errors { get; } = new();

    /// <summary>Frames for bridges alone, which a hub does not let through.</summary>
    public Counter Discards { get; } = new();

    /// <inheritdoc/>
    public override ulong TickInterval => tickInterval;

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        if (frame.Ingress.Index >= Interfaces) return;
        if (_start == 0) _start = frame.Time;
        var ethernet = new Ethernet(frame);
        ref var ingress = ref _interfaces[frame.Ingress.Index];
        if (ethernet.Source.IsGroup)
        {
            ingress.Errors++;
            Errors.Increment();
            return;
        }
        ingress.In.Count(ethernet.Destination, frame.Length);
        if (ethernet.Destination.IsReservedForBridges)
        {
            ingress.Discards++;
            Discards.Increment();
            return;
        }
        if (ethernet.EtherType is not (EtherType.IPv4 or EtherType.IPv6 or EtherType.Arp or EtherType.CTag))
            ingress.UnknownProtocols++;

        frame.Flood();
        for (var i = 0; i < Interfaces; i++)
            if (frame.Egress.Contains(new PortId(i))) _interfaces[i].Out.Count(ethernet.Destination, frame.Length);
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        ref var port = ref _interfaces[_next];
        port.Reports++;
        _datagrams++;
        WriteReport(ref frame, (uint)_next + 1, port);
        frame.ForwardTo(new PortId(CollectorPort));
        Reports.Increment();
        _next = _next == Interfaces - 1 ? 0 : _next + 1;
    }

    private void WriteReport(ref Frame frame, uint index, in Interface port)
    {
        frame.Resize(Length);
        var ethernet = new Ethernet(frame) { Destination = collectorMac, Source = mac, EtherType = EtherType.IPv4 };
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        (ip.Ttl, ip.Protocol, ip.Source, ip.Destination) = (IPv4.DefaultTtl, IPProtocol.Udp, address, collector);
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        (udp.SourcePort, udp.DestinationPort) = (SflowPort, SflowPort);

        var offset = 0;
        void Put(Span<byte> bytes, uint value)
        {
            bytes.SetUInt32(offset, value);
            offset += sizeof(uint);
        }

        var report = udp.Payload;
        var uptime = _start == 0 ? 0 : (uint)((frame.Time - _start) / 1_000_000);
        foreach (var value in (ReadOnlySpan<uint>)[5, 1, address.Bits, 0, _datagrams, uptime, 1]) Put(report, value);
        foreach (var value in (ReadOnlySpan<uint>)[CountersSample, SampleLength - 8, port.Reports, index, 1])
            Put(report, value);
        Put(report, InterfaceFormat);
        Put(report, InterfaceLength);
        foreach (var value in (ReadOnlySpan<uint>)[index, Ethernet6, 2, 0x540B_E400, 1, 3]) Put(report, value);
        PutTraffic(port.In, report);
        Put(report, port.Discards);
        Put(report, port.Errors);
        Put(report, port.UnknownProtocols);
        PutTraffic(port.Out, report);
        foreach (var value in (ReadOnlySpan<uint>)[0, 0, 1]) Put(report, value); // promiscuous
        udp.WriteChecksum(ip);

        void PutTraffic(in Traffic traffic, Span<byte> bytes)
        {
            Put(bytes, (uint)(traffic.Bytes >> 32));
            Put(bytes, (uint)traffic.Bytes);
            Put(bytes, traffic.Unicasts);
            Put(bytes, traffic.Multicasts);
            Put(bytes, traffic.Broadcasts);
        }
    }
}
