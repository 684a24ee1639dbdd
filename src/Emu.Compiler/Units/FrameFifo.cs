using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>The signals of a frame FIFO to the units around it.</summary>
/// <param name="Count">Beats that wait.</param>
/// <param name="HasRoom">True if there is room for one more beat after this cycle.</param>
/// <param name="FrameLeaves">1 when a frame's last beat leaves.</param>
/// <param name="IsSlowPathBusy">True if the slow path has a frame, or a beat of one.</param>
/// <param name="IsSlowPathOpen">
/// True from when an event of the slow path begins to wait for a frame until that frame is handled.
/// </param>
/// <param name="IsSlowPathWaiting">True while it has not got a whole frame.</param>
/// <param name="IsSlowPathReleased">1 when the slow path is done with a frame, and what leaves it is gone.</param>
/// <param name="IsLeaving">True while a frame that leaves uses state of the service.</param>
internal sealed record FrameFifoSignals(
    Flop Count, Value HasRoom, Value FrameLeaves, Value IsSlowPathBusy, Value IsSlowPathOpen, Value IsSlowPathWaiting,
    Value IsSlowPathReleased, Value IsLeaving);

/// <summary>
/// The beats of frames until their verdict is there, and the output: a frame leaves beat by beat as it came, but for
/// bytes that were written, or its beats are passed over.
/// </summary>
internal sealed class FrameFifo
{
    /// <summary>Room for the beats that come while the last words of a beat's readiness are on the way.</summary>
    private const int Slack = 6;

    private const int LeastDepth = 32;

    /// <summary>
    /// The bytes of the frames of which several are held, one for each unit that goes over frames in turn; of longer
    /// ones fewer are, and some of the units wait.
    /// </summary>
    private const int HeldBytes = 512;

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

    private int PointerBits => BitOperations.Log2((uint)_depth);

    /// <summary>Makes room for the beats that come until a frame's verdict is there, one in each cycle.</summary>
    /// <param name="cycles">The cycles from the beat that completes the header to the verdict.</param>
    public void HoldBeats(int cycles) => MakeRoom(_header.Beats + cycles);

    private void MakeRoom(int beats) =>
        _depth = Math.Max(_depth, (int)BitOperations.RoundUpToPowerOf2((uint)(beats + 1 + Slack)));

    /// <summary>
    /// Makes room for whole frames, since the verdict needs the last beat. A frame that is too long would fill the FIFO
    /// and wait for its last beat: beats beyond the longest frame's are passed over, up to the last one.
    /// </summary>
    /// <param name="cycles">The cycles from a frame's last beat to its verdict.</param>
    /// <param name="frames">The frames that wait for their verdicts at the same time.</param>
    /// <returns>True if the frame whose last beat is accepted is too long to be held.</returns>
    public Value HoldFrames(int cycles, int frames)
    {
        MakeRoom(Math.Max(MostBeats, frames * HeldBytes / _options.Lanes) + cycles);
        _isWithin = _n.Not(IsTooLong);
        return IsTooLong;
    }

    /// <summary>The beats of the longest frame.</summary>
    public int MostBeats => (_options.Capacity + _options.Lanes - 1) / _options.Lanes;

    /// <summary>True if the frame of the beat that is accepted is longer than the longest that is held.</summary>
    public Value IsTooLong => field ??= CountBeats();

    private Value CountBeats()
    {
        var n = _n;
        n.Continue(_section);
        var bits = Interval.Of((UInt128)MostBeats).Width;
        var beats = n.AddFlop("frame_beats", bits, 0, "accepted of this frame");
        var isTooLong = n.Equal(beats, new Constant(bits, (UInt128)MostBeats));
        beats.Enable = _header.Accept;
        beats.Next = n.Select(
            _header.IsLast, FoldingBuilder.Zero(bits), n.Select(isTooLong, beats, n.Add(beats, new Constant(bits, 1))));
        return isTooLong;
    }

    /// <summary>Connects it.</summary>
    /// <param name="hasVerdict">1 in the cycle in which a frame's verdict is there.</param>
    /// <param name="egress">The ports that its copies leave by, in their order, and those that it leaves by.</param>
    /// <param name="rewriter">The bytes that are written.</param>
    /// <param name="resizer">Gives frames another length; null if all keep theirs.</param>
    /// <param name="unit">Changes bytes behind the FIFO; null if nothing does.</param>
    /// <param name="slowPath">The slow path; null if there is none.</param>
    public FrameFifoSignals Build(
        Value hasVerdict, IReadOnlyList<Value> egress, HeaderRewriter rewriter, FrameResizer? resizer,
        ILeavingUnit? unit, SlowPath? slowPath)
    {
        var n = _n;
        n.Continue(_section);
        var count = n.AddFlop(
            "fifo_count", PointerBits, 0, "beats in the FIFO; one place stays free, so that equal pointers mean empty");
        var push = _isWithin is null
            ? _header.Accept
            : n.AddWire("fifo_push", n.And(_header.Accept, n.Or(_isWithin, _header.IsLast)));
        var tail = Pointer("fifo_tail", push);
        var pop = n.DeclareWire("fifo_pop", 1, "a beat is taken");
        var hasCopies = egress.Count > 1;
        var head = hasCopies ? n.AddFlop("fifo_head", PointerBits, 0) : Pointer("fifo_head", pop);
        if (!hasCopies)
        {
            // Room that is there a cycle later is room still.
            Value freed = _options.IsFast ? n.Registered("fifo_freed", pop, 0) : pop;
            var isLess = Enumerable.Repeat<Value>(n.And(freed, n.Not(push)), PointerBits - 1).Aggregate(n.Concat);
            count.Next = n.Add(count, n.Concat(isLess, n.Make(Opcode.Xor, 1, freed, push)));
        }
        // A frame whose beats have all been taken may still be leaving: it has a place among the verdicts.
        var hasRoom = n.Less(count, new Constant(PointerBits, (UInt128)(_depth - (resizer is null ? 2 : 3))));

        // The words of a bus are as good as bytes where nobody looks inside.
        var data = StoredWords("fifo_data", _header.Data, push, tail, head);
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
                n.Extract(_header.UserNow, StreamUserLayout.TimeLow, StreamUserLayout.Bits - StreamUserLayout.TimeLow),
                n.Extract(_header.UserNow, 0, StreamUserLayout.DestinationLow),
            ],
            isFirst, frameTail, frameHead);
        var verdictTail = Pointer("verdict_tail", hasVerdict);
        // The written bytes are many bits: they are taken from the RAM only.
        var isDirect = resizer is null && rewriter.Record.Count == 0 && unit is null && !hasCopies
            && (slowPath is null || !_options.IsFast);
        // At a fast clock it is stored whether each leaves by any port.
        Value Leaves(Value ports) => n.Not(n.Equal(ports, FoldingBuilder.Zero(ports.Width)));
        var keepsLeaving = _options.IsFast && !isDirect;
        List<Value> record =
        [
            .. egress,
            .. slowPath is null ? (Value[])[] : [slowPath.IsSlow],
            .. keepsLeaving ? egress.Select(Leaves) : [],
        ];
        var kept = Stored(
            "verdict", [.. record, .. resizer?.Record ?? [], .. rewriter.Record, .. unit?.Record ?? []],
            hasVerdict, verdictTail, frameHead);
        var has = n.Not(n.Equal(verdictTail, frameHead));
        List<Value> leaving = keepsLeaving
            ? kept[(record.Count - egress.Count)..record.Count]
            : [.. kept[..egress.Count].Select(Leaves)];
        var emissions = new Emissions(n, leaving);
        var ports = n.AddWire(
            "verdict_now",
            isDirect ? n.Select(has, kept[0], egress[0]) : emissions.Of(kept[..egress.Count]),
            "of the frame whose beat is next");
        var hasBeat = n.And(n.Not(n.Equal(tail, head)), isDirect ? n.Or(has, hasVerdict) : has);
        var isSlow = slowPath is null ? FoldingBuilder.Bit(false)
            : isDirect ? n.AddWire("verdict_slow", n.Select(has, kept[egress.Count], slowPath.IsSlow))
            : kept[egress.Count];
        var isLeaving = unit is { SharesState: true }
            ? n.DeclareWire("state_leaves", 1, "a frame that uses state is on its way out")
            : null;
        if (slowPath is not null)
        {
            var waits = isLeaving is null ? slowPath.Waits : n.Or(slowPath.Waits, isLeaving);
            hasBeat = n.And(hasBeat, n.Not(n.And(isSlow, waits)));
        }
        var beats = new BeatStream(
            data, keep, hasBeat, isLast, n.Concat(n.Concat(user[0], AxiStream.PortField(n, ports)), user[1]), pop);
        ISlowPathGate? gate = slowPath switch
        {
            null => null,
            { Engines: 1 } => new SlowPathGate(n, _section, _options.Lanes, beats, isSlow, slowPath),
            _ => new SlowPathGroup(n, _section, _options, MostBeats, beats, isSlow, slowPath),
        };
        if (gate is not null) beats = gate.Others;
        var released = gate?.Released ?? FoldingBuilder.Bit(false);
        var isDropped = keepsLeaving
            ? n.Not(emissions.Of(leaving))
            : n.Equal(ports, FoldingBuilder.Zero(ports.Width));
        kept.RemoveRange(0, record.Count);
        Value frameLeaves, ends;
        var places = hasCopies
            ? new FramePlaces(n, _depth, push, _header.IsLast, tail, frameHead, pop, emissions.IsLast)
            : null;
        var isComplete = places?.IsComplete ?? FoldingBuilder.Bit(false);
        if (resizer is not null)
        {
            var (resized, isDone) = resizer.Resize(
                beats with { Data = FifoWords.Bytes(n, data) },
                Next(resizer.BytesAhead, push, tail, head, pop, places),
                kept,
                isDropped,
                isComplete,
                rewriter,
                emissions);
            ends = isDone;
            Leave(resized, FoldingBuilder.Bit(false), unit, kept, emissions, gate, isLeaving);
            frameLeaves = n.And(resized.Ready, resized.IsLast);
        }
        else
        {
            var isEnd = n.Or(isLast, n.And(isDropped, isComplete));
            beats = beats with { IsLast = isEnd };
            var leaves = n.And(pop, isLast);
            ends = n.And(n.And(pop, isEnd), n.Not(isSlow));
            if (!rewriter.IsIdle)
            {
                var isBeat = BeatPosition.OneHot(n, rewriter.Beats, pop, isEnd);
                beats = beats with
                {
                    Data = rewriter.Apply(FifoWords.Bytes(n, data), isBeat, pop, isEnd, kept, emissions.IsNow),
                };
            }
            Leave(beats, isDropped, unit, kept, emissions, gate, isLeaving);
            frameLeaves = n.And(leaves, n.Not(n.Or(isDropped, isSlow)));
        }
        frameDone.Source = n.Or(hasCopies ? n.And(ends, emissions.IsLast) : ends, released);
        if (hasCopies)
        {
            emissions.GoOn(ends);
            places!.Lead(head, isBehind: false);
            places.GoOn(ends, frameDone);
            // Which is the last copy is known late, and room that is there a cycle later is room still.
            var first = n.Registered("fifo_first", n.Select(emissions.IsLast, head, places.Start), 0);
            count.Next = n.Subtract(tail, n.Select(push, n.Subtract(first, One), first));
        }
        var none = FoldingBuilder.Bit(false);
        return new FrameFifoSignals(
            count, hasRoom, frameLeaves, gate?.IsBusy ?? none, gate?.IsOpen ?? none, gate?.IsWaiting ?? none,
            released, isLeaving is null ? none : isLeaving);
    }

    /// <summary>Leads beats to the output, through what changes them.</summary>
    private void Leave(
        BeatStream beats, Value isDropped, ILeavingUnit? unit, List<Value> kept, Emissions emissions,
        ISlowPathGate? gate, Wire? isLeaving)
    {
        Value none = FoldingBuilder.Bit(false), isBusy = none;
        if (unit is not null)
        {
            beats = beats with { Data = FifoWords.Bytes(_n, beats.Data) };
            (beats, isBusy) = unit.Build(beats, isDropped, kept, emissions.IsNow);
            isDropped = none;
            if (isLeaving is not null) isLeaving.Source = isBusy;
        }
        if (gate is null) FrameOutput.Build(_n, _options.Lanes, beats, isDropped, null);
        else gate.Leave(beats, isDropped, isBusy);
    }

    /// <summary>
    /// The first bytes of the beat behind the next, with a bit each that says whether it is the frame's,
    /// and whether that beat is there.
    /// </summary>
    private (List<Value> Data, Value Keep, Value IsThere) Next(
        int bytes, Value push, Flop tail, Flop head, Value pop, FramePlaces? places)
    {
        var n = _n;
        if (bytes == 0) return ([], FoldingBuilder.Zero(1), FoldingBuilder.Bit(false));
        var second = n.AddFlop("fifo_second", PointerBits, 1);
        if (places is not null) places.Lead(second, isBehind: true);
        else (second.Next, second.Enable) = (n.Add(second, One), pop);
        var stored = Stored(
            "fifo_ahead", [.. _header.Data.Take(bytes), n.Extract(_header.Keep, 0, bytes)], push, tail, second);
        return (stored[..bytes], stored[bytes], n.Not(n.Or(n.Equal(tail, head), n.Equal(tail, second))));
    }

    private Constant One => new(PointerBits, 1);

    private Flop Pointer(string name, Value moves)
    {
        var pointer = _n.AddFlop(name, PointerBits, 0);
        (pointer.Next, pointer.Enable) = (_n.Add(pointer, One), moves);
        return pointer;
    }

    /// <summary>Values that are held in RAMs.</summary>
    private List<Value> Stored(string name, IReadOnlyList<Value> values, Value push, Value tail, Value head) =>
        FifoWords.Split(_n, StoredWords(name, values, push, tail, head), values.Select(value => value.Width));

    /// <summary>The words that hold values, each in a RAM.</summary>
    private List<Value> StoredWords(string name, IReadOnlyList<Value> values, Value push, Value tail, Value head)
    {
        var words = FifoWords.Join(_n, values);
        return [.. words.Select((word, i) =>
        {
            var ram = _n.AddRam(words.Count > 1 ? $"{name}_{i}" : name, word.Width, _depth);
            ram.Write = new RamWrite(tail, word, push);
            return (Value)_n.AddRead($"{ram.Name}_read", ram, head, isRegistered: false);
        })];
    }
}
