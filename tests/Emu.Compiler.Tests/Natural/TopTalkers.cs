using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Keeps the eight hosts that send most, the first the largest, with their bytes (space-saving; Metwally, Agrawal and
/// El Abbadi 2005, <em>Efficient computation of frequent and top-k elements in data streams</em>), and sends them to a
/// collector every second. Counts are halved with each report, so that they follow what is new.
/// </summary>
/// <remarks>
/// A host that is not among the eight takes the place of the least, and its count as an error. A report is a frame of
/// EtherType 88B5: for each host its address (4 bytes), bytes (8) and error (8). All frames pass.
/// </remarks>
/// <param name="collector">The MAC address of the collector.</param>
/// <param name="mac">The MAC address that reports come from.</param>
public sealed class TopTalkers(MacAddress collector, MacAddress mac) : Service
{
    private const int Kept = 8, RecordLength = 20;

    public struct Talker
    {
        internal IPv4Address Address;
        internal ulong Bytes;
        internal ulong Error;
    }

    private readonly Talker[] _talkers = new Talker[Kept];

    public override ulong TickInterval => 1_000_000_000;

    /// <summary>The hosts, the first the largest.</summary>
    public ReadOnlySpan<Talker> Talkers => _talkers;

    /// <summary>Hosts that took the place of another.</summary>
    public Counter Replaced { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        var type = ethernet.EtherType;
        var packet = ethernet.Payload;
        if (type == EtherType.CTag && Vlan.TryParse(packet, out var tag))
        {
            type = tag.EtherType;
            packet = tag.Payload;
        }
        if (type == EtherType.IPv4 && IPv4.TryParse(packet, out var ip)) Count(ip.Source, ip.TotalLength);
    }

    private void Count(IPv4Address address, uint bytes)
    {
        var place = Find(address);
        if (place < 0)
        {
            place = Kept - 1;
            ref var least = ref _talkers[place];
            if (least.Bytes != 0) Replaced.Increment();
            (least.Address, least.Error) = (address, least.Bytes);
        }
        _talkers[place].Bytes += bytes;
        while (place > 0 && _talkers[place - 1].Bytes < _talkers[place].Bytes)
        {
            (_talkers[place - 1], _talkers[place]) = (_talkers[place], _talkers[place - 1]);
            place--;
        }
    }

    private int Find(IPv4Address address)
    {
        for (var i = 0; i < Kept; i++)
            if (_talkers[i].Bytes != 0 && _talkers[i].Address == address) return i;
        return -1;
    }

    public override void Tick(ref Frame frame)
    {
        frame.Resize(Ethernet.HeaderLength + Kept * RecordLength);
        var ethernet = new Ethernet(frame)
        {
            Destination = collector,
            Source = mac,
            EtherType = EtherType.LocalExperimental,
        };
        for (var i = 0; i < Kept; i++)
        {
            ref var talker = ref _talkers[i];
            var record = ethernet.Payload.Slice(i * RecordLength, RecordLength);
            record.SetIPv4Address(0, talker.Address);
            record.SetUInt64(4, talker.Bytes);
            record.SetUInt64(12, talker.Error);
            talker.Bytes /= 2;
            talker.Error /= 2;
        }
        frame.ForwardTo(frame.Ports);
    }
}
