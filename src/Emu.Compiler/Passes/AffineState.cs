using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// The state of turns that hangs on nothing but itself, and of which any number of turns is as simple as one: affine
/// over GF(2), as a shift register's with linear feedback, or a number to which a constant is added. So the state
/// before each of the turns that are done at once is known from the one before the first (jumping ahead; Haramoto and
/// others 2008, <em>Efficient jump ahead for F2-linear random number generators</em>).
/// </summary>
internal sealed class AffineState
{
    private readonly FrameFold _fold;
    private readonly Dictionary<Phi, int> _lowOf = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Phi, UInt128> _added = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, bool> _isLinear = new(ReferenceEqualityComparer.Instance);
    private readonly UInt128 _constant;
    private readonly UInt128[] _columns = [];
    private readonly int _bits;

    private AffineState(FrameFold fold)
    {
        _fold = fold;
        var forms = new FoldForms(new OperationList([]));
        foreach (var (next, state) in fold.NextState.Zip(fold.StateParameters))
        {
            if (forms.AddendOf(next, state, state.Width) is { } form && form.Operation is null or Opcode.Add
                && form.Addend is null or Constant)
            {
                _added[state] = form.Addend is Constant by ? by.Bits : 0;
                continue;
            }
            _lowOf[state] = _bits;
            _bits += state.Width;
        }
        if (_bits > Value.MaxWidth) return;
        var linear = fold.NextState.Zip(fold.StateParameters).Where(pair => _lowOf.ContainsKey(pair.Second)).ToList();
        IsKnown = linear.TrueForAll(pair => IsLinear(pair.First));
        if (!IsKnown) return;
        UInt128 After(UInt128 state) => linear.Aggregate(
            UInt128.Zero, (so, pair) => so | Evaluate(pair.First, state) << _lowOf[pair.Second]);
        _constant = After(0);
        _columns = [.. Enumerable.Range(0, _bits).Select(bit => After(UInt128.One << bit) ^ _constant)];
    }

    private bool IsKnown { get; }

    /// <summary>The state of a fold; null if it is of another kind.</summary>
    public static AffineState? Of(FrameFold fold) => new AffineState(fold) is { IsKnown: true } state ? state : null;

    /// <summary>The state behind a number of turns.</summary>
    /// <param name="n">Makes values.</param>
    /// <param name="state">The state before them.</param>
    /// <param name="turns">How many.</param>
    public IReadOnlyList<Value> After(FoldingBuilder n, IReadOnlyList<Value> state, int turns)
    {
        var joined = Joined(n, state);
        return [.. _fold.StateParameters.Zip(state, (phi, value) =>
            _added.TryGetValue(phi, out var by)
                ? n.Add(value, new Constant(phi.Width, unchecked(by * (UInt128)turns) & Arithmetic.Mask(phi.Width)))
                : Linear(n, phi, joined!, turns))];
    }

    /// <summary>
    /// The values of a turn that follow from the state alone, and are used together with others, as they are some
    /// turns on: so nothing of the state is computed that no such value needs.
    /// </summary>
    /// <param name="n">Makes values.</param>
    /// <param name="state">The state before.</param>
    /// <param name="turns">How many turns on.</param>
    public Dictionary<Value, Value> Leaves(FoldingBuilder n, IReadOnlyList<Value> state, int turns)
    {
        var leaves = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        foreach (var (phi, value) in _fold.StateParameters.Zip(state))
            if (_added.TryGetValue(phi, out var by))
                leaves[phi] = n.Add(
                    value, new Constant(phi.Width, unchecked(by * (UInt128)turns) & Arithmetic.Mask(phi.Width)));
        if (Joined(n, state) is not { } joined) return leaves;
        void Find(Value value)
        {
            if (leaves.ContainsKey(value)) return;
            if (IsLinear(value)) leaves[value] = value is Constant ? value : Linear(n, value, joined, turns);
            else if (value is Operation operation) operation.Operands.ForEach(Find);
        }
        Find(_fold.Turn.Values[0]);
        return leaves;
    }

    /// <summary>The parts of the state that are linear, as one value; null if there are none.</summary>
    private Value? Joined(FoldingBuilder n, IReadOnlyList<Value> state) =>
        _fold.StateParameters.Zip(state).Where(pair => _lowOf.ContainsKey(pair.First)).Select(pair => pair.Second)
            .Aggregate((Value?)null, (low, high) => low is null ? high : n.Concat(high, low));

    /// <summary>A linear value of a turn, some turns on.</summary>
    private Value Linear(FoldingBuilder n, Value value, Value state, int turns)
    {
        UInt128 On(UInt128 from)
        {
            for (var turn = 0; turn < turns; turn++) from = Next(from);
            return Evaluate(value, from);
        }
        var constant = On(0);
        var columns = Enumerable.Range(0, _bits).Select(bit => On(UInt128.One << bit) ^ constant).ToList();
        return Enumerable.Range(0, value.Width).Select(row =>
        {
            List<Value> terms = [.. Enumerable.Range(0, _bits).Where(bit => (columns[bit] >> row & 1) == 1)
                .Select(bit => n.Extract(state, bit, 1))];
            if ((constant >> row & 1) == 1) terms.Add(FoldingBuilder.Bit(true));
            return Sum(n, terms);
        }).Aggregate((low, high) => n.Concat(high, low));
    }

    private UInt128 Next(UInt128 state)
    {
        var next = _constant;
        for (var bit = 0; bit < _bits; bit++) if ((state >> bit & 1) == 1) next ^= _columns[bit];
        return next;
    }

    /// <summary>A balanced sum of bits.</summary>
    private static Value Sum(FoldingBuilder n, List<Value> bits)
    {
        if (bits.Count == 0) return FoldingBuilder.Bit(false);
        for (; bits.Count > 1; bits = [.. bits.Chunk(2).Select(pair => pair.Aggregate(Xor))]) continue;
        return bits[0];

        Value Xor(Value a, Value b) => n.Make(Opcode.Xor, 1, a, b);
    }

    /// <summary>True if a value is made of the linear parts of the state alone, by what is affine over GF(2).</summary>
    private bool IsLinear(Value value)
    {
        if (value is Constant) return true;
        if (value is Phi phi) return _lowOf.ContainsKey(phi);
        if (value is not Operation operation) return false;
        if (_isLinear.TryGetValue(value, out var known)) return known;
        return _isLinear[value] = operation.Operands.TrueForAll(IsLinear) && operation.Opcode switch
        {
            Opcode.Xor or Opcode.Concat or Opcode.Extract or Opcode.ZeroExtend or Opcode.SignExtend
                or Opcode.Truncate => true,
            Opcode.And or Opcode.Or => operation.Operands.Exists(operand => operand is Constant),
            // A choice between values that differ by a constant adds that or nothing.
            Opcode.Select => Enumerable.Range(0, _bits).All(bit => Difference(operation, UInt128.One << bit)
                == Difference(operation, 0)),
            _ => operation.Operands.TrueForAll(operand => operand is Constant),
        };
    }

    private UInt128 Difference(Operation choice, UInt128 state) =>
        Evaluate(choice.Operands[1], state) ^ Evaluate(choice.Operands[2], state);

    private UInt128 Evaluate(Value value, UInt128 state) => value switch
    {
        Constant constant => constant.Bits,
        Phi phi => state >> _lowOf[phi] & Arithmetic.Mask(phi.Width),
        Operation operation => Arithmetic.Compute(
            operation, Evaluate(operation.Operands[0], state),
            operation.Operands.Count > 1 ? Evaluate(operation.Operands[1], state) : 0,
            operation.Operands.Count > 2 ? Evaluate(operation.Operands[2], state) : 0),
        _ => throw new InvalidOperationException("a value of another kind is no state"),
    };
}
