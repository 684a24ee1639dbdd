using System.Buffers.Binary;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Passes all frames on, counts frames and bytes by their ports of arrival, and sends the counts to a collector every
/// second, whether frames come or not.
/// </summary>
/// <remarks>
/// A report is a frame of EtherType 88B5 (IEEE 802 local experimental) to the collector, on all ports: a number that
/// grows by one, then for each port of 0 to 3 frames (32 bits) and bytes (64 bits) since the report before, big-endian.
/// </remarks>
/// <example>--collector 02:00:00:00:00:0c</example>
/// <param name="collector">The MAC address that reports are sent to.</param>
/// <param name="mac">The MAC address that they come from.</param>
public sealed class TrafficReport(MacAddress collector, MacAddress mac = default) : Service
{
    private const int Ports = 4, ReportBytes = 66, RecordBytes = 12;

    private struct Traffic
    {
        public uint Frames;
        public ulong Bytes;
    }

    private readonly Traffic[] _traffic = new Traffic[Ports];
    private uint _number;

    /// <summary>A second.</summary>
    public override ulong TickInterval => 1_000_000_000;

    /// <summary>Reports sent.</summary>
    public Counter Reports { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        ref var traffic = ref _traffic[frame.Ingress.Index % Ports];
        traffic.Frames++;
        traffic.Bytes += (uint)frame.Length;
        frame.Flood();
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        frame.Resize(ReportBytes);
        var ethernet = new Ethernet(frame)
        {
            Destination = collector,
            Source = mac,
            EtherType = EtherType.LocalExperimental,
        };
        var records = ethernet.Payload;
        BinaryPrimitives.WriteUInt32BigEndian(records, _number++);
        records = records[sizeof(uint)..];
        for (var port = 0; port < Ports; port++)
        {
            var record = records.Slice(port * RecordBytes, RecordBytes);
            BinaryPrimitives.WriteUInt32BigEndian(record, _traffic[port].Frames);
            BinaryPrimitives.WriteUInt64BigEndian(record[sizeof(uint)..], _traffic[port].Bytes);
            _traffic[port] = default;
        }
        Reports.Increment();
        frame.ForwardTo(frame.Ports);
    }
}
