using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Engines;

/// <summary>
/// The one unit that takes checksums over the frame, for all places of the program: a word a cycle by the frame's
/// read port, which is free, since the program waits for it.
/// </summary>
internal sealed class ChecksumUnit(EngineDesign design)
{
    private const int WordBytes = 2;

    private readonly Netlist _n = design.Netlist;
    private readonly List<(Value Condition, Value Offset, Value Length, EngineState Next)> _requests = [];
    private Wire? _sum;

    /// <summary>The Internet checksum that was requested last.</summary>
    public Wire Sum => _sum ??= _n.DeclareWire("sum", 16, "of the words so far, when its carry is added");

    /// <summary>Requests a checksum; it is there in a state, which begins then.</summary>
    public void Request(Value condition, Value offset, Value length, EngineState next) =>
        _requests.Add((condition, offset, length, next));

    /// <summary>Makes it, when all requests are known.</summary>
    public void Build()
    {
        if (_requests.Count == 0) return;
        var n = _n;
        n.Begin("checksum: a word a cycle");
        var starts = n.AddWire("sum_starts", n.ReduceOr(_requests.Select(s => s.Condition)));
        var place = n.AddFlop("sum_place", design.LengthBits, 0, "of the next word");
        var left = n.AddFlop("sum_left", design.LengthBits, 0, "bytes from there on");
        var busy = n.AddFlop("sum_busy", 1, 0);
        var isLast = n.Not(n.Less(design.Length(WordBytes), left));
        busy.Next = n.Or(starts, n.And(busy, n.Not(isLast)));
        (place.Next, place.Enable) = (
            n.Select(starts, Requested(s => s.Offset), n.Add(place, design.Length(WordBytes))), n.Or(starts, busy));
        (left.Next, left.Enable) = (
            n.Select(starts, Requested(s => s.Length), n.Subtract(left, design.Length(WordBytes))),
            n.Or(starts, busy));

        // A last byte alone is a high one, and without words zeros are added, which adds the carry.
        var bytes = design.Frame.Read(busy, place, WordBytes);
        var reads = WithBytes(busy);
        var hasHigh = WithBytes(n.And(busy, n.Not(n.Equal(left, design.Length(0)))));
        var hasLow = WithBytes(n.And(busy, n.Less(design.Length(1), left)));
        var word = n.Registered("sum_word", n.Concat(
            n.Select(hasHigh, bytes[0], FoldingBuilder.Zero(8)), n.Select(hasLow, bytes[1], FoldingBuilder.Zero(8))),
            0);
        var total = n.AddFlop("sum_total", 17, 0, "and its carry");
        // The carry comes in by a bit of its own below.
        var low = n.Extract(total, 0, 16);
        var added = n.Add(
            n.Concat(n.Resize(low, 17), new Constant(1, 1)), n.Concat(n.Resize(word, 17), n.Extract(total, 16, 1)));
        total.Next = n.Select(starts, FoldingBuilder.Zero(17), n.Extract(added, 1, 17));
        Sum.Source = low;

        var adds = n.Registered("sum_adds", reads, 0);
        var carries = n.Registered("sum_carries", adds, 0);
        var done = n.AddWire("sum_done", n.And(carries, n.Not(adds)));
        foreach (var (condition, _, _, next) in _requests)
        {
            var resume = n.AddFlop("sum_resume", 1, 0, "this state waits for the sum");
            resume.Next = n.Or(condition, n.And(resume, n.Not(done)));
            next.Active.Next = n.Or(next.Active.Next, n.And(resume, done));
        }
    }

    /// <summary>Delays a value about a read until the read's bytes are there.</summary>
    private Value WithBytes(Value value) =>
        Enumerable.Range(0, design.Frame.ReadCycles).Aggregate(value, (at, _) => _n.Registered("sum_reads", at, 0));

    private Value Requested(
        Func<(Value Condition, Value Offset, Value Length, EngineState Next), Value> operand) => _n.SelectOneHot(
        design.LengthBits, _requests.Select(s => (s.Condition, _n.Resize(operand(s), design.LengthBits))));
}
