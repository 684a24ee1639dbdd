using System.Collections.Immutable;
using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// A sum of values, each taken some times, and a number, modulo a power of two: places and lengths that are computed in
/// different ways are compared by it.
/// </summary>
internal sealed class LinearForm : IEquatable<LinearForm>
{
    /// <summary>The operations that are looked into, one below the other: values may be shared.</summary>
    private const int MostDepth = 12;

    private static readonly ImmutableDictionary<Value, UInt128> s_none = ImmutableDictionary.Create<Value, UInt128>(
        ReferenceEqualityComparer.Instance!);

    private readonly int _bits;
    private readonly ImmutableDictionary<Value, UInt128> _times;

    private LinearForm(int bits, ImmutableDictionary<Value, UInt128> times, UInt128 number) =>
        (_bits, _times, Number) = (bits, times, number & Arithmetic.Mask(bits));

    /// <summary>The number that is added.</summary>
    public UInt128 Number { get; }

    /// <summary>True if it is nothing but a number.</summary>
    public bool IsNumber => _times.IsEmpty;

    /// <summary>True if all its values are of a kind.</summary>
    public bool IsOf(Predicate<Value> isOfKind) => _times.Keys.All(value => isOfKind(value));

    /// <summary>Its values that are phis.</summary>
    public IEnumerable<Phi> Phis => _times.Keys.OfType<Phi>();

    /// <summary>A number.</summary>
    public static LinearForm Of(int bits, UInt128 number) => new(bits, s_none, number);

    /// <summary>A value and nothing else.</summary>
    public static LinearForm Itself(int bits, Value value) => new(bits, s_none.Add(value, 1), 0);

    /// <summary>
    /// The form of a value: it is the same modulo the power of two. Sums of fewer bits are looked into where they have
    /// no carry.
    /// </summary>
    /// <param name="value">The value.</param>
    /// <param name="bits">The power of two.</param>
    /// <param name="range">The numbers that values can be.</param>
    /// <param name="atom">A value that stands for another; null for none.</param>
    public static LinearForm Of(
        Value value, int bits, Func<Value, Interval> range, Func<Value, Value?> atom) =>
        new Reader(bits, range, atom).Of(value, MostDepth);

    public static bool operator ==(LinearForm? one, LinearForm? other) => Equals(one, other);

    public static bool operator !=(LinearForm? one, LinearForm? other) => !Equals(one, other);

    /// <summary>The greatest number of which all values of a kind are taken a multiple of times; 0 for none.</summary>
    public UInt128 StrideOf(Predicate<Value> isOfKind) => _times.Where(term => isOfKind(term.Key))
        .Aggregate((UInt128)0, (stride, term) => Arithmetic.GreatestCommonDivisor(stride, term.Value));

    /// <summary>The sum with another.</summary>
    public LinearForm Plus(LinearForm other) => Plus(other, 1);

    /// <summary>The sum with a number.</summary>
    public LinearForm Plus(UInt128 number) => new(_bits, _times, Number + number);

    /// <summary>The difference from another.</summary>
    public LinearForm Minus(LinearForm other) => Plus(other, UInt128.MaxValue);

    /// <summary>The same with a sum in the place of a value.</summary>
    public LinearForm With(Value value, LinearForm sum) => _times.TryGetValue(value, out var times)
        ? new LinearForm(_bits, _times.Remove(value), Number).Plus(sum, times)
        : this;

    /// <summary>
    /// The least number that it can be if none of its values is taken a negative number of times; null if one is.
    /// </summary>
    /// <param name="range">The numbers that values can be.</param>
    public Int128? Least(Func<Value, Interval> range)
    {
        var (least, most) = (Signed(Number), Signed(Number));
        foreach (var (value, times) in _times)
        {
            var numbers = range(value);
            if (Signed(times) < 0 || numbers.Max > uint.MaxValue) return null;
            least += (Int128)(times * numbers.Min);
            most += (Int128)(times * numbers.Max);
        }
        return most <= (Int128)Arithmetic.Mask(_bits - 1) ? least : null;
    }

    /// <inheritdoc />
    public bool Equals(LinearForm? other) =>
        other is not null && Number == other.Number && _times.Count == other._times.Count
        && _times.All(term => other._times.TryGetValue(term.Key, out var times) && times == term.Value);

    /// <inheritdoc />
    public override bool Equals(object? obj) => Equals(obj as LinearForm);

    /// <inheritdoc />
    public override int GetHashCode() => HashCode.Combine(Number, _times.Count);

    private LinearForm Times(UInt128 number)
    {
        var mask = Arithmetic.Mask(_bits);
        var times = _times;
        foreach (var (value, count) in _times)
        {
            var product = count * number & mask;
            times = product == 0 ? times.Remove(value) : times.SetItem(value, product);
        }
        return new LinearForm(_bits, times, Number * number);
    }

    private LinearForm Plus(LinearForm other, UInt128 count)
    {
        var mask = Arithmetic.Mask(_bits);
        var times = _times;
        foreach (var (value, more) in other._times)
        {
            var sum = times.GetValueOrDefault(value) + more * count & mask;
            times = sum == 0 ? times.Remove(value) : times.SetItem(value, sum);
        }
        return new LinearForm(_bits, times, Number + other.Number * count);
    }

    private Int128 Signed(UInt128 number) =>
        number >> (_bits - 1) == 0 ? (Int128)number : (Int128)number - (Int128)(UInt128.One << _bits);

    private sealed class Reader(int bits, Func<Value, Interval> range, Func<Value, Value?> atom)
    {
        public LinearForm Of(Value value, int depth)
        {
            if (value is Constant constant) return LinearForm.Of(bits, constant.Bits);
            if (atom(value) is { } other) return Itself(bits, other);
            if (depth == 0 || value is not Operation operation) return Itself(bits, value);
            var mask = Arithmetic.Mask(value.Width);
            var wraps = value.Width >= bits;
            UInt128 Most(Value part) => range(part).Max;
            LinearForm Part(Value part) => Of(part, depth - 1);
            return (operation.Opcode, operation.Operands) switch
            {
                (Opcode.ZeroExtend, [var part]) => Part(part),
                (Opcode.Truncate, [var whole]) when wraps || Most(whole) <= mask => Part(whole),
                (Opcode.Extract, [var whole]) when operation.Low == 0 && (wraps || Most(whole) <= mask) => Part(whole),
                (Opcode.Concat, [Constant { Bits: var zeros }, var low]) when zeros == 0 => Part(low),
                (Opcode.Concat, [var high, Constant low]) => Part(high).Times(UInt128.One << low.Width).Plus(low.Bits),
                (Opcode.Add, [var a, var b]) when wraps || Most(a) <= mask - Most(b) => Part(a).Plus(Part(b)),
                (Opcode.Subtract, [var a, var b]) when wraps || range(a).Min >= Most(b)
                    || Part(a).Minus(Part(b)).Least(range) >= 0 => Part(a).Minus(Part(b)),
                // Of fewer bits, but those of the whole difference.
                (Opcode.Subtract, [var a, var b]) when LowBitsOf(a) is { } whole && range(whole).Min >= Most(b)
                    && Most(whole) - range(b).Min <= mask => Part(whole).Minus(Part(b)),
                (Opcode.Multiply, [var a, Constant by]) when wraps || by.Bits != 0 && Most(a) <= mask / by.Bits =>
                    Part(a).Times(by.Bits),
                _ => Itself(bits, value),
            };
        }

        /// <summary>The value of which one is the lowest bits; null if it is not made so.</summary>
        private static Value? LowBitsOf(Value value) =>
            value is Operation { Opcode: Opcode.Truncate or Opcode.Extract, Low: 0 } low ? low.Operands[0] : null;
    }
}
