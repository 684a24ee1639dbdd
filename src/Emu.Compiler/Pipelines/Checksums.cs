using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The checksums over a frame that an event asks for: of the header at once, of the payload as it passes.
/// </summary>
internal sealed class Checksums(PipelineDesign design)
{
    private readonly List<PayloadSum> _payload = [];
    private readonly Dictionary<Value, Value> _sumOf = new(ReferenceEqualityComparer.Instance);

    /// <summary>Those of the payload, each by a unit of its own.</summary>
    public IReadOnlyList<PayloadSum> Payload => _payload;

    /// <summary>A checksum over bytes of the frame, folded.</summary>
    public Value Of(int offset, Value length)
    {
        var n = design.Netlist;
        if (length is not Constant count)
        {
            var unit = new PayloadSum(n, design.Header, design.Options, offset, length);
            _payload.Add(unit);
            return Folded(unit.Total);
        }
        var bytes = Enumerable.Range(offset, (int)count.Bits).Select(design.Header.Byte).ToList();
        return Folded(
            bytes.Count == 0
                ? FoldingBuilder.Zero(17)
                : n.Resize(PayloadSum.OfBytes(n, bytes), PayloadSum.Width));
    }

    /// <summary>
    /// True if the ones' complement sum of some values is all ones.
    /// Checksums are taken with their carries, and the value that comes last is added last.
    /// </summary>
    public Value IsAllOnes(IReadOnlyList<Value> terms) => PayloadSum.IsWhole(
        design.Netlist,
        terms.Select(term => design.Netlist.Resize(_sumOf.GetValueOrDefault(term) ?? term, PayloadSum.Width))
        .OrderBy(term => UnitOf(term) is not null).Aggregate(design.Netlist.Add));

    /// <summary>The unit whose sum a value stands for; null if it stands for none.</summary>
    public PayloadSum? UnitOf(Value value) => _payload.Find(unit => unit.Total == value);

    private Value Folded(Value sum)
    {
        var folded = PayloadSum.Folded(design.Netlist, sum);
        _sumOf[folded] = sum;
        return folded;
    }
}
