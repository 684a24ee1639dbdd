using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// A queue between two stages, of frames that wait to be issued: what is known of a frame is written at the end of one
/// stage, and read in front of the next. The frame ahead of all others is in flops, since its rows are compared there.
/// </summary>
internal sealed class IssueQueue
{
    private const int LeastDepth = 32;

    private readonly Netlist _n;
    private readonly Section _section;
    private readonly List<(Value Value, Wire Head, Wire Coming)> _carried = [];
    private readonly Dictionary<Value, (Wire Head, Wire Coming)> _heads = new(ReferenceEqualityComparer.Instance);
    private readonly int _depth;
    private readonly int _slack;
    private readonly bool _isFast;
    private readonly Flop _count;
    private readonly Flop _isNext;

    /// <summary>Declares it.</summary>
    /// <param name="n">The netlist in which it is made.</param>
    /// <param name="framesBefore">The most frames that may still come once there is no room.</param>
    /// <param name="framesInUnits">The frames that may wait for results of units, so that those are kept busy.</param>
    /// <param name="isFast">True if the count is there for both, whether a frame goes on or not.</param>
    public IssueQueue(Netlist n, int framesBefore, int framesInUnits, bool isFast)
    {
        _isFast = isFast;
        _section = n.Begin("issue queue: frames wait for what frames ahead may write, or for loops over their payload");
        (_n, _slack) = (n, framesBefore);
        var frames = (uint)Math.Max(2 * framesBefore, framesInUnits);
        _depth = Math.Max(LeastDepth, (int)BitOperations.RoundUpToPowerOf2(frames));
        _count = n.AddFlop("issue_count", PointerBits + 1, 0, "frames that wait behind the next one");
        _isNext = n.AddFlop("issue_next", 1, 0, "a frame is ahead of all others");
        Issues = n.DeclareWire("issues", 1, "the frame ahead of all others goes on");
    }

    /// <summary>1 when a frame leaves the queue.</summary>
    public Wire Issues { get; }

    /// <summary>True if frames wait.</summary>
    public Value IsOccupied => _n.Or(_isNext, IsQueued);

    /// <summary>The most frames that are between the header window and the stage behind it.</summary>
    public int Capacity => _depth + 2;

    /// <summary>True if there is room for one frame more than those that are on their way.</summary>
    public Value HasRoom => _n.Less(_count, new Constant(_count.Width, (UInt128)(_depth - _slack)));

    private Value IsQueued => _n.Not(_n.Equal(_count, FoldingBuilder.Zero(_count.Width)));

    private int PointerBits => BitOperations.Log2((uint)_depth);

    /// <summary>A value of the stage before, as it is of the frame that is next.</summary>
    public Value Head(Value value) => Carried(value, carried => carried.Head);

    /// <summary>A value of the stage before, as it is of the frame that will be next a cycle later.</summary>
    public Value Coming(Value value) => Carried(value, carried => carried.Coming);

    private Value Carried(Value value, Func<(Wire Head, Wire Coming), Wire> of)
    {
        if (value is Constant) return value;
        if (value is Operation { Opcode: Opcode.Concat } parts)
            return _n.Concat(Carried(parts.Operands[0], of), Carried(parts.Operands[1], of));
        if (_heads.TryGetValue(value, out var known)) return of(known);
        _n.Continue(_section);
        var name = _n.NameOf(value).Name;
        var wires = (
            _n.DeclareWire($"next_{name}", value.Width), _n.DeclareWire($"coming_{name}", value.Width));
        _carried.Add((value, wires.Item1, wires.Item2));
        return of(_heads[value] = wires);
    }

    /// <summary>Connects it, when all that it carries is known.</summary>
    /// <param name="enters">1 when a frame comes.</param>
    /// <param name="mayIssue">True if the frame that is next may go on.</param>
    public void Build(Value enters, Value mayIssue)
    {
        var n = _n;
        n.Continue(_section);
        Issues.Source = n.And(_isNext, mayIssue);
        var loads = n.And(IsQueued, n.Or(n.Not(_isNext), Issues));
        _isNext.Next = n.Or(loads, n.And(_isNext, n.Not(Issues)));
        _count.Next = _isFast ? CountEarly(loads, enters) : Count(loads, enters);
        var (tail, head) = (Pointer("issue_tail", enters), Pointer("issue_head", loads));
        var words = FifoWords.Join(n, _carried.Select(carried => carried.Value)).Select((word, i) =>
        {
            var ram = n.AddRam($"issue_{i}", word.Width, _depth);
            ram.Write = new RamWrite(tail, word, enters);
            var read = n.AddRead($"{ram.Name}_read", ram, head, isRegistered: false);
            var next = n.Registered($"{ram.Name}_next", read, 0, loads);
            return (Next: (Value)next, Coming: n.Select(loads, read, next));
        }).ToList();
        var widths = _carried.ConvertAll(carried => carried.Value.Width);
        var values = FifoWords.Split(n, words.ConvertAll(word => word.Next), widths)
            .Zip(FifoWords.Split(n, words.ConvertAll(word => word.Coming), widths));
        foreach (var (carried, (next, coming)) in _carried.Zip(values))
            (carried.Head.Source, carried.Coming.Source) = (next, coming);
    }

    private Value Count(Value loads, Value enters)
    {
        var n = _n;
        var isLess = Enumerable.Repeat<Value>(n.And(loads, n.Not(enters)), PointerBits).Aggregate(n.Concat);
        return n.Add(_count, n.Concat(isLess, n.Make(Opcode.Xor, 1, loads, enters)));
    }

    /// <summary>The same by a choice of two sums, since it is late that a frame goes on (carry select).</summary>
    private Value CountEarly(Value loads, Value enters)
    {
        var n = _n;
        var one = new Constant(_count.Width, 1);
        return n.Select(
            loads, n.Select(enters, _count, n.Subtract(_count, one)), n.Select(enters, n.Add(_count, one), _count));
    }

    private Flop Pointer(string name, Value moves)
    {
        var pointer = _n.AddFlop(name, PointerBits, 0);
        (pointer.Next, pointer.Enable) = (_n.Add(pointer, new Constant(PointerBits, 1)), moves);
        return pointer;
    }
}
