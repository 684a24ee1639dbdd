using System.Numerics;
using Emu.Protocols;

namespace Emu.Samples;

/// <summary>
/// Passes all frames on, and tells a collector when an IPv4 address moves from one MAC address to another: what ARP
/// says is remembered, and each change is sent at the next tick (after arpwatch, LBNL).
/// </summary>
/// <remarks>
/// A report is an ARP reply whose sender is the address where it is now, and whose target is where it was. Addresses
/// with one hash share a place, and then count as new. Up to 64 changes wait.
/// </remarks>
/// <example>--collector 02:00:00:00:00:0c</example>
/// <param name="collector">The MAC address that reports are sent to.</param>
/// <param name="hosts">The addresses that are remembered: a power of two, 2 to 65536.</param>
/// <param name="hashSeed">Seed of the hash; choose your own where hosts are not trusted.</param>
public sealed class ArpWatch(MacAddress collector, int hosts = 1024, ulong hashSeed = 1) : Service
{
    private struct Host
    {
        public IPv4Address Address;
        public MacAddress Mac;
    }

    private struct Move
    {
        public IPv4Address Address;
        public MacAddress Before, After;
    }

    private readonly Host[] _hosts = new Host[Size(hosts)];
    private readonly H3Hash _hash = new(IPv4Address.Width, BitOperations.Log2((uint)hosts), hashSeed);
    private readonly Fifo<Move> _moves = new(64);

    /// <summary>A millisecond: no more than a thousand reports a second.</summary>
    public override ulong TickInterval => 1_000_000;

    /// <summary>Changes that are or will be reported.</summary>
    public Counter Moves { get; } = new();

    /// <summary>Changes that were not reported, since too many waited.</summary>
    public Counter Missed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.Arp || !Arp.TryParse(ethernet.Payload, out var arp)
            || arp.SenderProtocolAddress == default)
            return;
        var (address, mac) = (arp.SenderProtocolAddress, arp.SenderHardwareAddress);
        ref var host = ref _hosts[_hash.Index(address.KeyBits)];
        if (host.Address == address && host.Mac != mac)
        {
            if (_moves.TryEnqueue(new Move { Address = address, Before = host.Mac, After = mac })) Moves.Increment();
            else Missed.Increment();
        }
        (host.Address, host.Mac) = (address, mac);
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        if (!_moves.TryDequeue(out var move)) return;
        frame.Resize(60);
        var ethernet = new Ethernet(frame);
        ethernet.Destination = collector;
        ethernet.Source = move.After;
        ethernet.EtherType = EtherType.Arp;
        if (!Arp.TryInitialize(ethernet.Payload, out var report)) return;
        report.Operation = ArpOperation.Reply;
        report.SenderHardwareAddress = move.After;
        report.SenderProtocolAddress = move.Address;
        report.TargetHardwareAddress = move.Before;
        report.TargetProtocolAddress = move.Address;
        frame.ForwardTo(frame.Ports);
    }

    private static int Size(int hosts) =>
        hosts is >= 2 and <= 65_536 && BitOperations.IsPow2(hosts)
            ? hosts
            : throw new ArgumentOutOfRangeException(nameof(hosts), hosts, "must be a power of two from 2 to 65536");
}
