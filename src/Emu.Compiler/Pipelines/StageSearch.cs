using Emu.Compiler.IR;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// Finds stages in which every frame reads what the frames before it have written: a read is postponed when a write
/// comes too late for it, or has the write forwarded.
/// </summary>
/// <remarks>
/// A loop through state is a recurrence of modulo scheduling (Rau 1994, <em>Iterative modulo scheduling</em>): the
/// stages from its read to its write bound the interval.
/// </remarks>
internal sealed class StageSearch
{
    /// <summary>Stages past which a pipeline has no end, whether its state is in a loop or not.</summary>
    private const int NoEnd = 4 * PipelineDesign.MaxStages;

    private readonly PipelineDesign _design;
    private readonly Dataflow _dataflow;
    private readonly EventInputs _inputs;
    private readonly Forwarding _forwarding;
    private readonly Interlock _interlock;
    private readonly RowAnalysis _rows;
    private readonly StateLoops _loops;
    private readonly EarliestLooks _looks = new();

    /// <summary>Searches.</summary>
    /// <param name="design">The pipeline.</param>
    /// <param name="frame">The event of a frame.</param>
    /// <param name="inputs">The values that it begins with.</param>
    /// <param name="forwarding">The writes that it sees forwarded; more are added here.</param>
    /// <param name="interlock">The memories for whose rows it waits; more are added here.</param>
    /// <param name="loops">The loops through state, without forwarding.</param>
    public StageSearch(
        PipelineDesign design, PipelineEvent frame, EventInputs inputs, Forwarding forwarding, Interlock interlock,
        StateLoops loops)
    {
        (_design, _dataflow, _inputs, _forwarding, _loops) = (design, frame.Dataflow, inputs, forwarding, loops);
        (_interlock, _rows) = (interlock, new RowAnalysis(design.Netlist, design.State, frame));
        Hazards = interlock.Hazards(frame, _rows);
        bool isPostponed;
        do
        {
            LeastInterval = _dataflow.Collisions.Select(each => _dataflow.TurnsOf(each.Memory))
                .Append(design.ResourceInterval).Max();
            Stages = new StagePlan(design, frame, inputs, forwarding, _looks, Hazards);
            isPostponed = Postpone();
        }
        while (isPostponed && !IsOver);
        foreach (var (memory, update) in _dataflow.Writes.Where(_ => !IsOver).ToList()) Forward(memory, update);
    }

    /// <summary>The rows for which frames wait.</summary>
    public IReadOnlyList<RowHazard> Hazards { get; }

    /// <summary>The stages found.</summary>
    public StagePlan Stages { get; }

    /// <summary>
    /// The least cycles between two frames that the recurrences and the units allow: at most the interval that was
    /// asked for.
    /// </summary>
    public int LeastInterval { get; private set; }

    /// <summary>True if more has to be forwarded than the event was followed with.</summary>
    public bool IsOutgrown { get; private set; }

    /// <summary>
    /// The reason for which there are no such stages; null if there are, or if that is not known yet.
    /// </summary>
    public PipelineObstacle? Obstacle { get; private set; }

    private int MostForwarded => _design.Options.IsIntervalAsked && !_interlock.IsAllowed
        ? int.MaxValue
        : _design.Options.MaxForwardedBits;

    private bool IsOver => IsOutgrown || Obstacle is not null;

    /// <summary>Postpones what is looked at before the writes of frames ahead; false if nothing is.</summary>
    private bool Postpone()
    {
        var isPostponed = false;
        foreach (var (register, update) in _dataflow.Updates)
        {
            if (_inputs.ReadOf(register) is not { } read) continue;
            var write = Stages.StageOfWrite(register, update);
            isPostponed |= PostponeRead(register, write, Stages.Schedule.StageOf(read));
        }
        foreach (var (memory, update) in _dataflow.Writes.Where(write => !_interlock.Has(write.Memory)))
            isPostponed |= _forwarding.Has(memory) ? PostponeParts(memory, update) : PostponeReads(memory, update);
        return isPostponed;
    }

    private bool PostponeReads(Memory memory, MemoryUpdate update)
    {
        var write = Stages.StageOfWrite(memory, update);
        var isPostponed = false;
        foreach (var read in _dataflow.Reads.Where(r => r.Memory == memory))
            isPostponed |= PostponeRead(memory, write, Stages.AccessStage(read));
        return isPostponed;
    }

    private bool PostponeRead(StateElement element, int write, int read)
    {
        LeastInterval = Math.Max(LeastInterval, Math.Min(_design.Interval, write - read + 1));
        var stage = write - _design.Interval + 1;
        if (stage <= read || IsOver || !_looks.Raise(element, stage)) return false;
        BoundRecurrence(element, stage);
        return true;
    }

    /// <summary>Looks at the parts of the writes ahead where they are known.</summary>
    private bool PostponeParts(Memory memory, MemoryUpdate update)
    {
        var isPostponed = false;
        LeastInterval = _design.Interval;
        foreach (var ahead in _forwarding.Of(memory))
        {
            foreach (var part in ahead.StandIns)
            {
                // Behind a flop: known in a stage before.
                var stage = Stages.StageOfPart(ahead, part, update) + 1 - ahead.Distance;
                if (IsOver || !_looks.Raise(part, stage)) continue;
                BoundRecurrence(memory, stage);
                isPostponed = true;
            }
        }
        return isPostponed;
    }

    /// <summary>
    /// Ends a recurrence that postponing does not end: memories on it may have their writes forwarded, if they have not
    /// already.
    /// </summary>
    private void BoundRecurrence(StateElement element, int stage)
    {
        if (stage <= PipelineDesign.MaxStages) return;
        var loop = _loops.Of(element);
        var isDriven = loop.Count == 0 || _loops.Before(element)
            .Any(other => !loop.Contains(other) && LatestLook(other) > PipelineDesign.MaxStages / 2);
        if (stage <= NoEnd && isDriven) return; // by another's loop
        var memories = loop.OfType<Memory>().Where(m => !_interlock.Has(m)).ToList();
        var forwarded = memories.Where(m => !_forwarding.Has(m) && _dataflow.TurnsOf(m) == 1).ToList();
        var isWide = forwarded.Sum(BitsOfReads) > _design.Options.MaxForwardedBits;
        if ((isWide || forwarded.Count == 0) && Interlocks(memories)) return;
        forwarded.ForEach(_forwarding.Add);
        if (forwarded.Count > 0) IsOutgrown = true;
        else Obstacle = Recurrence(element);
    }

    /// <summary>Has frames wait for rows of memories; false if it may not, or if their rows are not known.</summary>
    private bool Interlocks(List<Memory> memories)
    {
        if (!_interlock.IsAllowed || memories.Count == 0 || !memories.TrueForAll(HasRows))
            return false;
        foreach (var memory in memories)
        {
            _forwarding.Remove(memory);
            _interlock.Add(memory);
        }
        return IsOutgrown = true;
    }

    private bool HasRows(Memory memory)
    {
        if (_design.UnknownRows.Has(memory, _forwarding)) return false;
        if (_rows.Has(memory)) return true;
        _design.UnknownRows.Add(memory, _forwarding);
        return false;
    }

    /// <summary>The memories on the loops through one for whose rows frames do not wait yet.</summary>
    private List<Memory> NotInterlocked(Memory memory) =>
        [.. _loops.Of(memory).OfType<Memory>().Where(other => !_interlock.Has(other))];

    /// <summary>The bits that the reads of a memory take.</summary>
    private int BitsOfReads(Memory memory) =>
        _design.State.Of(memory).Ram.Width * _dataflow.Reads.Count(read => read.Memory == memory);

    /// <summary>The latest stage that a state object was postponed to.</summary>
    private int LatestLook(StateElement element) =>
        _looks.Parts.Where(look => _forwarding.WriteOf(look.Part)!.Memory == element)
            .Select(look => look.Stage).Append(_looks.At(element)).Max();

    /// <summary>Forwards all writes of a memory to its reads that come before them.</summary>
    private void Forward(Memory memory, MemoryUpdate update)
    {
        if (!_forwarding.Has(memory) || Obstacle is not null) return;
        var last = _dataflow.Reads.Where(r => r.Memory == memory)
            .Select(r => Stages.StageOfWrite(memory, update) - Stages.AccessStage(r)).DefaultIfEmpty().Max();
        var ram = _design.State.Of(memory).Ram;
        for (var distance = _design.Interval + _forwarding.Of(memory).Count; distance <= last; distance++)
        {
            _forwarding.Add(new ForwardedWrite(
                memory, distance, update, ram.AddressWidth, ram.Width, !_loops.HasDataFromLoop(memory)));
            IsOutgrown = true;
        }
        var bits = _forwarding.Memories.Sum(other => _forwarding.Of(other).Count * BitsOfReads(other));
        if (bits > MostForwarded && !Interlocks(NotInterlocked(memory)))
            Obstacle = TooMuchForwarded(memory);
    }

    /// <summary>
    /// A state object whose write of one frame comes too late for the read of the next, wherever both are.
    /// </summary>
    private PipelineObstacle Recurrence(StateElement element)
    {
        var read = LocationOf(element, isWrite: false);
        var from = read is { Line: > 0 } ? $", read at {Path.GetFileName(read.File)}:{read.Line}," : "";
        return new PipelineObstacle(
            $"{element.Name}{from} is written {_design.Interval} or more cycles after it is read, "
            + "and the next frame may need it", LocationOf(element, isWrite: true))
        {
            IsRecurrence = true,
        };
    }

    /// <summary>More would be forwarded than the options allow.</summary>
    private PipelineObstacle TooMuchForwarded(Memory memory)
    {
        var others = _forwarding.Memories.Count - 1;
        return new PipelineObstacle(
            $"{memory.Name}{(others > 0 ? $" and {others} more are" : " is")} read before the frame ahead "
            + "has written there, and more than "
            + $"{_design.Options.MaxForwardedBits} bits would have to be forwarded; "
            + $"--interval {_design.Interval} has that forwarded",
            LocationOf(memory, isWrite: true))
        {
            IsRecurrence = true,
            IsCost = true,
        };
    }

    private SourceLocation? LocationOf(StateElement element, bool isWrite) =>
        _dataflow.Accesses.LastOrDefault(access => access.Element == element && access.IsWrite == isWrite)?.Location;
}
