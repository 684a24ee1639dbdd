using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;
using Emu.Compiler.Scheduling;
using Emu.Compiler.Units;

namespace Emu.Compiler.Pipelines;

/// <summary>
/// The checksums and loops over a frame that an event asks for: of the header at once, of the payload as it passes.
/// </summary>
internal sealed class Checksums(PipelineDesign design)
{
    private readonly List<IPayloadUnit> _payload = [];
    private readonly Dictionary<Value, Value> _sumOf = new(ReferenceEqualityComparer.Instance);

    /// <summary>Those of the payload, each by a unit of its own.</summary>
    public IReadOnlyList<IPayloadUnit> Payload => _payload;

    /// <summary>The loops that begin with what is known behind the header.</summary>
    public IEnumerable<SerialFold> Late => Serial.Where(unit => unit.IsLate);

    /// <summary>The loops whose turns are done one behind the other.</summary>
    public IEnumerable<SerialFold> Serial => _payload.OfType<SerialFold>();

    /// <summary>
    /// A checksum over bytes of the frame, folded: of as many as a constant says by a tree, else as they pass. Bytes
    /// that may have been written are left out then, and what they are now is added.
    /// </summary>
    /// <param name="operation">The operation that asks for it; its first byte is a constant.</param>
    /// <param name="isNeeded">The condition under which the sum is used.</param>
    /// <param name="length">The number of bytes.</param>
    /// <param name="writtenEnd">The offset behind the last byte that may have been written.</param>
    /// <param name="maps">The loops that may have written bytes behind those.</param>
    /// <param name="octet">Gives a byte as it is now.</param>
    public Value Of(
        Operation operation, Value isNeeded, Value length, int writtenEnd, IReadOnlyList<MappedBytes> maps,
        Func<int, Value> octet)
    {
        var (n, offset) = (design.Netlist, (int)((Constant)operation.Operands[0]).Bits);
        if (length is Constant { Bits: var count })
            return Folded(SumOf(Enumerable.Range(offset, (int)count).Select(octet)));
        var ofHeader = WordsUpTo(writtenEnd - offset);
        if (LateSums.IsLate(operation))
        {
            var behind = LateSums.From(
                operation, Offset(offset + ofHeader), n.Add(n.Resize(length, FrameFold.OffsetBits), Offset(offset)));
            return Folded(n.Add(Now(ofHeader), Fold(behind, behind.Operands, isNeeded)));
        }
        var map = maps.Count == 0 ? null : new PayloadMap(
            n, design.Options.Lanes, design.Delays, design.Budget,
            [.. maps.Select(each => (each, design.Header.LastBeatOffset))]);
        var unit = new PayloadSum(
            n, design.Header, design.Options, offset, ofHeader, length, map is null ? design.Header.Byte : octet, map);
        _payload.Add(unit);
        return ofHeader == 0 ? Folded(unit.Total) : Folded(n.Add(Now(ofHeader), unit.Total));

        // The bytes that may have been written, as they are now.
        Value Now(int count) => SumOf(Enumerable.Range(0, count).Select(i => n.Select(
            n.Less(new Constant(length.Width, (UInt128)i), length), octet(offset + i), FoldingBuilder.Zero(8))));
    }

    /// <summary>
    /// The bytes that are left out of a sum where so many, 0 or fewer for none, may have been written: whole words, so
    /// that each of the others keeps its place in its word.
    /// </summary>
    public static int WordsUpTo(int written) => Math.Max(0, written + 1) / 2 * 2;

    /// <summary>The result of a loop over the payload's bytes.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="operands">Its operands in the netlist, of which the first is a constant.</param>
    /// <param name="isNeeded">The condition under which the result is used.</param>
    public Value Fold(Operation operation, IReadOnlyList<Value> operands, Value isNeeded)
    {
        var n = design.Netlist;
        var late = WiresOf(operands);
        // What is known when the loop begins may say that it does not.
        var early = new ConditionBounds(n, value => value is not (Wire or Operation) || late.Contains(value));
        var isParallel = late.Count == 0 && operation.Fold!.Words == 0 && new FoldForms(n).AreParallel(operation.Fold);
        IPayloadUnit unit = isParallel
            ? new PayloadFold(n, design.Header, design.Options, design.Delays, design.Budget, operation, operands)
            : new SerialFold(
                n, design.Header, design.Options, design.Delays, design.Budget, operation, operands,
                early.Of(isNeeded, isNecessary: true), late.Count == 0 ? null : design.Fifo);
        _payload.Add(unit);
        return unit.Total;
    }

    /// <summary>The stand-ins for what comes later than the header, of all that values are computed from.</summary>
    private static HashSet<Value> WiresOf(IEnumerable<Value> values)
    {
        var seen = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        var open = new Stack<Value>(values);
        while (open.TryPop(out var next))
            if (seen.Add(next) && next is Operation operation) operation.Operands.ForEach(open.Push);
        seen.RemoveWhere(value => value is not Wire);
        return seen;
    }

    /// <summary>
    /// True if the ones' complement sum of some values is all ones.
    /// Checksums are taken with their carries, and the value that comes last is added last.
    /// </summary>
    public Value IsAllOnes(IReadOnlyList<Value> terms) => PayloadSum.IsWhole(
        design.Netlist,
        terms.Select(term => design.Netlist.Resize(_sumOf.GetValueOrDefault(term) ?? term, PayloadSum.Width))
        .OrderBy(term => UnitOf(term) is not null).Aggregate(design.Netlist.Add));

    /// <summary>The unit whose result a value stands for; null if it stands for none.</summary>
    public IPayloadUnit? UnitOf(Value value) => _payload.Find(unit => unit.Total == value);

    private static Constant Offset(int offset) => new(FrameFold.OffsetBits, (UInt128)offset);

    private Value SumOf(IEnumerable<Value> bytes)
    {
        var all = bytes.ToList();
        return all.Count == 0
            ? FoldingBuilder.Zero(PayloadSum.Width)
            : design.Netlist.Resize(PayloadSum.OfBytes(design.Netlist, all), PayloadSum.Width);
    }

    private Value Folded(Value sum)
    {
        var folded = PayloadSum.Folded(design.Netlist, sum);
        _sumOf[folded] = sum;
        return folded;
    }
}
