using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The greatest numbers that parts of a fold's state can be: a turn makes of each a constant, another part, or that
/// which it was and no more than so much, and there are no more turns than bytes (a difference bound; Gulwani, Mehra
/// and Chilimbi 2009, <em>SPEED: precise and efficient static estimation of program computational complexity</em>).
/// </summary>
internal sealed class TurnBounds
{
    /// <summary>The widest values of which all numbers count as possible.</summary>
    private const int MostBits = 16;

    private readonly IReadOnlyList<Phi> _state;
    private readonly Dictionary<Value, Bound?> _known = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Phi, UInt128> _most = [];
    private int _leastWidth = Value.MaxWidth;

    /// <summary>Finds them.</summary>
    /// <param name="fold">The fold.</param>
    /// <param name="initial">The greatest numbers in front of the first turn; null where that is not known.</param>
    /// <param name="turns">The most turns.</param>
    public TurnBounds(FrameFold fold, IReadOnlyList<UInt128?> initial, int turns)
    {
        _state = fold.StateParameters;
        var parts = _state.Zip(fold.NextState, initial).ToList();
        bool IsFound((Phi Part, Value Next, UInt128? Initial) each)
        {
            if (_most.ContainsKey(each.Part) || each.Initial is not { } first
                || Of(each.Next) is not { } bound
                || bound.Parts.Keys.Any(part => part != each.Part && !_most.ContainsKey(part)))
                return false;
            var most = bound.Parts.Where(part => part.Key != each.Part)
                .Select(part => _most[part.Key] + part.Value).Append(first).Append(bound.Most).Max()
                + (UInt128)turns * bound.Parts.GetValueOrDefault(each.Part);
            return most <= Arithmetic.Mask(_leastWidth) && _most.TryAdd(each.Part, most);
        }
        while (parts.Exists(IsFound))
        {
            // Others may need what was found.
        }
    }

    /// <summary>The bits that a part of the state needs.</summary>
    public int WidthOf(int number) => _most.TryGetValue(_state[number], out var most)
        ? Math.Min(_state[number].Width, Interval.Of(most).Width)
        : _state[number].Width;

    /// <summary>A number that a value is at most, or a part of the state and so much more.</summary>
    private sealed record Bound(UInt128 Most, IReadOnlyDictionary<Phi, UInt128> Parts)
    {
        public Bound Or(Bound other) => new(
            UInt128.Max(Most, other.Most),
            Parts.Concat(other.Parts).GroupBy(part => part.Key)
                .ToDictionary(part => part.Key, part => part.Max(each => each.Value)));

        public Bound Plus(UInt128 more) =>
            new(Most + more, Parts.ToDictionary(part => part.Key, part => part.Value + more));
    }

    private static Bound Number(UInt128 most) => new(most, new Dictionary<Phi, UInt128>());

    private Bound? Of(Value value)
    {
        if (_known.TryGetValue(value, out var known)) return known;
        return _known[value] = value switch
        {
            // Larger ones, of which some are what C# takes away, would not fit with as many turns.
            Constant { Width: <= 64 } constant => Number(constant.Bits),
            Phi phi when _state.Contains(phi) => new Bound(0, new Dictionary<Phi, UInt128> { [phi] = 0 }),
            Operation operation when OfOperation(operation) is { } bound => bound,
            _ => value.Width <= MostBits ? Number(Arithmetic.Mask(value.Width)) : null,
        };
    }

    private Bound? OfOperation(Operation operation)
    {
        switch (operation)
        {
            case { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0:
                return Of(low);
            case { Opcode: Opcode.ZeroExtend, Operands: [var part] }:
                return Of(part);
            case { Opcode: Opcode.Select, Operands: [_, var a, var b] } when Of(a) is { } one && Of(b) is { } other:
                return one.Or(other);
            case { Opcode: Opcode.Add, Operands: [var a, var b] } when Of(a) is { } one && Of(b) is { } other
                && (one.Parts.Count == 0 || other.Parts.Count == 0):
                _leastWidth = Math.Min(_leastWidth, operation.Width);
                return one.Parts.Count == 0 ? other.Plus(one.Most) : one.Plus(other.Most);
            default:
                return null;
        }
    }
}
