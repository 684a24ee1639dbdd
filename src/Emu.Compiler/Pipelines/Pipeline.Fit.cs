using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

internal sealed partial class Pipeline
{
    private Value _verdict = null!;
    private Value? _length;

    /// <summary>True if the pipeline serves the frame.</summary>
    private Value _admits = null!;

    /// <summary>True if the slow path serves the frame.</summary>
    private Value _isSlow = null!;

    /// <summary>Sums that are parts of others.</summary>
    private Substitution _shared = new();

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

    /// <summary>Decides what becomes of the frame.</summary>
    private void Conclude()
    {
        _n.Location = null;
        var isAdmitted = Named("admitted", Admits());
        var isDeferred = Named("deferred", _n.ReduceOr(_dataflow.SideExits.Select(d => d.Condition)));
        _isSlow = Named("is_slow", _n.And(isAdmitted, isDeferred));
        _admits = Named("admits", _n.And(isAdmitted, _n.Not(isDeferred)));
        _verdict = Named("egress", _n.SelectOneHot(
            HardwareOptions.MaxPorts,
            _dataflow.Returns.Select(r => (r.Condition, _n.Resize(r.Egress, HardwareOptions.MaxPorts)))));
        _length = NewLength();
        if (_length is not null) _n.Describe(_length, "new_length");
        if (_length is not null)
            _verdict = _n.Select(
                _n.Equal(_length, FoldingBuilder.Zero(_length.Width)), FoldingBuilder.Zero(_verdict.Width), _verdict);
        _shared = SharedSums.Of(_n, Results());
    }

    /// <summary>All values that are asked for.</summary>
    private IEnumerable<Value> Results() =>
    [
        _admits, _isSlow, _verdict, .. _length is null ? [] : new[] { _length },
        .. _dataflow.Bytes.SelectMany(b => new[] { b.Condition, b.Byte }), .. _dataflow.Moves.Select(m => m.Condition),
        .. _dataflow.Reads.Select(r => r.Index),
        .. _dataflow.Writes.SelectMany(w => new[] { w.Update.Condition, w.Update.Index, w.Update.Data }),
        .. _dataflow.Updates.SelectMany(u => new[] { u.Update.Condition, u.Update.Value }),
        .. _dataflow.Counts.Select(c => c.Amount), .. _dataflow.Faults.Values, .. _sums.SelectMany(s => s.Operands),
    ];

    /// <summary>The length of the frames that leave; null if they all keep theirs.</summary>
    private Value? NewLength()
    {
        var bits = Interval.Of((UInt128)_options.Capacity).Width;
        var lengths = _dataflow.Returns.Where(r => !Constant.Is(r.Egress, 0))
            .Select(r => (r.Condition, Length: _n.Extract(r.Length, 0, bits))).ToList();
        return lengths.TrueForAll(l => l.Length == _n.Extract(_header.Length, 0, bits))
            ? null
            : _n.SelectOneHot(bits, lengths);
    }

    /// <summary>True if the service sees the frame: it has a right length and comes from a MAC port.</summary>
    private Value Admits()
    {
        var n = _n;
        var type = n.Concat(_header.Byte(AxiStream.TypeOffset), _header.Byte(AxiStream.TypeOffset + 1));
        var isTagged = n.ReduceOr(AxiStream.TagTypes.Select(tag => n.Equal(type, new Constant(16, tag))));
        var length = _header.Length;
        Value AtMost(int limit) => n.Not(n.Less(new Constant(length.Width, (UInt128)limit), length));
        var fits = n.Or(AtMost(_options.Capacity - AxiStream.TagBytes), n.And(isTagged, AtMost(_options.Capacity)));
        var isLong = n.Not(n.Less(length, new Constant(length.Width, EventRange.MinLength)));
        var hasSource = n.Not(
            n.Equal(n.And(_header.Source, new Constant(8, AxiStream.MacPorts)), FoldingBuilder.Zero(8)));
        return n.And(n.And(fits, isLong), hasSource);
    }
}
