using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>
/// The beats of frames until their verdict is there, and the output: a frame leaves beat by beat as it came, but for
/// bytes that were written, or its beats are passed over.
/// </summary>
internal sealed class FrameFifo
{
    /// <summary>Room for the beats that come while the last words of a beat's readiness are on the way.</summary>
    private const int Slack = 6;

    private const int LeastDepth = 32;

    private readonly Netlist _n;
    private readonly HeaderWindow _header;
    private readonly HardwareOptions _options;
    private readonly Section _section;
    private int _depth = LeastDepth;
    private Value? _isWithin;

    /// <summary>Declares it.</summary>
    public FrameFifo(Netlist netlist, HardwareOptions options, HeaderWindow header)
    {
        (_n, _options, _header) = (netlist, options, header);
        _section = _n.Begin("frame FIFO: beats wait for the verdict");
    }

    /// <summary>Beats that wait; known when it is built.</summary>
    public Flop Count { get; private set; } = null!;

    /// <summary>True if the slow path has a frame, or a beat of one.</summary>
    public Value IsSlowPathBusy { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>True if the frame whose last beat is accepted is too long to be held.</summary>
    public Value IsTooLong { get; private set; } = FoldingBuilder.Bit(false);

    private int PointerBits => System.Numerics.BitOperations.Log2((uint)_depth);

    /// <summary>The beats of the longest frame.</summary>
    private int MaxBeats => (_options.Capacity + _options.Lanes - 1) / _options.Lanes;

    /// <summary>True if there is room for one more beat after this cycle.</summary>
    public Value HasRoom { get; private set; } = FoldingBuilder.Bit(true);

    /// <summary>1 when a frame's last beat leaves.</summary>
    public Value FrameLeaves { get; private set; } = FoldingBuilder.Bit(false);

    /// <summary>
    /// Makes room for whole frames, since the verdict needs the last beat. A frame that is too long would fill the FIFO
    /// and wait for its last beat: beats beyond the longest frame's are passed over, up to the last one.
    /// </summary>
    /// <param name="cycles">The cycles from a frame's last beat to its verdict.</param>
    public void HoldFrames(int cycles)
    {
        var n = _n;
        n.Continue(_section);
        var most = (_options.Capacity + _options.Lanes - 1) / _options.Lanes;
        _depth = Math.Max(
            LeastDepth, (int)System.Numerics.BitOperations.RoundUpToPowerOf2((uint)(most + 1 + cycles + Slack)));
        var bits = Interval.Of((UInt128)most).Width;
        var beats = n.AddFlop("frame_beats", bits, 0, "accepted of this frame");
        IsTooLong = n.Equal(beats, new Constant(bits, (UInt128)most));
        _isWithin = n.Not(IsTooLong);
        beats.Enable = _header.Accept;
        beats.Next = n.Select(
            _header.IsLast, FoldingBuilder.Zero(bits), n.Select(IsTooLong, beats, n.Add(beats, new Constant(bits, 1))));
    }

    /// <summary>Connects it.</summary>
    /// <param name="hasVerdict">1 in the cycle in which a frame's verdict is there.</param>
    /// <param name="egress">The ports that it leaves by.</param>
    /// <param name="rewriter">The bytes that are written.</param>
    /// <param name="resizer">Gives frames another length; null if all keep theirs.</param>
    /// <param name="isSlow">True if the frame is the slow path's.</param>
    /// <param name="slowPath">
    /// Makes the slow path, given the frames that come to it; null if there is none. Gives what leaves it,
    /// and when it is done with a frame.
    /// </param>
    public void Build(
        Value hasVerdict, Value egress, HeaderRewriter rewriter, FrameResizer? resizer, Value isSlow,
        Func<BeatStream, (BeatStream Sent, Value Finished)>? slowPath)
    {
        var n = _n;
        n.Continue(_section);
        Count = n.AddFlop(
            "fifo_count", PointerBits, 0, "beats in the FIFO; one place stays free, so that equal pointers mean empty");
        var push = _isWithin is null
            ? _header.Accept
            : n.AddWire("fifo_push", n.And(_header.Accept, n.Or(_isWithin, _header.IsLast)));
        var tail = Pointer("fifo_tail", push);
        var pop = n.DeclareWire("fifo_pop", 1, "a beat is taken");
        var head = Pointer("fifo_head", pop);
        var isLess = Enumerable.Repeat<Value>(n.And(pop, n.Not(push)), PointerBits - 1).Aggregate(n.Concat);
        Count.Next = n.Add(Count, n.Concat(isLess, n.Make(Opcode.Xor, 1, pop, push)));
        // A frame whose beats have all been taken may still be leaving: it has a place among the verdicts.
        HasRoom = n.Less(Count, new Constant(PointerBits, (UInt128)(_depth - (resizer is null ? 2 : 3))));

        var data = Stored("fifo_data", _header.Data, push, tail, head);
        var end = Stored("fifo_keep", [n.Concat(_header.IsLast, _header.Keep)], push, tail, head)[0];
        var (isLast, keep) = (n.Extract(end, _options.Lanes, 1), n.Extract(end, 0, _options.Lanes));

        // A frame's tuser and verdict are stored once a frame.
        var isFirst = n.And(push, _header.IsFirst);
        var frameTail = Pointer("frame_tail", isFirst);
        var frameDone = n.DeclareWire("frame_done", 1);
        var frameHead = Pointer("frame_head", frameDone);
        var user = Stored(
            "fifo_user",
            [
                n.Extract(_header.UserNow, AxiStream.TimeLow, AxiStream.UserBits - AxiStream.TimeLow),
                n.Extract(_header.UserNow, 0, AxiStream.DestinationLow),
            ],
            isFirst, frameTail, frameHead);
        var verdictTail = Pointer("verdict_tail", hasVerdict);
        // The written bytes are many bits: they are taken from the RAM only.
        var isDirect = slowPath is null && resizer is null && rewriter.Record.Count == 0;
        List<Value> record = slowPath is null ? [egress] : [egress, isSlow];
        var kept = Stored(
            "verdict", [.. record, .. resizer?.Record ?? [], .. rewriter.Record], hasVerdict, verdictTail, frameHead);
        var has = n.Not(n.Equal(verdictTail, frameHead));
        var ports = n.AddWire(
            "verdict_now", isDirect ? n.Select(has, kept[0], egress) : kept[0], "of the frame whose beat is next");
        var hasBeat = n.And(n.Not(n.Equal(tail, head)), isDirect ? n.Or(has, hasVerdict) : has);
        var raw = new BeatStream(
            data, keep, hasBeat, isLast, n.Concat(n.Concat(user[0], AxiStream.PortField(n, ports)), user[1]), pop);
        var (beats, slow, released) = slowPath is null
            ? (raw, null, FoldingBuilder.Bit(false))
            : BesideSlowPath(raw, kept[1], slowPath);
        var isDropped = n.Equal(ports, FoldingBuilder.Zero(ports.Width));
        var isSlowNow = slowPath is null ? FoldingBuilder.Bit(false) : kept[1];
        kept.RemoveRange(0, record.Count);
        if (resizer is not null)
        {
            var (shaped, isDone) = resizer.Shape(
                beats with { Data = Bytes(data) },
                Next(resizer.BytesAhead, push, tail, head, pop),
                kept,
                isDropped,
                rewriter);
            frameDone.Source = n.Or(isDone, released);
            Leave(shaped, FoldingBuilder.Bit(false), slow);
            FrameLeaves = n.And(shaped.Ready, shaped.IsLast);
            return;
        }
        var leaves = n.And(pop, isLast);
        frameDone.Source = n.Or(n.And(leaves, n.Not(isSlowNow)), released);
        if (rewriter.Beats > 0)
            beats = beats with { Data = rewriter.Apply(Bytes(data), Beats(n, rewriter.Beats, pop, isLast), kept) };
        Leave(beats, isDropped, slow);
        FrameLeaves = n.And(leaves, n.Not(n.Or(isDropped, isSlowNow)));
    }

    /// <summary>
    /// The first bytes of the beat behind the next, with a bit each that says whether it is the frame's,
    /// and whether that beat is there.
    /// </summary>
    private (List<Value> Data, Value Keep, Value IsThere) Next(int bytes, Value push, Flop tail, Flop head, Value pop)
    {
        var n = _n;
        if (bytes == 0) return ([], FoldingBuilder.Zero(1), FoldingBuilder.Bit(false));
        var second = n.AddFlop("fifo_second", PointerBits, 1);
        (second.Next, second.Enable) = (n.Add(second, new Constant(PointerBits, 1)), pop);
        var stored = Stored(
            "fifo_ahead", [.. _header.Data.Take(bytes), n.Extract(_header.Keep, 0, bytes)], push, tail, second);
        return (stored[..bytes], stored[bytes], n.Not(n.Or(n.Equal(tail, head), n.Equal(tail, second))));
    }

    /// <summary>
    /// Leads the slow path's frames into it, and lets no other go on until what leaves it is gone: order is kept, and
    /// so is the frame's <c>tuser</c>. Gives the beats of all others, what leaves the slow path,
    /// and when the FIFO goes on to the next frame.
    /// </summary>
    private (BeatStream Others, BeatStream Slow, Value Released) BesideSlowPath(
        BeatStream beats, Value isSlow, Func<BeatStream, (BeatStream Sent, Value Finished)> slowPath)
    {
        var n = _n;
        var isBusy = n.AddFlop("slow_busy", 1, 0, "the slow path works on a frame");
        var holds = n.AddFlop("slow_holds", 1, 0, "a frame is in the slow path, or what leaves it is");
        var hasBeat = n.And(beats.IsValid, n.Not(holds));
        var taken = n.DeclareWire("slow_takes", 1);
        var others = n.DeclareWire("others_taken", 1);
        var (sent, finished) = slowPath(
            beats with { Data = Bytes(beats.Data), IsValid = n.And(hasBeat, isSlow), Ready = taken });
        n.Continue(_section);
        var takes = n.And(n.And(hasBeat, isSlow), taken);
        beats.Ready.Source = n.Or(takes, others);
        IsSlowPathBusy = holds;
        isBusy.Next = n.Or(n.And(takes, beats.IsLast), n.And(isBusy, n.Not(finished)));
        var released = n.AddWire("slow_released", n.And(holds, n.Not(n.Or(isBusy, sent.IsValid))));
        holds.Next = n.Or(n.And(takes, beats.IsLast), n.And(holds, n.Not(released)));
        return (beats with { IsValid = n.And(hasBeat, n.Not(isSlow)), Ready = others }, sent, released);
    }

    /// <summary>The position of the next beat in its frame, a bit for each of the first ones.</summary>
    public static List<Value> Beats(Netlist n, int count, Value pop, Value isLast)
    {
        var beats = new List<Flop>();
        for (var i = 0; i < count; i++)
        {
            var beat = n.AddFlop($"leaving_beat_{i}", 1, i == 0 ? 1u : 0u);
            (beat.Next, beat.Enable) = (i == 0 ? isLast : n.And(beats[i - 1], n.Not(isLast)), pop);
            beats.Add(beat);
        }
        return [.. beats];
    }

    private List<Value> Bytes(IReadOnlyList<Value> words) =>
        [.. words.SelectMany(word => Enumerable.Range(0, word.Width / 8).Select(i => _n.Extract(word, 8 * i, 8)))];

    /// <summary>The output: of the frames of the FIFO, or of the slow path, whose narrower beats it gathers.</summary>
    private void Leave(BeatStream beats, Value isDropped, BeatStream? slow)
    {
        var n = _n;
        n.Begin("output");
        var valid = n.AddFlop("m_axis_tvalid", 1, 0);
        var ready = new InputBits(n.Input("m_axis_tready", 1), 0, 1);
        var isFree = n.Or(n.Not(valid), ready);
        beats.Ready.Source = n.And(beats.IsValid, n.Or(isFree, isDropped));
        var load = n.AddWire("load", n.And(beats.IsValid, n.And(isFree, n.Not(isDropped))));
        var data = Bytes(beats.Data);
        if (slow is not null)
        {
            slow.Ready.Source = isFree;
            data = [.. data.Select((octet, i) => n.Select(slow.IsValid, slow.Data[i % slow.Data.Count], octet))];
        }
        var isPart = slow is null ? [FoldingBuilder.Bit(true)] : Parts(slow, isFree);
        if (slow is not null) load = n.Or(load, n.And(n.And(slow.IsValid, isFree), n.Or(isPart[^1], slow.IsLast)));
        // The first part clears what is kept of those that may not come.
        List<Value> loads = [.. isPart.Select(part =>
            slow is null ? isFree : n.And(isFree, n.ReduceOr([n.Not(slow.IsValid), isPart[0], part])))];
        Value Either(Value ofFifo, Value? ofSlow) => ofSlow is null ? ofFifo : n.Select(slow!.IsValid, ofSlow, ofFifo);
        valid.Next = n.Or(load, n.And(valid, n.Not(ready)));

        var lanes = _options.Lanes / loads.Count;
        n.Output("m_axis_tdata", [.. loads.SelectMany((load, part) =>
            Words(data[(part * lanes)..((part + 1) * lanes)])
                .Select((word, i) => (Value)n.RegisteredPart("m_axis_tdata", -i, word, load)))]);
        n.Output("m_axis_tkeep", [.. loads.Select((load, part) => (Value)n.RegisteredPart(
            "m_axis_tkeep",
            -part,
            Either(
                n.Extract(beats.Keep, part * lanes, lanes),
                slow is null ? null : n.Select(isPart[part], slow.Keep, FoldingBuilder.Zero(lanes))),
            load))]);
        n.Output("m_axis_tvalid", valid);
        n.Output("m_axis_tlast", n.Registered("m_axis_tlast", Either(beats.IsLast, slow?.IsLast), 0, isFree));
        n.Output("m_axis_tuser", n.Registered("m_axis_tuser", Either(beats.User, slow?.User), 0, isFree));
    }

    /// <summary>The part of the output that the slow path's next beat is, a bit for each part.</summary>
    private List<Value> Parts(BeatStream slow, Value isFree)
    {
        var count = _options.Lanes / slow.Data.Count;
        if (count == 1) return [FoldingBuilder.Bit(true)];
        var parts = Enumerable.Range(0, count).Select(i => _n.AddFlop($"slow_part_{i}", 1, i == 0 ? 1u : 0u)).ToList();
        for (var i = 0; i < count; i++)
        {
            parts[i].Next = i == 0 ? _n.Or(slow.IsLast, parts[^1]) : _n.And(parts[i - 1], _n.Not(slow.IsLast));
            parts[i].Enable = _n.And(slow.IsValid, isFree);
        }
        return [.. parts];
    }

    private Flop Pointer(string name, Value moves)
    {
        var pointer = _n.AddFlop(name, PointerBits, 0);
        (pointer.Next, pointer.Enable) = (_n.Add(pointer, new Constant(PointerBits, 1)), moves);
        return pointer;
    }

    /// <summary>RAMs that hold values, in words of up to 128 bits.</summary>
    private List<Value> Stored(string name, IReadOnlyList<Value> values, Value push, Value tail, Value head)
    {
        var words = Words(values);
        var reads = words.Select((word, i) =>
        {
            var ram = _n.AddRam(words.Count > 1 ? $"{name}_{i}" : name, word.Width, _depth);
            ram.Write = new RamWrite(tail, word, push);
            return (Value)_n.AddRead($"{ram.Name}_read", ram, head, isRegistered: false);
        }).ToList();
        return Split(reads, values);
    }

    /// <summary>Values side by side, in words of up to 128 bits.</summary>
    private List<Value> Words(IReadOnlyList<Value> values)
    {
        var words = new List<Value>();
        foreach (var value in values)
        {
            if (words.Count > 0 && words[^1].Width + value.Width <= Value.MaxWidth)
                words[^1] = _n.Concat(value, words[^1]);
            else words.Add(value);
        }
        return words;
    }

    private List<Value> Split(List<Value> words, IReadOnlyList<Value> values)
    {
        // A bus is given back in words, which are as good as bytes where nobody looks inside.
        if (ReferenceEquals(values, _header.Data)) return words;
        var parts = new List<Value>();
        var (word, low) = (0, 0);
        foreach (var value in values)
        {
            if (low == words[word].Width) (word, low) = (word + 1, 0);
            parts.Add(_n.Extract(words[word], low, value.Width));
            low += value.Width;
        }
        return parts;
    }
}
