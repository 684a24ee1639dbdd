using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Frontend;

/// <summary>
/// Builds a function block by block and finds the values of variables while it goes (Braun and others 2013, <i>Simple
/// and efficient construction of static single assignment form</i>). Operations on constants are folded at once.
/// </summary>
internal sealed class SsaBuilder
{
    private readonly Dictionary<(Slot, Block), AbstractValue> _definitions = [];
    private readonly Dictionary<Block, List<(Slot Slot, AbstractValue Phi)>> _unsealed = [];
    private readonly Dictionary<Block, string?> _loopHeaders = [];
    private readonly HashSet<Phi> _choices = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Slot, AbstractValue> _latest = [];
    private bool _isRequiring;

    /// <summary>The block that operations go to; null behind a jump, until the next block.</summary>
    public Block? Current { get; set; }

    /// <summary>The C# that operations come from.</summary>
    public SourceLocation? Location { get; set; }

    /// <summary>The objects that variables may refer to; null where each refers to one that is known.</summary>
    public PointsToSets? Objects { get; init; }

    /// <summary>
    /// The state on the one way from the entry to here; null once there are several, or none is known.
    /// </summary>
    public KnownState? Known { get; private set; }

    /// <summary>The state at the entry is known.</summary>
    public void Know(KnownState state) => Known = state;

    /// <summary>Behind this place there are several ways.</summary>
    public void Forget()
    {
        if (Current is not null) Known?.Flush(Current);
        Known = null;
    }

    public static Constant Constant(int width, UInt128 bits) => new(width, bits);

    /// <summary>Makes a block whose predecessors are not all known before <see cref="Seal"/>.</summary>
    /// <param name="isLoopHeader">True if a predecessor may come from behind it.</param>
    /// <param name="place">Tells a header from others, the same each time that the program is translated.</param>
    public Block NewBlock(bool isLoopHeader = false, string? place = null)
    {
        var block = new Block();
        _unsealed[block] = [];
        if (isLoopHeader)
        {
            _loopHeaders.Add(block, place);
            Forget();
        }
        return block;
    }

    /// <summary>All predecessors of the block are known now.</summary>
    public void Seal(Block block)
    {
        if (!_unsealed.Remove(block, out var waiting)) return;
        foreach (var (slot, phi) in waiting) AddOperands(phi, slot, block);
    }

    public void Jump(Block target) => End(new Jump(target));

    public void Branch(Value condition, Block then, Block @else)
    {
        if (condition is Constant constant) Jump(constant.Bits != 0 ? then : @else);
        else if (then == @else) Jump(then);
        else if (condition is Operation { Opcode: Opcode.Xor } not && IR.Constant.Is(not.Operands[1], 1))
            Branch(not.Operands[0], @else, then);
        else End(new Branch(condition, then, @else));
    }

    public void End(Terminator terminator)
    {
        if (Current is null) return;
        if (terminator is not IR.Jump) Known?.Flush(Current);
        if (terminator is Pause || terminator is Branch && !_isRequiring) Known = null;
        Current.Terminator = terminator;
        foreach (var successor in terminator.Successors) successor.Predecessors.Add(Current);
        Current = null;
    }

    /// <summary>Goes on in the block that jumps to another, to which no other way leads.</summary>
    public bool TryContinue(Block target)
    {
        if (target.Predecessors is not [{ Terminator: IR.Jump } only]) return false;
        target.Predecessors.Clear();
        only.Terminator = null;
        Current = only;
        return true;
    }

    /// <summary>Goes on only if <paramref name="holds"/>; else the event ends in a fault.</summary>
    public void Require(Value holds, FaultKind kind)
    {
        if (Current is null || IR.Constant.Is(holds, 1)) return;
        var fault = NewBlock();
        var next = NewBlock();
        _isRequiring = true;
        Branch(holds, next, fault);
        _isRequiring = false;
        Seal(fault);
        Seal(next);
        if (fault.Predecessors.Count > 0)
        {
            Current = fault;
            Fail(kind);
        }
        Current = next.Predecessors.Count > 0 ? next : null;
    }

    /// <summary>Code that runs behind a fault, and then goes on with it; null for none.</summary>
    public Action<FaultKind>? Failing { get; set; }

    /// <summary>The event ends in a fault, behind what runs before.</summary>
    public void Fail(FaultKind kind)
    {
        if (Failing is { } failing) failing(kind);
        else End(new Fault(kind, Location));
    }

    public void Write(Slot slot, AbstractValue value)
    {
        if (Current is not null) _definitions[(slot, Current)] = value;
        _latest[slot] = value;
    }

    /// <summary>The value of a variable here; in code that is never reached, any of its structure.</summary>
    public AbstractValue Read(Slot slot) => Current is null ? _latest[slot] : Read(slot, Current);

    /// <summary>
    /// Adds an operation, or gives its result if that is known; in code that is never reached, any number.
    /// </summary>
    public Value Emit(Opcode opcode, int width, params IEnumerable<Value> operands) =>
        Add(new Operation(opcode, width, operands) { Location = Location });

    public Value Emit(
        Opcode opcode, int width, IReadOnlyList<StateElement> state, params IEnumerable<Value> operands) =>
        Add(new Operation(opcode, width, operands) { State = state, Location = Location });

    public Value Add(Operation operation)
    {
        if (Current is null) return Constant(operation.Width, 0);
        for (var simpler = operation; simpler is not null; simpler = Folding.TrySimplify(operation))
        {
            operation = simpler;
            if (Folding.TryFold(operation) is { } known) return known;
        }
        if (Known?.TryDo(operation, Current) is { } result) return result;
        Current.Operations.Add(operation);
        return operation;
    }

    /// <summary>The value of another width: cut, or extended by zeros or by the sign.</summary>
    public Value Resize(Value value, int width, bool isSigned = false) =>
        value.Width == width ? value
        : value.Width > width ? Emit(Opcode.Truncate, width, value)
        : Emit(isSigned ? Opcode.SignExtend : Opcode.ZeroExtend, width, value);

    /// <summary>The value of several that a selector counts to; the first without a selector, or beyond.</summary>
    public Value Choose(IReadOnlyList<Value> values, Value? selector)
    {
        var chosen = values[0];
        for (var i = 1; i < values.Count && selector is not null; i++)
        {
            var isThis = Emit(Opcode.Equal, 1, selector, Constant(selector.Width, (UInt128)i));
            chosen = Emit(Opcode.Select, chosen.Width, isThis, values[i], chosen);
        }
        return chosen;
    }

    public Value Not(Value condition) => Emit(Opcode.Xor, 1, condition, Constant(1, 1));

    private AbstractValue Read(Slot slot, Block block)
    {
        if (_definitions.TryGetValue((slot, block), out var known)) return known;
        var value = ReadFromPredecessors(slot, block);
        return _definitions[(slot, block)] = value;
    }

    private AbstractValue ReadFromPredecessors(Slot slot, Block block)
    {
        if (block.Predecessors.Count == 0)
            throw new CompileException(
                DiagnosticNumber.InvalidCil, $"{slot.Name} is read before it is written", Location);
        var first = Read(slot, block.Predecessors[0]);
        // Reading around a loop may have come by here.
        if (_definitions.TryGetValue((slot, block), out var meanwhile)) return meanwhile;
        if (_unsealed.TryGetValue(block, out var waiting))
        {
            var incomplete = NewPhi(first, block, KeyOf(slot, block));
            waiting.Add((slot, incomplete));
            return incomplete;
        }
        if (_loopHeaders.ContainsKey(block))
        {
            var phi = NewPhi(first, block, KeyOf(slot, block));
            _definitions[(slot, block)] = phi;
            AddOperands(phi, slot, block);
            return phi;
        }
        var all = block.Predecessors.Select(predecessor => Read(slot, predecessor)).ToList();
        return Join(all, slot, block);
    }

    /// <summary>The join of values that are all known: a phi only where they differ.</summary>
    private AbstractValue Join(List<AbstractValue> values, Slot slot, Block block)
    {
        var first = values[0];
        if (values.Any(value => value.GetType() != first.GetType()) || first is DelegateValue)
        {
            if (values.All(v => IsSame(v, first))) return first;
            if (Objects is not null && values.ConvertAll(Objects.AsReference) is var all
                && all.TrueForAll(reference => reference is not null))
                return JoinReferences(all!, slot, block);
        }
        if (values.Any(value => value.GetType() != first.GetType())) throw Differ(slot, "things of different kinds");
        switch (first)
        {
            case Scalar:
                return new Scalar(Join(values.Select(v => ((Scalar)v).Value), block));
            case Struct shape:
                return shape with
                {
                    Fields = [.. shape.Fields.Select((_, i) =>
                        Join([.. values.Select(v => ((Struct)v).Fields[i])], slot, block))],
                };
            case SpanValue:
                var spans = values.Cast<SpanValue>().ToList();
                var real = spans.FirstOrDefault(s => !s.IsDefault) ?? spans[0];
                return new SpanValue(
                    spans.All(s => s.IsDefault || s.LiesOverSame(real)) ? real.Array : JoinArrays(spans, slot, block),
                    real.IsDefault,
                    Join(spans.Select(s => s.Start), block),
                    Join(spans.Select(s => s.Length), block),
                    real.Local);
            case Reference reference:
                if (values.Cast<Reference>().All(r => IsSame(r, reference))) return reference;
                return JoinReferences(values.Cast<Reference>().ToList(), slot, block);
            case Pointer { Target: ElementLocation element }
                when values.All(v => v is Pointer { Target: ElementLocation e } && IsSameButIndex(e, element)):
                return new Pointer(
                    element with
                    {
                        Index = Join(values.Select(v => ((ElementLocation)((Pointer)v).Target).Index), block),
                    });
            case Pointer { Target: FrameLocation } when values.All(v => v is Pointer { Target: FrameLocation }):
                return new Pointer(
                    new FrameLocation(Join(values.Select(v => ((FrameLocation)((Pointer)v).Target).Offset), block)));
            default:
                if (values.All(v => IsSame(v, first))) return first;
                throw Differ(slot, "references to different variables");
        }
    }

    /// <summary>
    /// One of all the arrays that spans may lie over, as texts of which a switch chooses one; a default span has no
    /// elements, so it may be over any.
    /// </summary>
    private Reference JoinArrays(List<SpanValue> spans, Slot slot, Block block)
    {
        var some = spans.Find(span => span.Array is { IsKnown: true })?.Array;
        var arrays = spans.ConvertAll(span => span.IsDefault ? some : span.Array);
        if (arrays.Exists(array => array?.Target?.GetType() != some?.Target?.GetType()) || some is null)
            throw Differ(slot, "spans over different memories");
        return JoinReferences(arrays!, slot, block);
    }

    private Reference JoinReferences(List<Reference> references, Slot slot, Block block)
    {
        if (Objects is not null) return JoinChoices(references, block);
        if (!references.All(r => r.IsKnown)) throw Differ(slot, "choices of objects");
        var candidates = references.Select(r => r.Target).Distinct(ReferenceEqualityComparer.Instance).ToList();
        return new Reference(candidates,
            Join(
                references.Select(r =>
                    (Value)Constant(32, (UInt128)candidates.FindIndex(c => ReferenceEquals(c, r.Target)))),
                block));
    }

    /// <summary>One of all the objects that references may be.</summary>
    private Reference JoinChoices(List<Reference> references, Block block)
    {
        List<object?> candidates = [];
        foreach (var candidate in references.SelectMany(r => r.Candidates))
        {
            if (PointsToSets.IndexOf(candidates, candidate) < 0) candidates.Add(candidate);
        }
        var numbers = references.Select((r, i) => NumberIn(candidates, r, block.Predecessors[i])).ToList();
        return candidates.Count == 1
            ? new Reference(candidates[0])
            : new Reference(candidates, Join(numbers, block));
    }

    /// <summary>The number of a reference in a set, computed at the end of a block.</summary>
    private Value NumberIn(IReadOnlyList<object?> set, Reference reference, Block block)
    {
        var current = Current;
        Current = block;
        var number = NumberIn(set, reference);
        Current = current;
        return number;
    }

    /// <summary>The number that a reference has in a set of objects.</summary>
    public Value NumberIn(IReadOnlyList<object?> set, Reference reference)
    {
        var width = PointsToSets.WidthOf(set);
        var numbers = reference.Candidates.Select(candidate => PointsToSets.IndexOf(set, candidate)).ToList();
        if (reference.Selector is { } selector && numbers.Index().All(number => number.Item == number.Index))
            return Resize(selector, width);
        return Choose([.. numbers.Select(i => Constant(width, (UInt128)Math.Max(i, 0)))], reference.Selector);
    }

    private static Value Join(IEnumerable<Value> values, Block block)
    {
        var all = values.ToList();
        if (all.All(v => IsSame(v, all[0]))) return all[0];
        var phi = new Phi(all[0].Width, block);
        phi.Operands.AddRange(all);
        block.Phis.Add(phi);
        return phi;
    }

    private static bool IsSame(Value a, Value b) =>
        a == b || a is Constant x && b is Constant y && x.Width == y.Width && x.Bits == y.Bits;

    private static bool IsSame(Reference a, Reference b) =>
        a.Candidates.SequenceEqual(b.Candidates, ReferenceEqualityComparer.Instance)
        && (a.Selector == b.Selector
            || a.Selector is not null && b.Selector is not null && IsSame(a.Selector, b.Selector));

    private static bool IsSameButIndex(ElementLocation a, ElementLocation b) =>
        IsSame(a.Array, b.Array) && a.Path.SequenceEqual(b.Path);

    private static bool IsSame(AbstractValue a, AbstractValue b) => (a, b) switch
    {
        (Pointer x, Pointer y) => IsSame(x.Target, y.Target),
        (Reference x, Reference y) => IsSame(x, y),
        (DelegateValue x, DelegateValue y) =>
            x.Method == y.Method
            && (x.Receiver is null ? y.Receiver is null : y.Receiver is not null && IsSame(x.Receiver, y.Receiver)),
        _ => a.Equals(b),
    };

    /// <summary>True if two locations are surely the same.</summary>
    public static bool IsSame(StorageLocation a, StorageLocation b) => a.Path.SequenceEqual(b.Path) && (a, b) switch
    {
        (LocalLocation x, LocalLocation y) => x.Slot == y.Slot,
        (FieldLocation x, FieldLocation y) => IsSame(x.Owner, y.Owner) && x.Info == y.Info,
        (ElementLocation x, ElementLocation y) => IsSame(x.Array, y.Array) && IsSame(x.Index, y.Index),
        (LocalElementLocation x, LocalElementLocation y) =>
            IsSame(x.Array.Location, y.Array.Location) && IsSame(x.Index, y.Index),
        (FrameLocation x, FrameLocation y) => IsSame(x.Offset, y.Offset),
        (ConstantLocation x, ConstantLocation y) => ReferenceEquals(x.Value, y.Value),
        _ => false,
    };

    /// <summary>A phi for each number of a value whose structure is that of <paramref name="like"/>.</summary>
    private AbstractValue NewPhi(AbstractValue like, Block block, string? key)
    {
        switch (like)
        {
            case Reference or DelegateValue when key is not null && Objects?.Of(key) is { } set:
                var choice = NewPhi(PointsToSets.WidthOf(set), block);
                _choices.Add(choice);
                return new Reference([.. set], choice);
            case Scalar scalar:
                return new Scalar(NewPhi(scalar.Value.Width, block));
            case Struct shape:
                return shape with
                {
                    Fields = [.. shape.Fields.Select((field, i) => NewPhi(field, block, Part(key, i)))],
                };
            case SpanValue span:
                // Before the loop it is not known which array a default span will lie over: for bytes it is the frame.
                return span with
                {
                    IsDefault = false,
                    Start = NewPhi(span.Start.Width, block),
                    Length = NewPhi(span.Length.Width, block),
                };
            case Pointer { Target: ElementLocation element }:
                return new Pointer(element with { Index = NewPhi(element.Index.Width, block) });
            case Pointer { Target: FrameLocation frame }:
                return new Pointer(new FrameLocation(NewPhi(frame.Offset.Width, block)));
            default:
                return like;
        }
    }

    private string? KeyOf(Slot slot, Block block) =>
        Objects is not null && _loopHeaders.GetValueOrDefault(block) is { } place ? $"{slot.Place} {place}" : null;

    private static string? Part(string? key, int index) => key is null ? null : $"{key}.{index}";

    private static Phi NewPhi(int width, Block block)
    {
        var phi = new Phi(width, block);
        block.Phis.Add(phi);
        return phi;
    }

    private void AddOperands(AbstractValue phi, Slot slot, Block block)
    {
        foreach (var predecessor in block.Predecessors)
            AddOperand(phi, Read(slot, predecessor), slot, predecessor, KeyOf(slot, block));
    }

    /// <summary>
    /// Adds an object to those that a variable refers to at the head of a loop; false where that is none of several.
    /// </summary>
    private bool TryAddObject(AbstractValue phi, AbstractValue operand, Block predecessor, string? key)
    {
        if (Objects is null || key is null || Objects.AsReference(phi) is not { } choice
            || Objects.AsReference(operand) is not { } reference)
            return false;
        if (choice.Selector is Phi number && _choices.Contains(number))
        {
            Objects.With(key, reference.Candidates);
            number.Operands.Add(NumberIn(choice.Candidates, reference, predecessor));
        }
        else if (!IsSame(choice, reference)) Objects.With(key, choice.Candidates.Concat(reference.Candidates));
        return true;
    }

    private void AddOperand(AbstractValue phi, AbstractValue operand, Slot slot, Block predecessor, string? key)
    {
        if (TryAddObject(phi, operand, predecessor, key)) return;
        switch (phi, operand)
        {
            case (Scalar scalar, Scalar number):
                AddOperand(scalar.Value, number.Value);
                break;
            case (Struct shape, Struct other):
                for (var i = 0; i < shape.Fields.Count; i++)
                    AddOperand(shape.Fields[i], other.Fields[i], slot, predecessor, Part(key, i));
                break;
            case (SpanValue span, SpanValue other):
                if (!other.IsDefault && !span.LiesOverSame(other)) throw Differ(slot, "spans over different memories");
                AddOperand(span.Start, other.Start);
                AddOperand(span.Length, other.Length);
                break;
            case (Pointer { Target: ElementLocation element }, Pointer { Target: ElementLocation other })
                when IsSameButIndex(element, other):
                AddOperand(element.Index, other.Index);
                break;
            case (Pointer { Target: FrameLocation frame }, Pointer { Target: FrameLocation other }):
                AddOperand(frame.Offset, other.Offset);
                break;
            default:
                if (!IsSame(phi, operand)) throw Differ(slot, "references to different things, changed in a loop");
                break;
        }
    }

    private static void AddOperand(Value phi, Value operand) => ((Phi)phi).Operands.Add(operand);

    private CompileException Differ(Slot slot, string what) =>
        new(
            DiagnosticNumber.SeveralPlaces,
            $"{slot.Name} is one of {what}, depending on the way to here; use one of them in each branch",
            Location);
}
