using System.Collections.Immutable;
using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The numbers that values can be at a place in a function,
/// from <see cref="Ranges"/> and from the branches that lead there.
/// </summary>
internal sealed class PathRanges
{
    /// <summary>
    /// The depth to which a fact about an operand is followed: enough for checks of headers, and bounded for long sums.
    /// </summary>
    private const int MaxDepth = 12;

    /// <summary>The most ways that come together of which each is asked what is known there.</summary>
    private const int MostJoined = 4;

    private static readonly ImmutableDictionary<Value, Interval> s_none = ImmutableDictionary.Create<Value, Interval>(
        ReferenceEqualityComparer.Instance!);

    private readonly Ranges _ranges;
    private readonly EventRange _events;
    private readonly NodeTable<Block, Place> _places = new();
    private readonly NodeTable<Value, Block> _blockOf = new();

    /// <summary>The fields of bytes of the frame, by these and their lowest bit.</summary>
    private readonly Lazy<ILookup<(Value, int), Operation>> _fields;

    public PathRanges(Function function, EventRange events, Ranges ranges)
    {
        (_events, _ranges) = (events, ranges);
        _fields = new(() => function.Blocks().SelectMany(block => block.Operations).Where(IsField)
            .ToLookup(field => (field.Operands[0], field.Low)));
        var dominators = new Dominators(function);
        foreach (var block in function.Blocks())
        {
            foreach (var phi in block.Phis) _blockOf[phi] = block;
            foreach (var operation in block.Operations) _blockOf[operation] = block;
            var above = dominators.Immediate(block);
            if (above is null) _places[block] = new Place(this, s_none, null);
            else if (block.Predecessors.Count == 1 && above.Terminator is Branch branch)
                _places[block] = Assuming(_places[above], branch.Condition, branch.Then == block);
            else _places[block] = Joined(block, _places[above]);
        }
    }

    /// <summary>The numbers that a value can be in a block.</summary>
    public Interval At(Block block, Value value) => _places[block].Of(value);

    /// <summary>
    /// The numbers that a value can be in a block, if it is a choice also by its condition, of which a side may be the
    /// low part: the less of a length that is small and of one that need not be is small.
    /// </summary>
    public Interval AtChoice(Block block, Value value)
    {
        var range = At(block, value);
        if (value is not Operation { Opcode: Opcode.Select, Operands: [Operation condition, var then, var otherwise] })
            return range;
        return range.Meet(Side(then, holds: true).Join(Side(otherwise, holds: false))) ?? range;

        Interval Side(Value side, bool holds) => Assuming(_places[block], condition, holds).Of(side);
    }

    /// <summary>The numbers that a value can be where it is computed, and so wherever it is used.</summary>
    public Interval AtDefinition(Operation operation) => At(_blockOf[operation], operation);

    /// <summary>The numbers that an operand can be where an operation is computed.</summary>
    public Interval AtOperand(Operation operation, Value operand) =>
        _blockOf.TryGetValue(operation, out var block) ? At(block, operand) : _ranges.Of(operand);

    /// <summary>The numbers that a value can be on the way from a block to another.</summary>
    public Interval On(Block from, Block to, Value value) =>
        from.Terminator is Branch branch
            ? Assuming(_places[from], branch.Condition, branch.Then == to).Of(value)
            : At(from, value);

    private static bool IsField(Operation operation) =>
        operation is { Opcode: Opcode.Extract, Operands: [Operation { Opcode: Opcode.FrameRead or Opcode.Select }] };

    private bool IsComputedAt(Place place, Value value) =>
        _blockOf.TryGetValue(value, out var block) && _places.TryGetValue(block, out var at) && at == place;

    /// <summary>
    /// Knows behind ways that come together, of a value that each has found to be in a range, that it is in one of
    /// these, as where each compares a length with a number.
    /// </summary>
    private Place Joined(Block block, Place above)
    {
        if (block.Predecessors.Count > MostJoined
            || block.Predecessors.Exists(from => !_places.TryGetValue(from, out _)))
            return above;
        var ways = block.Predecessors.ConvertAll(from => from.Terminator is Branch branch
            ? Assuming(_places[from], branch.Condition, branch.Then == block)
            : _places[from]);
        var place = new Place(this, above.Known, above);
        foreach (var value in ways[0].FoundBehind(above))
            place.Refine(value, ways.Select(way => way.Of(value)).Aggregate((a, b) => a.Join(b)));
        return place.Known == above.Known ? above : place;
    }

    private Place Assuming(Place above, Value condition, bool holds)
    {
        var place = new Place(this, above.Known, above);
        place.Assume(condition, holds);
        return place.Known == above.Known ? above : place;
    }

    /// <summary>A place in the function: what is known there beyond <see cref="Ranges"/>.</summary>
    private sealed class Place(PathRanges facts, ImmutableDictionary<Value, Interval> known, Place? above)
    {
        private readonly NodeTable<Value, Interval> _computed = new();
        private readonly List<Value> _found = [];
        private readonly Place? _above = above;
        private int _depth;

        public ImmutableDictionary<Value, Interval> Known { get; private set; } = known;

        /// <summary>The values of which something has been found between a place above and this one.</summary>
        public IEnumerable<Value> FoundBehind(Place above) =>
            this == above ? [] : (_above?.FoundBehind(above) ?? []).Concat(_found);

        public Interval Of(Value value)
        {
            if (value is Constant constant) return Interval.Of(constant.Bits);
            if (_computed.TryGetValue(value, out var before)) return before;
            // Above the place where it is computed nothing is known of it alone.
            var range = _above is null || facts.IsComputedAt(this, value) ? facts._ranges.Of(value) : _above.Of(value);
            if (Known.TryGetValue(value, out var told)) range = range.Meet(told) ?? range;
            if (!range.IsOne && _depth < MaxDepth
                && value is Operation { ReadsState: false, Opcode: not Opcode.Input } operation)
            {
                _depth++;
                range = range.Meet(Ranges.Transfer(operation, facts._events, Of, facts._ranges.Of)) ?? range;
                _depth--;
            }
            if (!range.IsOne && value is Operation part && IsField(part)) range = range.Meet(OfFields(part)) ?? range;
            return _computed[value] = range;
        }

        /// <summary>The range of a field by those that have bits above it, which are 0.</summary>
        private Interval OfFields(Operation field)
        {
            var (all, range) = (Arithmetic.Mask(field.Width), new Interval(0, UInt128.MaxValue));
            foreach (var wider in facts._fields.Value[(field.Operands[0], field.Low)])
                if (wider.Width > field.Width && Known.TryGetValue(wider, out var told) && told.Max <= all)
                    range = range.Meet(told) ?? range;
            return range;
        }

        public void Assume(Value condition, bool holds)
        {
            Refine(condition, Interval.Of(holds ? 1u : 0u));
            if (condition is not Operation operation) return;
            var o = operation.Operands;
            switch (operation.Opcode)
            {
                case Opcode.Xor when Constant.Is(o[1], 1):
                    Assume(o[0], !holds);
                    break;
                case Opcode.And when holds && operation.Width == 1:
                case Opcode.Or when !holds && operation.Width == 1:
                    Assume(o[0], holds);
                    Assume(o[1], holds);
                    break;
                case Opcode.Equal:
                    AssumeEqual(o[0], o[1], holds);
                    break;
                case Opcode.LessUnsigned:
                case Opcode.LessSigned when IsNonNegative(o[0]) && IsNonNegative(o[1]):
                    AssumeLess(o[0], o[1], holds);
                    break;
                // What is more than a number that is not negative is not negative either.
                case Opcode.LessSigned when !holds && IsNonNegative(o[1]):
                    Refine(o[0], new Interval(Of(o[1]).Min, Arithmetic.Mask(o[0].Width - 1)));
                    break;
                case Opcode.LessSigned when holds && IsNonNegative(o[0]) && o[0].Width > 1:
                    Refine(o[1], new Interval(Of(o[0]).Min + 1, Arithmetic.Mask(o[1].Width - 1)));
                    break;
            }
        }

        private bool IsNonNegative(Value value) => Of(value).Max <= Arithmetic.Mask(value.Width - 1);

        private void AssumeEqual(Value a, Value b, bool holds)
        {
            if (holds)
            {
                Refine(a, Of(b));
                Refine(b, Of(a));
            }
            else if (Of(b) is { IsOne: true, Min: var other })
            {
                var range = Of(a);
                if (range.IsOne) return;
                if (range.Min == other) Refine(a, range with { Min = other + 1 });
                else if (range.Max == other) Refine(a, range with { Max = other - 1 });
            }
        }

        private void AssumeLess(Value a, Value b, bool holds)
        {
            var (rangeA, rangeB) = (Of(a), Of(b));
            if (holds && rangeB.Max > 0)
            {
                Refine(a, new Interval(0, rangeB.Max - 1));
                Refine(b, new Interval(rangeA.Min + 1, UInt128.MaxValue));
            }
            else if (!holds)
            {
                Refine(a, new Interval(rangeB.Min, UInt128.MaxValue));
                Refine(b, new Interval(0, rangeA.Max));
            }
        }

        /// <summary>Takes in that a value is in a range, and what follows for its operands.</summary>
        public void Refine(Value value, Interval range)
        {
            if (value is Constant) return;
            var before = Of(value);
            // A contradiction: nobody comes here.
            if (before.Meet(range) is not { } now || now == before) return;
            Known = Known.SetItem(value, now);
            _found.Add(value);
            _computed.Clear();
            if (value is Operation operation) RefineOperands(operation, now);
            else if (value is Phi phi) RefineSiblings(phi, now);
        }

        /// <summary>
        /// Takes in what follows for the other phis of a block when some ways to it are out of the question: a view
        /// that was parsed is where it was parsed, once it is known that it was.
        /// </summary>
        private void RefineSiblings(Phi phi, Interval range)
        {
            var ways = Enumerable.Range(0, phi.Operands.Count)
                .Where(way => facts._ranges.Of(phi.Operands[way]).Meet(range) is not null).ToList();
            if (ways.Count == 0 || ways.Count == phi.Operands.Count) return;
            foreach (var other in phi.Block.Phis.Where(other => other != phi))
                Refine(other, ways.Select(way => facts._ranges.Of(other.Operands[way])).Aggregate((a, b) => a.Join(b)));
        }

        private void RefineOperands(Operation operation, Interval range)
        {
            var o = operation.Operands;
            switch (operation.Opcode)
            {
                case Opcode.Concat:
                    var bits = o[1].Width;
                    Refine(o[0], new Interval(range.Min >> bits, range.Max >> bits));
                    if (Of(o[0]) is { IsOne: true, Min: var high } && range.Min >= high << bits)
                        Refine(o[1], new Interval(range.Min - (high << bits), range.Max - (high << bits)));
                    else if (o[1] is Constant low)
                        Refine(
                            o[0],
                            new Interval(
                                range.Min > low.Bits ? (range.Min - low.Bits + Arithmetic.Mask(bits)) >> bits : 0,
                                range.Max >> bits));
                    break;
                // The bits above are 0 anyway.
                case Opcode.Extract when Of(o[0]).Max <= Arithmetic.Mask(operation.Low + operation.Width):
                    Refine(
                        o[0],
                        new Interval(
                            range.Min << operation.Low, (range.Max << operation.Low) + Arithmetic.Mask(operation.Low)));
                    break;
                case Opcode.Add
                    when o[1] is Constant by
                        && Of(o[0]).Max <= Arithmetic.Mask(operation.Width) - by.Bits && range.Min >= by.Bits:
                    Refine(o[0], new Interval(range.Min - by.Bits, range.Max - by.Bits));
                    break;
                case Opcode.Subtract
                    when o[1] is Constant by && Of(o[0]).Min >= by.Bits
                        && range.Max <= Arithmetic.Mask(operation.Width) - by.Bits:
                    Refine(o[0], new Interval(range.Min + by.Bits, range.Max + by.Bits));
                    break;
            }
        }
    }
}
