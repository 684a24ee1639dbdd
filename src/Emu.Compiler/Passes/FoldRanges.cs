using System.Runtime.CompilerServices;
using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The numbers that a fold's results can be, by what its turn computes of bytes, and of an offset inside the frame. So
/// a place that a parser has found is known to be behind where it began, and in front of the longest frame's end.
/// </summary>
internal static class FoldRanges
{
    private static readonly ConditionalWeakTable<FrameFold, Found> s_found = [];

    /// <summary>The ranges of what a fold finds, where its offsets are of some range.</summary>
    private sealed record Found(Interval Offsets, IReadOnlyList<Interval> Ranges);

    /// <summary>The range of one of the values of a fold's result; null for other values.</summary>
    /// <param name="value">The value.</param>
    /// <param name="events">The events that can come.</param>
    public static Interval? Of(Operation value, EventRange events)
    {
        if (value is not
            {
                Opcode: Opcode.Extract, Operands: [Operation { Opcode: Opcode.FrameFold, Fold: { } fold } operation]
            })
            return null;
        var (number, low) = (0, operation.Width);
        foreach (var part in fold.Results)
        {
            low -= part.Width;
            // Of bits of several parts no range is known.
            if (low == value.Low && value.Width > part.Width) return null;
            if (low == value.Low)
                return RangesOf(operation, fold, events)[number] is var range
                    && range.Max <= Arithmetic.Mask(value.Width)
                        ? range
                        : null;
            number++;
        }
        return null;
    }

    private static IReadOnlyList<Interval> RangesOf(Operation operation, FrameFold fold, EventRange events)
    {
        var start = operation.Operands[0] is Constant constant ? constant.Bits : 0;
        var offsets = new Interval(start, UInt128.Max(start, UInt128.Max(1, events.Length.Max) - 1));
        if (s_found.TryGetValue(fold, out var known) && known.Offsets == offsets) return known.Ranges;
        var ranges = RangesOf(operation, fold, offsets);
        s_found.AddOrUpdate(fold, new Found(offsets, ranges));
        return ranges;
    }

    private static List<Interval> RangesOf(Operation operation, FrameFold fold, Interval offsets)
    {
        var ranges = new Dictionary<Value, Interval>(ReferenceEqualityComparer.Instance)
        {
            [fold.OffsetParameter] = offsets,
        };
        Interval Of(Value value) => value is Constant constant
            ? Interval.Of(constant.Bits)
            : ranges.GetValueOrDefault(value, Interval.Full(value.Width));
        foreach (var made in fold.Body.Operations)
            if (OpcodeTable.Of(made.Opcode).Range is { } range) ranges[made] = range(made, Of);
        var state = fold.NextState.Zip(fold.StateParameters, operation.Operands.Skip(fold.FirstState))
            .Select(part => IsCounted(part.First, part.Second) && part.Third is Constant { Bits: var first }
                && first + (offsets.Max - offsets.Min) + 1 is var last && last <= Arithmetic.Mask(part.First.Width)
                ? new Interval(first, last)
                : Interval.Full(part.First.Width));
        // Where no turn leaves the loop, what is found is 0.
        return [.. fold.FoundValues.Select(value => Of(value).Join(Interval.Of(0))), .. state];
    }

    /// <summary>True of a part of the state to which each turn adds 1.</summary>
    private static bool IsCounted(Value next, Phi state) =>
        next is Operation { Opcode: Opcode.Add, Operands: [var before, Constant { Bits: var by }] }
        && before == state && by == 1;
}
