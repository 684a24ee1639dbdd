namespace Suite;

/// <summary>Arrays as state: of numbers, of structs, of arrays; and read-only ones.</summary>
public sealed class Arrays : Service
{
    private static readonly ushort[] s_powers = [1, 3, 9, 27, 81, 243, 729, 2187];

    private readonly int[] _numbers = new int[8];
    private readonly byte[] _bytes = [1, 2, 3, 4];
    private readonly bool[] _flags = new bool[16];
    private readonly ulong[] _wide = new ulong[3];
    private readonly Entry[] _entries =
    [
        .. Enumerable.Range(0, 4).Select(i => new Entry { Key = (byte)i, Position = new Position { X = i * 5 } }),
    ];
    private readonly int[][] _rows = [[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    private readonly sbyte[] _signed = new sbyte[4];
    private readonly Kind[] _kinds = new Kind[4];
    private readonly UInt128[] _widest = new UInt128[2];
    private readonly char[] _letters = ['a', 'b'];

    public override void Process(ref Frame frame)
    {
        var bytes = frame.Bytes;
        var (a, b) = (bytes[29], bytes[45]);
        _numbers[a & 7] += s_powers[b & 7];
        _numbers[_numbers[1] & 7]--;
        _bytes[a & 3] = (byte)(_bytes[b & 3] * 3);
        _bytes[1]++;
        _flags[a & 15] ^= b > 100;
        _wide[a % 3] = _wide[b % 3] << 3 | a;
        ref var entry = ref _entries[b & 3];
        entry.Key += a;
        entry.Position.X = entry.Position.Y + a;
        entry.Position.Y++;
        _entries[a & 3] = entry;
        _entries[0] = new Entry { Key = a };
        var copy = _entries[3];
        copy.Key = 77;
        _rows[a % 3][b % 3] = _rows[b % 3][a % 3] + 1;
        _signed[a & 3] = (sbyte)b;
        _kinds[a & 3] = (Kind)(b & 3);
        _widest[a & 1] = unchecked(_widest[b & 1] * 5 + a);
        _letters[b & 1]++;
        var sum = 0;
        foreach (var number in _numbers) sum = unchecked(sum + number);
        foreach (var row in _rows) sum += row[1] + row.Length;
        foreach (ref readonly var e in _entries.AsSpan()) sum += e.Position.X - e.Key;
        if (_flags[3] && _signed[2] < 0) sum ^= 0x55;
        if (_kinds[1] == Kind.Third) sum += _letters[0];
        bytes[14] = (byte)sum;
        bytes[15] = (byte)(copy.Key + _widest[0] + _wide[2]);
        frame.Reply();
    }

    private enum Kind : byte { First, Second, Third }

    private struct Position
    {
        public int X;
        public int Y;
    }

    private struct Entry
    {
        public byte Key;
        public Position Position;
    }
}

/// <summary>
/// An index from the frame that may be outside: what was written before stands, the frame is dropped.
/// </summary>
public sealed class ArrayFaults : Service
{
    private readonly int[] _counts = new int[20];
    private int _before;
    private int _after;

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        _before++;
        frame.Bytes[14] = 99;
        _counts[frame.Bytes[29]]++;
        _counts[(sbyte)frame.Bytes[45] + 10] = _before;
        _after++;
    }
}

/// <summary>An array with no elements, and an index that is never inside.</summary>
public sealed class NeverInside : Service
{
    private readonly int[] _none = [];
    private readonly int[] _four = new int[4];
    private int _seen;

    public override void Process(ref Frame frame)
    {
        frame.Flood();
        foreach (var number in _none) _seen += number;
        _seen++;
        if (frame.Bytes[29] > 128) _seen += _none[0];
        if (frame.Bytes[45] > 128) _four[4] = 1;
        if (frame.Bytes[45] > 64) _four[^1] += _four[_seen & 3];
    }
}
