using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

internal sealed partial class Pipeline
{
    private int? _maskStage;
    private bool _isFindingMaskStage;

    /// <summary>The stage in which beats are masked for the sums.</summary>
    private int MaskStage
    {
        get
        {
            if (_maskStage is { } known) return known;
            if (_isFindingMaskStage)
                throw new NoPipelineException("how many bytes a checksum covers depends on another checksum", null);
            _isFindingMaskStage = true;
            _maskStage = _sums.Max(sum => sum.MaskStage(_schedule.StageOf));
            _isFindingMaskStage = false;
            return _maskStage.Value;
        }
    }

    /// <summary>The first stage that is counted from the last beat; 0 when all are counted from the header.</summary>
    private int Crossing => _sums.Count == 0 ? 0 : _sums[0].StageOfTotal(MaskStage);

    /// <summary>A checksum over bytes of the frame: of the header at once, of the payload while it passes.</summary>
    private Value SumOf(int offset, Value length)
    {
        if (length is Constant count)
        {
            var bytes = Enumerable.Range(offset, (int)count.Bits).Select(_header.Byte).ToList();
            return Summed(
                bytes.Count == 0
                    ? FoldingBuilder.Zero(17)
                    : _n.Resize(PayloadSum.OfBytes(_n, bytes), PayloadSum.Width));
        }
        var sum = new PayloadSum(_n, _header, _options, offset, length);
        _sums.Add(sum);
        return Summed(sum.Total);
    }

    /// <summary>
    /// True if the ones' complement sum of some values is all ones.
    /// Checksums are taken with their carries, and the value that comes last is added last.
    /// </summary>
    private Value IsWhole(IReadOnlyList<Value> terms) => PayloadSum.IsWhole(
        _n,
        terms.Select(term => _n.Resize(_sumOf.GetValueOrDefault(term) ?? term, PayloadSum.Width))
        .OrderBy(term => _sums.Exists(sum => sum.Total == term)).Aggregate(_n.Add));

    private Value Summed(Value sum)
    {
        var folded = PayloadSum.Folded(_n, sum);
        _sumOf[folded] = sum;
        return folded;
    }
}
