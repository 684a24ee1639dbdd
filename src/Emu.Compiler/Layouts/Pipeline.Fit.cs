namespace Emu.Compiler;

internal sealed partial class Pipeline
{
    private Value _verdict = null!;

    /// <summary>Whether the pipeline serves the frame.</summary>
    private Value _admits = null!;

    /// <summary>Whether the slow path does.</summary>
    private Value _isSlow = null!;

    /// <summary>The least cycles between two frames that the recurrences allow: at most the interval.</summary>
    private int _distance;

    /// <summary>
    /// Finds stages in which every event's writes come before the next event's reads: a read moves to a later stage when a write is too late for it.
    /// </summary>
    private void Fit()
    {
        var isAdmitted = Admits();
        var isDeferred = _n.Any(_dataflow.Defers.Select(d => d.Condition));
        _isSlow = _n.And(isAdmitted, isDeferred);
        _admits = _n.And(isAdmitted, _n.Not(isDeferred));
        _verdict = _n.OneOf(HardwareOptions.MaxPorts, _dataflow.Returns.Select(r => (r.Condition, _n.Resize(r.Egress, HardwareOptions.MaxPorts))));
        foreach (var (_, length, egress) in _dataflow.Returns)
        {
            if (Constant.Is(egress, 0)) continue;
            var bits = Interval.Of((UInt128)_options.Capacity).Width;
            if (_n.Extract(length, 0, bits) != _n.Extract(_header.Length, 0, bits)) throw new NoPipelineException("the frame changes its length", (length as Operation)?.Location);
        }
        for (var moved = true; moved;)
        {
            moved = false;
            // A stage that waits for the time's quotient takes one frame in two cycles.
            _distance = TimeQuotient.Divisors(_compilation.Functions).Count > 0 ? 2 : 1;
            _schedule = NewSchedule();
            foreach (var (register, updates) in _dataflow.Updates)
            {
                moved |= MoveRead(register, RegisterStage(updates), ReadStage(_registers.GetValueOrDefault(register)));
            }
            foreach (var (memory, updates) in _dataflow.Writes)
            {
                var write = WriteStage(memory, updates);
                foreach (var read in _dataflow.Reads.Where(r => r.Memory == memory)) moved |= MoveRead(memory, write, _schedule.StageOf(read.Word));
            }
        }
    }

    /// <summary>When an event writes: not before it has read all words, which are those before the event.</summary>
    private int WriteStage(Memory memory, List<MemoryUpdate> updates) =>
        updates.Select(WriteStage).Concat(_dataflow.Reads.Where(r => r.Memory == memory).Select(r => _schedule.StageOf(r.Word))).Append(TimeStage).Max();

    private int WriteStage(MemoryUpdate update) =>
        new[] { update.Condition, update.Index, update.Data, _admits }.Max(_schedule.StageOf);

    private int? ReadStage(Value? read) => read is null ? null : _schedule.StageOf(read);

    private bool MoveRead(StateElement element, int write, int? read)
    {
        if (read is null) return false;
        _distance = Math.Max(_distance, write - read.Value + 1);
        if (write < read + _interval) return false;
        var stage = write - _interval + 1;
        if (stage > MaxStages)
            throw Recurrence(element);
        _readStages[element] = Math.Max(_readStages.GetValueOrDefault(element), stage);
        return true;
    }

    /// <summary>When a value comes that is not computed from others.</summary>
    private (int Stage, int Level)? SourceOf(Value value)
    {
        if (value is Operation) return null;
        if (_sums.Exists(sum => sum.Total == value)) return (Crossing, 0);
        if (ReferenceEquals(value, _quotientInput)) return (TimeStage, 0);
        if (_registerOf.TryGetValue(value, out var register)) return (Math.Max(Crossing, _readStages.GetValueOrDefault(register)), 0);
        if (_dataflow.Reads.Find(r => r.Word == value) is { } read)
        {
            // The address comes from flops, so the word begins a stage.
            var address = _schedule.StageOf(read.Index) + (read.Index is Constant ? 0 : 1);
            return (Math.Max(Crossing, Math.Max(address, _readStages.GetValueOrDefault(read.Memory))), 0);
        }
        return (0, 0);
    }

    /// <summary>Makes such a value in its stage.</summary>
    private Value Make(Value value, int stage)
    {
        if (ReferenceEquals(value, _quotientInput)) return _quotient!.Quotient;
        if (_sums.Find(sum => sum.Total == value) is { } payload) return _totals[payload];
        if (_registerOf.TryGetValue(value, out var register)) return _n.Resize(_state.Of(register), register.Width);
        if (_dataflow.Reads.Find(r => r.Word == value) is not { } read) return value;
        var ports = _state.Of(read.Memory);
        if (ports.IsRegistered) throw new NoPipelineException($"{read.Memory.Name} has {ports.Ram.Depth} words: only memories of up to {ServiceState.MaxDistributedDepth} are read in pipelines", LocationOf(read.Memory, isWrite: false));
        var address = ports.Address(_schedule.In(read.Index, stage));
        _n.Continue(SectionOf(stage));
        return ports.Element(_n.AddRead($"{ports.Ram.Name}_read", ports.Ram, address, isRegistered: false));
    }

    /// <summary>Whether the service sees the frame: a right length, from a MAC port.</summary>
    private Value Admits()
    {
        var n = _n;
        var type = n.Concat(_header.Byte(Stream.TypeOffset), _header.Byte(Stream.TypeOffset + 1));
        var isTagged = n.Any(Stream.TagTypes.Select(tag => n.Equal(type, new Constant(16, tag))));
        var length = _header.Length;
        Value AtMost(int limit) => n.Not(n.Less(new Constant(length.Width, (UInt128)limit), length));
        var fits = n.Or(AtMost(_options.Capacity - Stream.TagBytes), n.And(isTagged, AtMost(_options.Capacity)));
        var isLong = n.Not(n.Less(length, new Constant(length.Width, EventRange.MinLength)));
        var hasSource = n.Not(n.Equal(n.And(_header.Source, new Constant(8, Stream.MacPorts)), ValueFactory.Zero(8)));
        return n.And(n.And(fits, isLong), hasSource);
    }
}
