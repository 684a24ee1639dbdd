using System.Buffers.Binary;

namespace Emu.Compiler.Tests;

/// <summary>
/// Counts frames by their kind, the most frequent first: the entry of a kind moves up in front of those that were seen
/// less often. A new kind takes the last place.
/// </summary>
public sealed class FrequentKinds : Service
{
    private const int Places = 8;

    private readonly byte[] _kinds = new byte[Places];
    private readonly ushort[] _counts = new ushort[Places];

    public override void Process(ref Frame frame)
    {
        var kind = frame.Bytes[13];
        var place = 0;
        while (place < Places - 1 && _kinds[place] != kind) place++;
        var count = _kinds[place] == kind ? (ushort)(_counts[place] + 1) : (ushort)1;
        while (place > 0 && _counts[place - 1] < count)
        {
            (_kinds[place], _counts[place]) = (_kinds[place - 1], _counts[place - 1]);
            place--;
        }
        (_kinds[place], _counts[place]) = (kind, count);
        frame.Bytes[0] = (byte)place;
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], count);
        frame.Flood();
    }
}

/// <summary>Gives the entry at a place that a frame names another weight: it moves down to where it belongs.</summary>
public sealed class SinkingEntry : Service
{
    private readonly ushort[] _weights = [9, 17, 100, 1000, 5000, 20_000, 30_000, 60_000];

    public override void Process(ref Frame frame)
    {
        var place = frame.Bytes[13] & 7;
        var weight = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[14..]);
        while (place < 7 && _weights[place + 1] < weight)
        {
            _weights[place] = _weights[place + 1];
            place++;
        }
        _weights[place] = weight;
        frame.Bytes[0] = (byte)place;
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], _weights[frame.Bytes[1] & 7]);
        frame.Flood();
    }
}

/// <summary>
/// Moves the entry at a named place up, and leaves the loop, and the event, at one that is fixed: what has moved up to
/// there stays.
/// </summary>
public sealed class FixedEntries : Service
{
    private const byte Fixed = 0x80;

    private readonly byte[] _entries = [1, 2, 3, 0x84, 5, 6, 0x87, 8];

    public override void Process(ref Frame frame)
    {
        frame.Bytes[0] = 0xEE;
        var place = frame.Bytes[13] >> 5;
        var entry = frame.Bytes[14];
        for (; place > 0 && _entries[place - 1] != entry; place--)
        {
            if ((_entries[place - 1] & Fixed) != 0)
            {
                frame.Bytes[0] = (byte)(0x40 | place);
                frame.Flood();
                return;
            }
            _entries[place] = _entries[place - 1];
        }
        _entries[place] = entry;
        frame.Bytes[0] = (byte)place;
        frame.Bytes[1] = _entries[frame.Bytes[1] & 7];
        frame.Flood();
    }
}

/// <summary>Takes the entry at a named place out, so that those behind it move up.</summary>
public sealed class TakenOutEntry : Service
{
    private readonly byte[] _entries = [1, 2, 3, 4, 5, 6, 7, 8];

    public override void Process(ref Frame frame)
    {
        var place = (frame.Bytes[13] >> 2) & 7;
        frame.Bytes[0] = _entries[place];
        for (; place < 7; place++) _entries[place] = _entries[place + 1];
        _entries[7] = frame.Bytes[14];
        for (var i = 0; i < 8; i++) frame.Bytes[2 + i] = _entries[i];
        frame.Flood();
    }
}

/// <summary>Puts an entry in at a named place, so that those behind it move down and the last one goes.</summary>
public sealed class PutInEntry : Service
{
    private readonly byte[] _entries = [1, 2, 3, 4, 5, 6, 7, 8];

    public override void Process(ref Frame frame)
    {
        var moved = frame.Bytes[14];
        for (var place = (frame.Bytes[13] >> 2) & 7; place < 8; place++)
            (moved, _entries[place]) = (_entries[place], moved);
        frame.Bytes[0] = moved;
        for (var i = 0; i < 8; i++) frame.Bytes[2 + i] = _entries[i];
        frame.Flood();
    }
}

/// <summary>Gives an entry of a heap a smaller number: it moves up past those above it that are larger.</summary>
public sealed class HeapEntry : Service
{
    private readonly ushort[] _heap = [10, 200, 300, 4000, 5000, 6000, 7000];

    public override void Process(ref Frame frame)
    {
        var place = frame.Bytes[13] % 7;
        var key = BinaryPrimitives.ReadUInt16BigEndian(frame.Bytes[14..]);
        if (key > _heap[place]) key = 0;
        while (place > 0)
        {
            var above = (place - 1) / 2;
            if (_heap[above] <= key) break;
            _heap[place] = _heap[above];
            place = above;
        }
        _heap[place] = (ushort)(key + 50);
        frame.Bytes[0] = (byte)place;
        BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes[2..], _heap[frame.Bytes[1] % 7]);
        frame.Flood();
    }
}

/// <summary>
/// Puts a number at the first free place from a named one on; where none is free, the event ends with a fault, and the
/// places that it has marked on its way stay marked.
/// </summary>
public sealed class FreePlace : Service
{
    private readonly byte[] _numbers = new byte[8];

    public override void Process(ref Frame frame)
    {
        var place = frame.Bytes[13] & 7;
        for (; _numbers[place] != 0; place++) _numbers[place] = (byte)(_numbers[place] - 1);
        _numbers[place] = (byte)(frame.Bytes[14] & 3);
        frame.Bytes[0] = (byte)place;
        frame.Flood();
    }
}
