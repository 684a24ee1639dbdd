using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Finds the eight sources that send most: a count-min sketch says how much each has sent, and one that has sent more
/// than the least of the eight takes its place.
/// </summary>
public sealed class HeavyHitters : Service
{
    private const int Kept = 8;

    private struct Hitter
    {
        public IPv4Address Source;
        public uint Bytes;
    }

    private readonly CountMinSketch<IPv4Address> _sketch = new(3, 1024, 5);
    private readonly Hitter[] _top = new Hitter[Kept];

    public Counter Packets { get; } = new();

    public Counter Replaced { get; } = new();

    [Control]
    public ulong Most { get; private set; }

    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        Packets.Increment();
        var bytes = _sketch.Add(ip.Source, ip.TotalLength);
        if (bytes > Most) Most = bytes;

        var least = 0;
        for (var i = 0; i < Kept; i++)
        {
            if (_top[i].Source == ip.Source)
            {
                _top[i].Bytes = bytes;
                return;
            }
            if (_top[i].Bytes < _top[least].Bytes) least = i;
        }
        if (bytes > _top[least].Bytes)
        {
            _top[least] = new Hitter { Source = ip.Source, Bytes = bytes };
            Replaced.Increment();
        }
    }
}
