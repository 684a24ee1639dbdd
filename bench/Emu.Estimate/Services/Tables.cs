using Emu.Protocols;

namespace Emu.Estimate;

/// <summary>Counts the bytes of each EtherType's class, and forwards a gigabyte of each.</summary>
public sealed class ByteCounts : Service
{
    private readonly ulong[] _bytes = new ulong[256];

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        ref var bytes = ref _bytes[(int)ethernet.EtherType & 255];
        bytes += (ulong)frame.Length;
        if (bytes < 1 << 30) frame.Flood();
    }
}

/// <summary>Finds the longest prefix of an IPv4 destination in a trie of bits, a node a step.</summary>
public sealed class LongestPrefix : Service
{
    private const int Nodes = 512;

    private readonly ushort[] _children = new ushort[2 * Nodes];
    private readonly byte[] _hops = new byte[Nodes];
    private int _nodes = 1;

    public LongestPrefix()
    {
        for (uint i = 1; i < 30; i++) Add(0x0A00_0000 + i * 0x0011_0100, 12 + (int)i % 13, (byte)(i & 15));
    }

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        var (address, node, hop) = (ip.Destination.Bits, 0, 0);
        for (var bit = 31; bit >= 0; bit--)
        {
            node = _children[(2 * node + (int)(address >> bit & 1)) & (2 * Nodes - 1)];
            if (node == 0) break;
            if (_hops[node & (Nodes - 1)] is > 0 and var found) hop = found;
        }
        frame.ForwardTo(new PortSet((ulong)hop));
    }

    private void Add(uint prefix, int length, byte hop)
    {
        var node = 0;
        for (var bit = 31; bit > 31 - length; bit--)
        {
            ref var child = ref _children[2 * node + (int)(prefix >> bit & 1)];
            if (child == 0) child = (ushort)_nodes++;
            node = child;
        }
        _hops[node] = hop;
    }
}

/// <summary>
/// Keeps for each pair of stations how the last frames went, and asks a filter of Bloom whether a station is new.
/// </summary>
public sealed class BloomFilter : Service
{
    private readonly bool[] _first = new bool[1024];
    private readonly bool[] _second = new bool[1024];

    public override void Process(ref Frame frame)
    {
        var key = new Ethernet(frame).Source.Bits;
        var (one, two) = ((int)(key ^ key >> 11 ^ key >> 23) & 1023, (int)(key * 0x9E37_79B9 >> 22) & 1023);
        var isKnown = _first[one] && _second[two];
        (_first[one], _second[two]) = (true, true);
        if (isKnown) frame.Flood();
        else frame.ForwardTo(new PortId(0));
    }
}

/// <summary>Turns bytes into others by a table, like the S-box of AES.</summary>
public sealed class ByteTable : Service
{
    private readonly byte[] _table = [.. Enumerable.Range(0, 256).Select(i => (byte)(i * i * 7 + i * 181 + 99))];

    public override void Process(ref Frame frame)
    {
        if (frame.Length < 30) return;
        for (var i = 14; i < 16; i++) frame.Bytes[i] = _table[frame.Bytes[i]];
        frame.Flood();
    }
}
