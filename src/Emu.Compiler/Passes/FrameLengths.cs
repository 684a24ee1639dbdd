using System.Collections.Immutable;
using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Follows the frame's length through a function without loops, and says what a pipeline cannot do. It can move all
/// bytes behind an offset, by constants or to the front by what is computed, and cut the frame or fill it up: the bytes
/// that came, moved, and zeros behind them.
/// </summary>
internal sealed class FrameLengths
{
    /// <summary>The relation of the bytes that are there to the frame's length.</summary>
    private enum Kind
    {
        /// <summary>There are as many bytes as the length says.</summary>
        Exact,

        /// <summary>There are as many bytes or fewer; zeros follow.</summary>
        Filled,

        /// <summary>There may be more bytes.</summary>
        Cut,

        /// <summary>
        /// Bytes were moved, to the front or not all; those from before still follow them, and must be cut off.
        /// </summary>
        Overlong,

        /// <summary>
        /// The frame was cut, and is longer again: bytes that were cut off are where bytes of 0 belong, until all in
        /// front of them are moved over them. That is the next use of the frame.
        /// </summary>
        Grown,

        /// <summary>The relation depends on the way to this place.</summary>
        Unknown,
    }

    /// <summary>The known facts at a place.</summary>
    /// <param name="Kind">The relation of bytes to length.</param>
    /// <param name="Length">The frame's length; null if that depends on the way.</param>
    /// <param name="End">Behind the bytes that are there; null if that depends on the way.</param>
    /// <param name="Cut">
    /// The length to which the frame must be cut, behind bytes that were moved to its front; or to which it was, before
    /// it grew.
    /// </param>
    /// <param name="Shifts">The moves of bytes that may have been made; null stands for none.</param>
    private sealed record State(
        Kind Kind, LinearForm? Length, LinearForm? End, LinearForm? Cut, ImmutableHashSet<FrameShift?> Shifts)
    {
        public bool IsMoved => Shifts.Any(shift => shift is not null);

        /// <summary>True if the frame may be longer than its bytes: zeros follow, which did not come with it.</summary>
        public bool MayBeFilled { get; init; }

        /// <summary>
        /// True if the frame may have been cut before its bytes were moved to the front: cut once more there are more.
        /// </summary>
        public bool WasCut { get; init; }

        /// <summary>True if bytes of 0 may stand for all that came.</summary>
        public bool IsCleared { get; init; }

        /// <summary>Behind the last byte that may have been written.</summary>
        public UInt128 Written { get; init; }

        /// <summary>The first byte that a loop may have written.</summary>
        public UInt128 Mapped { get; init; } = UInt128.MaxValue;

        /// <summary>True if a loop may have written bytes.</summary>
        public bool IsMapped => Mapped < UInt128.MaxValue;

        /// <summary>In front of this offset no byte has moved by a distance that is computed.</summary>
        public UInt128 Resting { get; init; } = UInt128.MaxValue;

        /// <summary>In front of this offset no byte has been written at an offset that is computed.</summary>
        public UInt128 Placed { get; init; } = UInt128.MaxValue;

        /// <summary>The copies of tables that may have been made: they are put in over all other bytes.</summary>
        public ImmutableHashSet<Operation> Loads { get; init; } = [];

        /// <summary>True if bytes may have moved by a distance that is computed.</summary>
        public bool IsShifted => Resting < UInt128.MaxValue;
    }

    /// <summary>The most bytes that are put in one by one where bytes move.</summary>
    private const int MostPutIn = 256;

    /// <summary>The most ways in which bytes move: each is a choice of each byte of a beat.</summary>
    private const int MostShifts = 6;

    /// <summary>The most writes at offsets that are computed: those at one place share a shifter.</summary>
    private const int MostPlaced = 24;

    /// <summary>The most copies of tables into the frame: each has banks of its own.</summary>
    private const int MostLoads = 8;

    /// <summary>The most copies that are sent, on all ways together: each has a record of its own.</summary>
    private const int MostCopies = 8;

    /// <summary>
    /// The longest frame that is filled up where it was cut: the bytes between are put in one by one.
    /// </summary>
    private const int MostRefilled = 64;

    /// <summary>The bytes of a beat of the narrowest bus.</summary>
    private const int LeastBeat = 8;

    /// <summary>More bits than any place has.</summary>
    private const int WholeBits = 64;

    /// <summary>Stands for the length with which the frame came.</summary>
    private static readonly Operation s_firstLength = new(Opcode.Input, 32) { Input = FrameInput.Length };

    private const string ChangedAgain = "the frame changes its length again after it was cut";
    private const string MapsAndLoads = "bytes come of a table where others are written by a loop";
    private const string MovedAgain = "bytes are moved by a distance that is computed, and by another";

    private readonly int _bits;
    private readonly UInt128 _capacity;
    private readonly PathRanges _ranges;
    private readonly Dictionary<Block, State> _atEnd = [];
    private readonly HashSet<Operation> _refused = [], _placed = [];
    private readonly List<(Operation Move, Block Block)> _stopped = [];
    private readonly List<(Operation Change, UInt128 First, UInt128 End)> _refilled = [];
    private Block _block = null!;
    private State _now = null!;
    private int _copies, _loads, _maps;

    /// <summary>Begins.</summary>
    /// <param name="capacity">The most bytes of a frame.</param>
    /// <param name="ranges">The numbers that values can be.</param>
    public FrameLengths(int capacity, PathRanges ranges) =>
        (_capacity, _bits, _ranges) = ((UInt128)capacity, Interval.Of((UInt128)capacity).Width, ranges);

    /// <summary>
    /// The moves by a distance that is computed, and the writes at such offsets, which a pipeline cannot do; and such
    /// writes which it cannot for what follows them; and checksums of bytes that have moved.
    /// </summary>
    public IReadOnlySet<Operation> Refused => _refused;

    /// <summary>
    /// The moves by a distance that is computed behind which, in a block, there is what a pipeline cannot do then.
    /// </summary>
    public IReadOnlyList<(Operation Move, Block Block)> Stopped => _stopped;

    /// <summary>
    /// The changes by which a frame is filled up that may have been cut before: bytes that were cut off are put in as 0
    /// from the first offset to the end.
    /// </summary>
    public IReadOnlyList<(Operation Change, UInt128 First, UInt128 End)> Refilled => _refilled;

    /// <summary>Goes on at a block, all of whose predecessors have been left or are never passed.</summary>
    public void Enter(Block block)
    {
        _block = block;
        var before = block.Predecessors.Where(_atEnd.ContainsKey).Select(p => _atEnd[p]).ToList();
        _now = before.Count > 0
            ? before.Aggregate(Joined)
            : new State(Kind.Exact, FirstLength, null, null, [null]);
        if (_now.Length is null && block.Phis.Find(phi => IsLength(phi, block)) is { } joined)
            _now = _now with { Length = LinearForm.Itself(_bits, joined) };
    }

    /// <summary>True if a block has been left.</summary>
    public bool HasLeft(Block block) => _atEnd.ContainsKey(block);

    /// <summary>Leaves a block.</summary>
    public void Leave(Block block) => _atEnd[block] = _now;

    /// <summary>Notes an operation; gives why a pipeline cannot do it, or null.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="next">Those behind it in its block.</param>
    public string? Note(Operation operation, IEnumerable<Operation> next)
    {
        var why = Follow(operation, next);
        if (why is null) return null;
        if (_now.IsShifted)
            foreach (var move in _now.Shifts.Select(shift => shift?.Computed).OfType<Operation>())
                _stopped.Add((move, _block));
        if (_now.Placed < UInt128.MaxValue) _refused.UnionWith(_placed);
        if (operation.Opcode is Opcode.FrameMove or Opcode.FrameWrite or Opcode.FrameLoad or Opcode.FrameSum)
            _refused.Add(operation);
        return why;
    }

    private string? Follow(Operation operation, IEnumerable<Operation> next)
    {
        switch (operation.Opcode)
        {
            case Opcode.FrameRead or Opcode.FrameSum when _now.IsShifted && EndOfRead(operation) > _now.Resting:
                return "bytes are looked at that were moved by a distance that is computed";
            case Opcode.FrameRead or Opcode.FrameSum when EndOfRead(operation) > _now.Placed:
                return "bytes are looked at that may have been written at an offset that is computed";
            case Opcode.FrameRead or Opcode.FrameSum when _now.Kind is Kind.Overlong or Kind.Unknown:
                return "the frame is read before it is cut behind bytes that were moved to its front";
            case Opcode.FrameSum
                when operation.Operands[1] is not Constant
                && (_now.IsMoved || _now.MayBeFilled && !LateSums.IsLate(operation)):
                return "a checksum of a length that is computed covers bytes that were moved or filled up";
            case Opcode.Send:
                if (_now.Kind is Kind.Overlong or Kind.Unknown)
                    return "a copy is sent before the frame is cut behind bytes that were moved to its front";
                _copies++;
                return _copies > MostCopies ? $"by one frame more copies are sent than {MostCopies}" : null;
            case Opcode.FrameFold when _now.IsMoved || _now.Kind != Kind.Exact:
                return "a loop goes over bytes that were moved or filled up";
            case Opcode.FrameFold when _now.Written > ((Constant)operation.Operands[0]).Bits || _now.IsMapped:
                return "a loop goes over bytes that were written before";
            case Opcode.FrameMap:
                return Map(((Constant)operation.Operands[0]).Bits);
            case Opcode.FrameLoad:
                return Load(operation);
            case Opcode.FrameWrite when _now.Loads.Any(load => !IsBeside(operation, load)):
                return "bytes that come of a table may be written again";
            case Opcode.FrameWrite when operation.Operands[0] is not Constant:
                return WriteAt(operation);
            case Opcode.FrameWrite when EndOf(operation) > _now.Mapped:
                return "bytes that a loop has written are written again";
            case Opcode.FrameWrite when EndOf(operation) > _now.Placed:
                return "bytes that were written at an offset that is computed may be written again";
            case Opcode.FrameWrite:
                _now = _now with
                {
                    Written = UInt128.Max(_now.Written, EndOf(operation)),
                };
                return null;
            case Opcode.FrameResize:
                return Resize(operation, next);
            case Opcode.FrameMove:
                return Move(operation, next);
            default:
                return null;
        }
    }

    /// <summary>Behind the last byte of a write.</summary>
    private static UInt128 EndOf(Operation write) =>
        ((Constant)write.Operands[0]).Bits + (UInt128)(write.Operands[1].Width / 8);

    /// <summary>Notes a write at an offset that is computed: of bytes that are put in last.</summary>
    private string? WriteAt(Operation write)
    {
        if (_now.IsMapped) return "bytes that a loop has written are written again";
        _placed.Add(write);
        if (_placed.Count > MostPlaced) return $"more than {MostPlaced} writes are at offsets that are computed";
        var least = UInt128.Min(_now.Placed, _ranges.At(_block, write.Operands[0]).Min);
        _now = _now with { Placed = least, Written = _capacity };
        return null;
    }

    /// <summary>Notes bytes that come of a table: they are put in over those of all windows.</summary>
    private string? Load(Operation load)
    {
        if (_now.IsMapped) return "bytes that a loop has written are written again";
        if (_maps > 0) return MapsAndLoads;
        _loads++;
        if (_loads > MostLoads) return $"bytes come of tables at more than {MostLoads} places";
        var least = UInt128.Min(_now.Placed, _ranges.At(_block, load.Operands[0]).Min);
        _now = _now with { Placed = least, Written = _capacity, Loads = _now.Loads.Add(load) };
        return null;
    }

    /// <summary>True if a write is behind all bytes that come of a table, or in front of them.</summary>
    private bool IsBeside(Operation write, Operation load)
    {
        var (place, first) = (Whole(write.Operands[0]), Whole(load.Operands[0]));
        bool IsSure(LinearForm distance) => distance.Least(value => _ranges.At(_block, value)) >= 0;
        return IsSure(place.Minus(first.Plus(Whole(load.Operands[2]))))
            || IsSure(first.Minus(place.Plus((UInt128)(write.Operands[1].Width / 8))));
    }

    /// <summary>Behind the last byte that is read; without end if that is computed.</summary>
    private static UInt128 EndOfRead(Operation read) => (read.Opcode, read.Operands) switch
    {
        (Opcode.FrameRead, [Constant offset]) => offset.Bits + (UInt128)(read.Width / 8),
        (Opcode.FrameSum, [Constant offset, Constant count]) => offset.Bits + count.Bits,
        _ => UInt128.MaxValue,
    };

    /// <summary>Notes a loop that writes bytes from an offset on.</summary>
    private string? Map(UInt128 start)
    {
        if (_now.IsMoved || _now.Kind >= Kind.Overlong) return "a loop goes over bytes that were moved or filled up";
        if (_now.Written > start || _now.IsCleared) return "a loop goes over bytes that were written before";
        if (_loads > 0) return MapsAndLoads;
        _maps++;
        _now = _now with { Mapped = UInt128.Min(_now.Mapped, start) };
        return null;
    }

    /// <summary>The reason why the frame cannot leave as it is; null if it can.</summary>
    public string? AtReturn() =>
        _now.Kind is Kind.Overlong or Kind.Unknown
            ? "bytes are moved to the frame's front, and it is not cut behind them"
            : null;

    private string? Resize(Operation change, IEnumerable<Operation> next)
    {
        var (old, length) = (Form(change.Operands[0]), Form(change.Operands[1]));
        var (mayShrink, mayGrow) = Ways(change, length.Minus(old));
        var before = _now;
        _now = _now with { Length = length, MayBeFilled = before.MayBeFilled || mayGrow };
        switch (before.Kind)
        {
            case Kind.Exact:
                if (mayShrink || mayGrow)
                    _now = _now with { Kind = mayShrink ? Kind.Cut : Kind.Filled, End = old };
                return null;
            case Kind.Filled:
                if (mayShrink) _now = _now with { Kind = Kind.Cut };
                return null;
            case Kind.Overlong when length == before.Cut:
                _now = _now with
                {
                    Kind = before.WasCut ? Kind.Cut : before.Cut == before.End ? Kind.Exact : Kind.Filled,
                    WasCut = false,
                };
                return null;
            case Kind.Cut when !mayGrow:
                return null;
            case Kind.Cut when !mayShrink && next.FirstOrDefault(Accesses) is { Opcode: Opcode.FrameMove }:
                _now = _now with { Kind = Kind.Grown, Cut = old };
                return null;
            case Kind.Cut when Constant.Is(change.Operands[0], 0) && !_now.IsMoved && !_now.IsMapped
                && _now.Placed == UInt128.MaxValue:
                _now = _now with { Kind = Kind.Filled, End = LinearForm.Of(_bits, 0), IsCleared = true };
                return null;
            case Kind.Cut when MayRefill(change) is var (first, end):
                _refilled.Add((change, first, end));
                _now = _now with { Written = UInt128.Max(_now.Written, end) };
                return null;
            default:
                return ChangedAgain;
        }
    }

    /// <summary>
    /// The bytes that have to be put in where a frame that was cut is filled up; null where they are too many, or
    /// others are put in over them.
    /// </summary>
    private (UInt128 First, UInt128 End)? MayRefill(Operation change)
    {
        var end = _ranges.At(_block, change.Operands[1]).Max;
        return end <= MostRefilled && end <= UInt128.Min(_now.Placed, _now.Mapped)
            ? (_ranges.At(_block, change.Operands[0]).Min, end)
            : null;
    }

    /// <summary>The ways in which a length may change, by the difference or by what each may be.</summary>
    private (bool MayShrink, bool MayGrow) Ways(Operation change, LinearForm difference)
    {
        if (difference.IsNumber && Signed(difference.Number) is { } growth) return (growth < 0, growth > 0);
        var (old, length) = (_ranges.At(_block, change.Operands[0]), _ranges.At(_block, change.Operands[1]));
        return (length.Min < old.Max, length.Max > old.Min);
    }

    /// <summary>True if an operation looks at the frame, or changes more of it than bytes at one place.</summary>
    private static bool Accesses(Operation operation) => operation.Opcode is Opcode.FrameRead or Opcode.FrameSum
        or Opcode.FrameFold or Opcode.Send or Opcode.FrameResize or Opcode.FrameMove;

    private string? Move(Operation move, IEnumerable<Operation> next)
    {
        var (from, to) = (Form(move.Operands[0]), Form(move.Operands[1]));
        var isComputed = move.Operands is not [Constant, Constant, _];
        if (_now.IsShifted) return MovedAgain;
        if (_now.IsCleared) return "bytes are moved of a frame that was made anew";
        if (_now.Placed < UInt128.MaxValue) return "bytes are moved behind a write at an offset that is computed";
        if (!isComputed && from == to) return null;
        if (_now.IsMapped) return "bytes that a loop has written are moved";
        if (isComputed && RefusalOfComputed(move) is { } why) return why;
        return Move(
            move, from.Plus(Form(move.Operands[2])), to.Minus(from), isComputed || to.Number < from.Number, next);
    }

    /// <summary>The reason why bytes cannot be moved by a distance that is computed; null if they can.</summary>
    private string? RefusalOfComputed(Operation move)
    {
        var way = Whole(move.Operands[0]).Minus(Whole(move.Operands[1]));
        if (way.Least(value => _ranges.At(_block, value)) is not { } least || least < 0)
            return "bytes are moved to the back by a distance that is computed";
        if (_now.Shifts.Any(shift => shift is not null)) return MovedAgain;
        return _now.Written > _ranges.At(_block, move.Operands[1]).Min
            ? "bytes that were written are moved by a distance that is computed"
            : null;
    }

    private string? Move(
        Operation move, LinearForm end, LinearForm distance, bool isForwards, IEnumerable<Operation> next)
    {
        var there = EndOf(_now);
        LinearForm? Moved(LinearForm? sum) => sum?.Plus(distance);
        var isAll = _now.Kind switch
        {
            Kind.Overlong => end == there || end == _now.Cut,
            Kind.Grown => end == _now.Cut,
            Kind.Cut => end == _now.Length,
            _ => end == there || end == _now.Length,
        };
        var isWhole = _now.Kind is Kind.Exact or Kind.Filled || _now.Kind is Kind.Overlong or Kind.Cut && isForwards
            || _now.Kind == Kind.Grown && Moved(end) == _now.Length;
        // A move that takes some bytes up to the frame's end, or a cut behind them, has taken all and cut the rest off.
        var isPart = !(isWhole && isAll);
        var isUpToEnd = !isForwards && Moved(end) == _now.Length;
        if (isPart && (_now.Kind > Kind.Cut || !isUpToEnd && !IsCutTo(Moved(end)!, next)))
            return "bytes are moved, but not all up to the frame's end";
        ImmutableHashSet<FrameShift?> shifts = [.. _now.Shifts.Select(before => FrameShift.Behind(before, move))];
        if (shifts.Count > MostShifts) return $"bytes are moved in more than {MostShifts} ways";
        if (shifts.Any(shift => shift!.PutIn(LeastBeat).Count() > MostPutIn))
            return $"bytes are moved behind more than {MostPutIn} others";
        _now = _now with { End = Moved(there), Shifts = shifts };
        if (shifts.Any(shift => shift!.Computed is not null))
            _now = _now with { Resting = _ranges.At(_block, move.Operands[1]).Min };
        // Bytes that are moved to the back lie within the frame, or a fault had ended the event.
        if (isPart && isUpToEnd) _now = _now with { Kind = Kind.Cut };
        else if (isPart || isForwards) _now = _now with
        {
            Kind = Kind.Overlong,
            Cut = Moved(end),
            WasCut = _now.WasCut || isPart || _now.Kind == Kind.Cut,
        };
        else if (_now.Kind == Kind.Grown) _now = _now with { Kind = Kind.Cut, Cut = null };
        else _now = _now with { Kind = _now.End is not null && _now.End == _now.Length ? Kind.Exact : Kind.Filled };
        return null;
    }

    /// <summary>True if the frame gets a length before anything else uses it.</summary>
    private bool IsCutTo(LinearForm length, IEnumerable<Operation> next)
    {
        for (var block = _block; block is not null; block = Edges.OnlyNext(block), next = block?.Operations ?? [])
        {
            if (next.FirstOrDefault(Accesses) is { } access)
                return access.Opcode == Opcode.FrameResize && Form(access.Operands[1]) == length;
        }
        return false;
    }

    /// <summary>Behind the bytes that are there; null if it is not known.</summary>
    private static LinearForm? EndOf(State state) => state.Kind == Kind.Exact ? state.Length : state.End;

    /// <summary>True if a phi joins the frame's lengths on all ways to its block.</summary>
    private bool IsLength(Phi phi, Block block) => block.Predecessors.Index().All(way =>
        !_atEnd.TryGetValue(way.Item, out var before)
        || before.Length is { } length && Form(phi.Operands[way.Index]) == length);

    private static State Joined(State a, State b) => new(
        a.Kind == b.Kind && (a.Kind != Kind.Overlong || a.Cut == b.Cut) ? a.Kind
            : a.Kind >= Kind.Overlong || b.Kind >= Kind.Overlong ? Kind.Unknown
            : (Kind)Math.Max((int)a.Kind, (int)b.Kind),
        a.Length == b.Length ? a.Length : null,
        EndOf(a) == EndOf(b) ? EndOf(a) : null,
        a.Cut == b.Cut ? a.Cut : null,
        a.Shifts.Union(b.Shifts))
    {
        MayBeFilled = a.MayBeFilled || b.MayBeFilled,
        WasCut = a.WasCut || b.WasCut,
        IsCleared = a.IsCleared || b.IsCleared,
        Written = UInt128.Max(a.Written, b.Written),
        Mapped = UInt128.Min(a.Mapped, b.Mapped),
        Resting = UInt128.Min(a.Resting, b.Resting),
        Placed = UInt128.Min(a.Placed, b.Placed),
        Loads = a.Loads.Union(b.Loads),
    };

    private LinearForm FirstLength => LinearForm.Itself(_bits, s_firstLength);

    /// <summary>A difference of two lengths; null if it might be of either sign.</summary>
    private Int128? Signed(UInt128 number)
    {
        var whole = UInt128.One << _bits;
        number &= whole - 1;
        return number < whole - _capacity ? (Int128)number : number > _capacity ? (Int128)number - (Int128)whole : null;
    }

    /// <summary>A length, or a place, modulo a power of two that no length reaches.</summary>
    private LinearForm Form(Value value) => Form(value, _bits);

    /// <summary>A place as it is: no sum in it has a carry.</summary>
    private LinearForm Whole(Value value) => Form(value, WholeBits);

    private LinearForm Form(Value value, int bits) => LinearForm.Of(
        value, bits, part => _ranges.AtChoice(_block, part),
        part => part is Operation { Opcode: Opcode.Input, Input: FrameInput.Length } ? s_firstLength : null);
}
