namespace Emu.Compiler.Tests;

/// <summary>
/// The flows that a frame goes to and comes from, as the services here see it: numbers below a power of two.
/// </summary>
internal static class Flow
{
    public static int To(in Frame frame, int flows) => (frame.Bytes[4] << 8 | frame.Bytes[5]) & (flows - 1);

    public static int From(in Frame frame, int flows) => (frame.Bytes[10] << 8 | frame.Bytes[11]) & (flows - 1);

    public static int Kind(in Frame frame) => frame.Bytes[12];
}

/// <summary>Counts the frames of each flow and all of them; both numbers show in where the frame leaves.</summary>
public sealed class FlowCounts(int flows) : Service
{
    private readonly uint[] _counts = new uint[flows];
    private uint _all;

    public override void Process(ref Frame frame)
    {
        var count = ++_counts[Flow.To(frame, flows)];
        _all++;
        frame.ForwardTo(new PortSet(count + _all));
    }
}

/// <summary>As the one above, but it looks at a byte that frames shorter than Ethernet allows may lack.</summary>
public sealed class DeepFlowCounts(int flows) : Service
{
    private readonly uint[] _counts = new uint[flows];
    private uint _all;

    public override void Process(ref Frame frame)
    {
        const int Depth = 40;
        var flow = Flow.To(frame, flows);
        if (frame.Length > Depth) flow ^= frame.Bytes[Depth] & flows - 1;
        var count = ++_counts[flow];
        _all++;
        frame.ForwardTo(new PortSet(count + _all));
    }
}

/// <summary>
/// Moves flows forward in lists that the constructor has made: each word follows its index, but the last.
/// </summary>
public sealed class Links : Service
{
    private readonly int[] _next, _heads, _own;

    public Links(int flows)
    {
        _next = [.. Enumerable.Range(1, flows - 1), -1];
        _heads = [.. Enumerable.Repeat(-1, flows)];
        _own = [.. Enumerable.Range(0, flows)];
    }

    public override void Process(ref Frame frame)
    {
        var flow = Flow.To(frame, _next.Length);
        var (next, head, own) = (_next[flow], _heads[flow], _own[flow]);
        (_next[flow], _heads[flow], _own[flow]) = (head, next, own + 3);
        frame.ForwardTo(new PortSet((ulong)(uint)(next ^ head * 3 ^ own)));
    }
}

/// <summary>Counts for each flow the frames whose sum is odd, which is known with their last byte.</summary>
public sealed class OddFlowCounts(int flows) : Service
{
    private readonly uint[] _counts = new uint[flows];

    public override void Process(ref Frame frame)
    {
        const int Depth = 40;
        var flow = Flow.To(frame, flows);
        if (frame.Length > Depth) flow ^= frame.Bytes[Depth] & flows - 1;
        var isOdd = (InternetChecksum.Finish(InternetChecksum.Sum(frame.Bytes[14..])) & 1) != 0;
        if (isOdd) _counts[flow]++;
        frame.ForwardTo(new PortSet(_counts[flow] ^ 0b110));
    }
}

/// <summary>
/// Keeps the flow of the frame before in a register: what is written is known with the header, what is read is asked
/// for with the last byte.
/// </summary>
public sealed class FlowBeforeOdd(int flows) : Service
{
    private int _before;

    public override void Process(ref Frame frame)
    {
        var flow = Flow.To(frame, flows);
        var isOdd = (InternetChecksum.Finish(InternetChecksum.Sum(frame.Bytes[14..])) & 1) != 0;
        var before = _before;
        _before = flow;
        frame.ForwardTo(new PortSet((ulong)(isOdd ? before : before >> 1) & 0b1111));
    }
}

/// <summary>
/// A bucket of tokens for each flow: a frame that finds as many as it has bytes takes them and leaves,
/// another is dropped.
/// </summary>
public sealed class Policer(int flows) : Service
{
    private const int Burst = 2000;
    private const int NanosecondsPerTokenLog = 4;

    private readonly ushort[] _tokens = [.. Enumerable.Repeat((ushort)Burst, flows)];
    private readonly uint[] _filled = new uint[flows];

    public override void Process(ref Frame frame)
    {
        var flow = Flow.To(frame, flows);
        var now = (uint)(frame.Time >> NanosecondsPerTokenLog);
        var earned = Math.Min(now - _filled[flow], Burst);
        _filled[flow] = now;

        var tokens = Math.Min(_tokens[flow] + (int)earned, Burst);
        var conforms = frame.Length <= tokens;
        if (conforms) tokens -= frame.Length;
        _tokens[flow] = (ushort)tokens;

        if (conforms) frame.Flood();
        else frame.Drop();
    }
}

/// <summary>
/// A table of a user's own struct, found by a hash: who talks to whom, and how often;
/// an entry is lost to the next pair with its hash.
/// </summary>
public sealed class Pairs(int entries) : Service
{
    private struct Pair
    {
        public ulong Stations;
        public ushort Frames;
        public byte Port;
        public bool IsUsed;
    }

    private readonly Pair[] _pairs = new Pair[entries];
    private readonly H3Hash _hash = new(64, System.Numerics.BitOperations.Log2((uint)entries), 7);
    private uint _replaced;

    public override void Process(ref Frame frame)
    {
        var stations = (ulong)(uint)Flow.To(frame, 1 << 16) << 32 | (uint)Flow.From(frame, 1 << 16);
        ref var pair = ref _pairs[_hash.Index(stations)];
        if (pair.IsUsed && pair.Stations == stations)
        {
            pair.Frames++;
        }
        else
        {
            if (pair.IsUsed) _replaced++;
            pair = new Pair { Stations = stations, Frames = 1, Port = frame.Ingress.Index, IsUsed = true };
        }
        frame.ForwardTo(new PortSet((ulong)(pair.Frames ^ pair.Port ^ _replaced)));
    }
}

/// <summary>Two tables, of which a frame writes one, as their contents decide.</summary>
public sealed class TwoTables(int flows) : Service
{
    private const int MarksFrame = 3;

    private readonly ushort[] _levels = new ushort[flows];
    private readonly ushort[] _marks = new ushort[flows];

    public override void Process(ref Frame frame)
    {
        var (to, from) = (Flow.To(frame, flows), Flow.From(frame, flows));
        var (level, mark) = (_levels[from], _marks[to]);
        if (Flow.Kind(frame) == MarksFrame) _marks[to] = (ushort)frame.Length;
        else if (level > mark) _marks[to] = level;
        else _levels[from] = (ushort)(mark + 1);
        frame.ForwardTo(new PortSet((ulong)(level ^ mark)));
    }
}

/// <summary>A table that a frame writes at one of two places.</summary>
public sealed class OneOfTwoPlaces(int flows) : Service
{
    private readonly ushort[] _levels = new ushort[flows];

    public override void Process(ref Frame frame)
    {
        var (to, from) = (Flow.To(frame, flows), Flow.From(frame, flows));
        var (theirs, ours) = (_levels[to], _levels[from]);
        if (theirs < ours) _levels[to] = (ushort)(theirs + 1);
        else _levels[from] = (ushort)(theirs + 3);
        frame.ForwardTo(new PortSet((ulong)(theirs ^ ours)));
    }
}

/// <summary>
/// Counts what it knows, and remembers what is new at another place, once a decision between the two has let it by.
/// </summary>
public sealed class LearnsAtNews(int flows) : Service
{
    private readonly ushort[] _flows = new ushort[flows];
    private readonly byte[] _counts = new byte[flows];

    public override void Process(ref Frame frame)
    {
        var (to, from) = (Flow.To(frame, flows), Flow.From(frame, flows));
        var isNew = Find(to, from);
        var isAccepted = Flow.Kind(frame) != 1;
        if (isAccepted) frame.ForwardTo(new PortSet(3));
        if (isAccepted && isNew) (_flows[to], _counts[to]) = ((ushort)from, 1);
    }

    private bool Find(int to, int from)
    {
        if (_flows[to] == from)
        {
            _counts[to]++;
            return false;
        }
        if (_flows[from] != to) return true;
        _counts[from] += 2;
        return false;
    }
}

/// <summary>Reads a table at one of two places, and one of two tables.</summary>
public sealed class Either(int flows) : Service
{
    private const int Counts = 3;

    private readonly ushort[] _counts = new ushort[flows];
    private readonly ushort[][] _sums = [new ushort[flows], new ushort[flows]];

    public override void Process(ref Frame frame)
    {
        var (to, from) = (Flow.To(frame, flows), Flow.From(frame, flows));
        uint shown;
        if (Flow.Kind(frame) == Counts)
        {
            shown = _counts[to]++;
        }
        else
        {
            shown = (uint)(_counts[from] + _sums[frame.Bytes[13] & 1][to]);
            _sums[frame.Bytes[13] & 1][to] += 3;
        }
        frame.ForwardTo(new PortSet(shown));
    }
}

/// <summary>
/// A value for each flow that needs all the time that there is between two frames: added to, compared, reduced.
/// </summary>
public sealed class Residues(int flows) : Service
{
    private const int Modulus = 40961;

    private readonly ushort[] _residues = new ushort[flows];

    public override void Process(ref Frame frame)
    {
        ref var residue = ref _residues[Flow.To(frame, flows)];
        var sum = (uint)(residue ^ 0x55) + frame.Bytes[13];
        residue = (ushort)(sum >= Modulus ? sum - Modulus : sum);
        frame.ForwardTo(new PortSet(residue));
    }
}

/// <summary>
/// Remembers the station heard last at each place of a table and of a register, and says whether it is another now: the
/// comparisons decide what is written.
/// </summary>
public sealed class Changes(int flows) : Service
{
    private readonly ulong[] _last = new ulong[flows];
    private readonly byte[] _runs = new byte[flows];
    private ulong _lastOfAll;
    private uint _changes;

    public override void Process(ref Frame frame)
    {
        var flow = Flow.To(frame, flows);
        var station = (ulong)Flow.From(frame, 1 << 16) << 8 | frame.Bytes[13];
        var isNew = _last[flow] != station;
        if (isNew)
        {
            _last[flow] = station;
            _runs[flow] = 0;
            _changes++;
        }
        else
        {
            _runs[flow]++;
        }
        if (isNew && _lastOfAll != station) _lastOfAll = station;
        frame.ForwardTo(new PortSet(_runs[flow] ^ _changes ^ _lastOfAll));
    }
}

/// <summary>
/// Remembers a station at each place unless its digest is that of the one there: a long way from what is read to
/// whether is written, and little of it on the loop.
/// </summary>
public sealed class Digests(int flows) : Service
{
    private readonly uint[] _last = new uint[flows];

    public override void Process(ref Frame frame)
    {
        var flow = Flow.To(frame, flows);
        var station = (uint)Flow.From(frame, 1 << 16) << 8 | frame.Bytes[13];
        var last = _last[flow];
        var isNew = Digest(last) != Digest(station);
        if (isNew) _last[flow] = station;
        frame.ForwardTo(new PortSet(isNew ? last + 1 : 5));
    }

    private static uint Digest(uint station)
    {
        for (var round = 0; round < 3; round++) station = (station ^ station >> 7) + 0x9E37_79B9;
        return station >> 28;
    }
}

/// <summary>A value for each flow whose successor is a product: more than fits between two frames.</summary>
public sealed class Products(int flows) : Service
{
    private readonly uint[] _products = new uint[flows];

    public override void Process(ref Frame frame)
    {
        ref var product = ref _products[Flow.To(frame, flows)];
        product = product * 2_654_435_761 + frame.Bytes[13];
        frame.ForwardTo(new PortSet(product >> 7));
    }
}

/// <summary>
/// A smoothed rate for each set of flows, in sets of two whose older entry is replaced: a recurrence of a product.
/// </summary>
public sealed class SmoothedRates(int flows) : Service
{
    private const int Ways = 2;

    private readonly (byte Key, uint Rate)[] _entries = new (byte, uint)[flows];

    public override void Process(ref Frame frame)
    {
        var key = (byte)(1 + Flow.To(frame, 128));
        var first = key * 7 % (flows / Ways) * Ways;
        var place = first + (Flow.Kind(frame) & 1);
        for (var at = first; at < first + Ways; at++)
        {
            if (_entries[at].Key == key) place = at;
        }
        ref var entry = ref _entries[place];
        if (entry.Key != key) entry = (key, (uint)frame.Length << 16);
        else if (Flow.Kind(frame) != 3) entry.Rate = entry.Rate * 60_001 / 65_521 + (uint)frame.Length * 5531;
        frame.ForwardTo(new PortSet(entry.Rate >> 9));
    }
}

/// <summary>Writes the words of a flow and of those behind it.</summary>
public sealed class ManyPlaces(int flows) : Service
{
    private readonly byte[] _seen = new byte[flows];

    public override void Process(ref Frame frame)
    {
        for (var i = 0; i < 9; i++) _seen[Flow.From(frame, flows) + i & flows - 1] = (byte)i;
        frame.ForwardTo(new PortSet(_seen[Flow.To(frame, flows)]));
    }
}

/// <summary>
/// Counts frames and bytes in an array of a few named places, of which one frame writes several; where a frame leaves
/// shows what the frames before it wrote.
/// </summary>
public sealed class NamedPlaces : Service
{
    private const int All = 0, Long = 1, Last = 2, Before = 3;

    private readonly ulong[] _counts = new ulong[4];
    private readonly (uint Bytes, bool IsLong)[] _kinds = new (uint, bool)[2];

    public override void Process(ref Frame frame)
    {
        _counts[All]++;
        if (frame.Length > 100) _counts[Long] += (ulong)frame.Length;
        _counts[Before] = _counts[Last];
        _counts[Last] = _counts[All] + frame.Bytes[5];
        ref var kind = ref _kinds[1];
        kind.Bytes += (uint)frame.Length;
        kind.IsLong = frame.Length > 200;
        _kinds[0] = kind.IsLong ? kind : (kind.Bytes, true);
        frame.ForwardTo(new PortSet(_counts[Before] ^ _kinds[0].Bytes));
    }
}

/// <summary>A table in sets of four ways in one array, over which loops go from a computed place.</summary>
public sealed class SetsOfWays(int flows) : Service
{
    private const int Ways = 4;

    private readonly (ushort Key, byte Age, byte Port)[] _entries = new (ushort, byte, byte)[flows];

    public override void Process(ref Frame frame)
    {
        var key = (ushort)(1 + Flow.From(frame, 64));
        var first = key * 5 % (_entries.Length / Ways) * Ways;
        var place = first + key % Ways;
        for (var at = first; at < first + Ways; at++)
        {
            ref var entry = ref _entries[at];
            if (entry.Key == key)
            {
                entry.Age++;
                frame.ForwardTo(new PortSet((ulong)entry.Port ^ entry.Age));
                return;
            }
            if (entry.Key != 0) continue;
            place = at;
            break;
        }
        _entries[place] = (key, 1, (byte)Flow.Kind(frame));
        frame.Flood();
    }
}

/// <summary>
/// Conversations in sets of two, found by either side, each with a smoothed rate. So many begin as a limit allows; the
/// set depends on what was found, and on a field that says which bytes are the key.
/// </summary>
public sealed class Conversations(int flows) : Service
{
    private const int Ways = 2;
    private const ulong Cost = 900, Most = 4000;

    private readonly (byte First, byte Second, uint Rate)[] _entries = new (byte, byte, uint)[flows];
    private ulong _full;

    public override void Process(ref Frame frame)
    {
        var (from, to) = ((byte)(1 + Flow.From(frame, 128)), (byte)(1 + Flow.To(frame, 128)));
        (byte First, byte Second)? begun;
        var rate = Flow.Kind(frame) >= 3
            ? Follow(frame, (byte)(from ^ frame.Bytes[13]), to, out begun)
            : Follow(frame, from, to, out begun);
        if (begun is { } pair)
        {
            if (!TryTake(frame.Time)) return;
            Add(pair.First, pair.Second, (uint)frame.Length << 16);
        }
        frame.ForwardTo(new PortSet(rate >> 9));
    }

    private uint Follow(in Frame frame, byte from, byte to, out (byte First, byte Second)? begun)
    {
        begun = null;
        var at = Find(from, to);
        if (at < 0) at = Find(to, from);
        if (at < 0)
        {
            if (from != to) begun = (from, to);
            return 0x600;
        }
        ref var entry = ref _entries[at];
        entry.Rate = entry.Rate * 60_001 / 65_521 + (uint)frame.Length * 5531;
        return entry.Rate;
    }

    private int Find(byte first, byte second)
    {
        var start = StartOf(first, second);
        for (var at = start; at < start + Ways; at++)
        {
            if (_entries[at].First == first && _entries[at].Second == second) return at;
        }
        return -1;
    }

    private void Add(byte first, byte second, uint rate)
    {
        var start = StartOf(first, second);
        var place = start;
        for (var at = start; at < start + Ways; at++)
        {
            if (_entries[at].First == 0) place = at;
        }
        _entries[place] = (first, second, rate);
    }

    private bool TryTake(ulong time)
    {
        var isFull = time >= _full;
        if (!isFull && _full - time > Most) return false;
        _full = (isFull ? time : _full) + Cost;
        return true;
    }

    private int StartOf(byte first, byte second) => (first * 3 ^ second) % (_entries.Length / Ways) * Ways;
}
