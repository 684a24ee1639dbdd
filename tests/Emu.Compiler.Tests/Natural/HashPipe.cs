using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Finds heavy hitters by HashPipe (Sivaraman and others 2017): stages of counters, of which the least is carried on.
/// </summary>
public sealed class HashPipe : Service
{
    private const int Stages = 3, Slots = 512;

    private struct Slot
    {
        public uint Key;
        public uint Count;
    }

    private readonly Slot[][] _stages = [new Slot[Slots], new Slot[Slots], new Slot[Slots]];
    private readonly H3Hash[] _hashes = [new(32, 9, 1), new(32, 9, 2), new(32, 9, 3)];

    public Counter Evicted { get; } = new();

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        var key = ip.Source.Bits;
        uint count = 1;
        for (var s = 0; s < Stages; s++)
        {
            ref var slot = ref _stages[s][_hashes[s].Index(key)];
            if (slot.Key == key)
            {
                slot.Count += count;
                return;
            }
            if (slot.Count == 0)
            {
                (slot.Key, slot.Count) = (key, count);
                return;
            }
            if (s == 0 || slot.Count < count)
            {
                (slot.Key, key) = (key, slot.Key);
                (slot.Count, count) = (count, slot.Count);
            }
        }
        Evicted.Increment();
    }
}
