using System.Numerics;
using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Watches a line for bursts that averages hide: counts the bytes of each direction in windows of 2^17 ns (131 µs),
/// keeps the largest window and a histogram, and reports what was too much once a millisecond.
/// </summary>
/// <remarks>Ports 0 and 1 are the line, port 2 leads to the collector of reports, which are UDP datagrams.</remarks>
/// <example>--address 10.9.0.1 --collector 10.9.0.2 --collector-mac 02:00:00:00:09:02</example>
/// <param name="address">The sender of reports.</param>
/// <param name="collector">The receiver of reports.</param>
/// <param name="collectorMac">The receiver's MAC address.</param>
/// <param name="threshold">The bytes of a window that are reported.</param>
public sealed class MicroburstReporter(
    IPv4Address address, IPv4Address collector, MacAddress collectorMac, uint threshold = 20_000) : Service
{
    private const int WindowShift = 17;
    private const ushort CollectorPort = 6343;
    private const int Bins = 16;
    private const int ReportLength = 32;
    private const int FrameBytes = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength + ReportLength;
    private const int FramingBytes = 24; // preamble, FCS, gap

    private struct Line
    {
        public ulong Window;
        public uint Bytes;
        public uint Frames;
        public uint PeakBytes;
        public uint PeakFrames;
        public ulong PeakWindow;
    }

    private static readonly PortId s_report = new(2);

    private readonly Line[] _directions = new Line[2];
    private readonly uint[] _histogram = new uint[2 * Bins];
    private ushort _reports;

    /// <inheritdoc/>
    public override ulong TickInterval => 1_000_000;

    /// <summary>Windows that had frames.</summary>
    public Counter Windows { get; } = new();

    /// <summary>Windows above the threshold.</summary>
    public Counter Bursts { get; } = new();

    /// <summary>Reports sent.</summary>
    public Counter Reports { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var port = frame.Ingress.Index;
        if (port > 1) return;
        frame.ForwardTo(new PortId(port ^ 1));

        ref var direction = ref _directions[port];
        var window = frame.Time >> WindowShift;
        if (window != direction.Window)
        {
            Close(ref direction, port);
            direction.Window = window;
            direction.Bytes = 0;
            direction.Frames = 0;
        }
        direction.Bytes += (uint)frame.Length + FramingBytes;
        direction.Frames++;
    }

    private void Close(ref Line direction, int port)
    {
        if (direction.Frames == 0) return;
        Windows.Increment();
        _histogram[port * Bins + Math.Min(BitOperations.Log2(direction.Bytes >> 6 | 1), Bins - 1)]++;
        if (direction.Bytes >= threshold) Bursts.Increment();
        if (direction.Bytes <= direction.PeakBytes) return;
        direction.PeakBytes = direction.Bytes;
        direction.PeakFrames = direction.Frames;
        direction.PeakWindow = direction.Window;
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        for (var port = 0; port < _directions.Length; port++)
        {
            var peak = _directions[port].PeakBytes;
            if (peak >= threshold)
            {
                Report(ref frame, port);
                Reports.Increment();
            }
            _directions[port].PeakBytes = 0;
        }
    }

    private void Report(ref Frame frame, int port)
    {
        frame.Resize(FrameBytes);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = collectorMac;
        ethernet.Source = MacAddress.Of(address);
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Identification = _reports;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = collector;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = CollectorPort;
        udp.DestinationPort = CollectorPort;
        var report = udp.Payload;
        report.SetUInt16(0, (ushort)port);
        report.SetUInt16(2, _reports++);
        report.SetUInt32(4, _directions[port].PeakBytes);
        report.SetUInt32(8, _directions[port].PeakFrames);
        report.SetUInt32(12, threshold);
        report.SetUInt64(16, _directions[port].PeakWindow << WindowShift);
        report.SetUInt64(24, frame.Time);
        udp.WriteChecksum(ip);
        frame.Send(PortSet.Of(s_report));
    }
}
