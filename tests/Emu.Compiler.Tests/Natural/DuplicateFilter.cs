using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Drops copies of packets that a tap sees twice: those whose bytes, but for TTL and checksum, hashed as one (FNV-1a),
/// were in one of two Bloom filters, which take turns every second.
/// </summary>
public sealed class DuplicateFilter : Service
{
    private const int Size = 4096;

    private readonly ulong[] _seen = new ulong[Size];
    private uint _epoch = 1;

    public override ulong TickInterval => 1_000_000_000;

    public Counter Passed { get; } = new();

    public Counter Copies { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip))
        {
            frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
            return;
        }
        var hash = 14695981039346656037;
        hash = Add(hash, ip.Source.Bits);
        hash = Add(hash, ip.Destination.Bits);
        hash = Add(hash, ip.Identification);
        foreach (var octet in ip.Payload) hash = (hash ^ octet) * 1099511628211;
        ref var seen = ref _seen[(int)(hash & (Size - 1))];
        var mark = hash >> 32 << 32 | _epoch;
        var before = seen;
        seen = mark;
        if (before >> 32 == hash >> 32 && _epoch - (uint)before <= 1)
        {
            Copies.Increment();
            return;
        }
        Passed.Increment();
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }

    public override void Tick(ref Frame frame) => _epoch++;

    private static ulong Add(ulong hash, uint word)
    {
        for (var shift = 0; shift < 32; shift += 8) hash = (hash ^ (byte)(word >> shift)) * 1099511628211;
        return hash;
    }
}
