namespace Emu.Compiler;

internal sealed partial class Pipeline
{
    private Value _verdict = null!;

    /// <summary>Whether the pipeline serves the frame.</summary>
    private Value _admits = null!;

    /// <summary>Whether the slow path does.</summary>
    private Value _isSlow = null!;

    /// <summary>Spreads what the service computes over stages.</summary>
    private void Fit()
    {
        Conclude();
        while (!Settle())
        {
            _dataflow = NewDataflow();
            Conclude();
        }
    }

    /// <summary>What becomes of the frame.</summary>
    private void Conclude()
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
            if (_n.Extract(length, 0, bits) != _n.Extract(_header.Length, 0, bits))
                throw new NoPipelineException("the frame changes its length", (length as Operation)?.Location);
        }
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
