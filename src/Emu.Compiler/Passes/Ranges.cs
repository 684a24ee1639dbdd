using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The numbers that values can be, given the events that can come. State holds what reset put there or what some event
/// wrote: a fixed point, from the reset values upwards.
/// </summary>
internal sealed class Ranges
{
    private const int RoundsBeforeWidening = 4;

    private readonly Dictionary<Value, Interval> _values = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<StateElement, Interval> _state = new(ReferenceEqualityComparer.Instance);

    public Ranges(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        for (var round = 0; ; round++)
        {
            var changed = false;
            foreach (var (function, events) in functions)
                changed |= Compute(function, events, isWidening: round >= RoundsBeforeWidening);
            if (!changed) return;
        }
    }

    public Interval Of(Value value) =>
        value is Constant constant
            ? Interval.Of(constant.Bits)
            : _values.GetValueOrDefault(value, Interval.Full(value.Width));

    /// <summary>The numbers that a register, or any element of a memory, can hold.</summary>
    public Interval Of(StateElement element) => _state.TryGetValue(element, out var known) ? known : element switch
    {
        Register register => Interval.Of(register.Reset),
        Memory { Depth: > 0 } memory => memory.Reset.Select(Interval.Of).Aggregate((a, b) => a.Join(b)),
        _ => Interval.Of(0),
    };

    private bool Compute(Function function, EventRange events, bool isWidening)
    {
        var changed = false;
        var done = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        foreach (var block in function.Blocks())
        {
            foreach (var phi in block.Phis)
            {
                // The value that comes around a loop is not known yet.
                var isKnown = phi.Operands.TrueForAll(o => o is Constant || done.Contains(o));
                _values[phi] = isKnown
                    ? phi.Operands.Select(Of).Aggregate((a, b) => a.Join(b))
                    : Interval.Full(phi.Width);
                done.Add(phi);
            }
            foreach (var operation in block.Operations)
            {
                if (operation.IsEffect) changed |= Write(operation, isWidening);
                else _values[operation] = Transfer(operation, events, Of, Of);
                done.Add(operation);
            }
        }
        return changed;
    }

    private bool Write(Operation operation, bool isWidening)
    {
        if (operation.Opcode is not (Opcode.RegisterWrite or Opcode.MemoryWrite or Opcode.Count)) return false;
        var data = operation.Opcode == Opcode.Count
            ? Interval.Full(operation.State[0].Width)
            : Of(operation.Operands[operation.Opcode == Opcode.RegisterWrite ? 0 : 1]);
        var changed = false;
        foreach (var element in operation.State)
        {
            var before = Of(element);
            var after = before.Join(data);
            if (after == before) continue;
            _state[element] = isWidening ? Interval.Full(element.Width) : after;
            changed = true;
        }
        return changed;
    }

    /// <summary>The numbers that an operation can give.</summary>
    /// <param name="operation">An operation that is no effect.</param>
    /// <param name="events">The events that can come.</param>
    /// <param name="of">Gives the numbers that its operands can be.</param>
    /// <param name="ofState">Gives the numbers that state can hold.</param>
    public static Interval Transfer(
        Operation operation, EventRange events, Func<Value, Interval> of, Func<StateElement, Interval> ofState)
    {
        var o = operation.Operands;
        var full = Interval.Full(operation.Width);
        Interval a() => of(o[0]);
        Interval b() => of(o[1]);
        Interval Fit(UInt128 min, UInt128 max) => min <= max && max <= full.Max ? new Interval(min, max) : full;
        switch (operation.Opcode)
        {
            case Opcode.Input:
                return events.Of(operation.Input);
            case Opcode.RegisterRead or Opcode.MemoryRead:
                return operation.State.Select(ofState).Aggregate((x, y) => x.Join(y));
            case Opcode.Extract or Opcode.Truncate:
                return Fit(a().Min >> operation.Low, a().Max >> operation.Low);
            case Opcode.Concat:
                return new Interval((a().Min << o[1].Width) + b().Min, (a().Max << o[1].Width) + b().Max);
            case Opcode.ZeroExtend:
                return a();
            case Opcode.SignExtend:
                return a().Max <= Arithmetic.Mask(o[0].Width - 1) ? a() : full;
            case Opcode.Add when operation.Width < Value.MaxWidth:
                return Fit(a().Min + b().Min, a().Max + b().Max);
            case Opcode.Subtract when a().Min >= b().Max:
                return new Interval(a().Min - b().Max, a().Max - b().Min);
            case Opcode.Multiply when operation.Width <= Value.MaxWidth / 2:
                return Fit(a().Min * b().Min, a().Max * b().Max);
            case Opcode.DivideSigned or Opcode.RemainderSigned
                when !IsNonNegative(a(), operation.Width) || !IsNonNegative(b(), operation.Width):
                return full;
            case Opcode.DivideUnsigned or Opcode.DivideSigned when b().Min > 0:
                return new Interval(a().Min / b().Max, a().Max / b().Min);
            case Opcode.RemainderUnsigned or Opcode.RemainderSigned when b().Min > 0:
                return new Interval(0, UInt128.Min(a().Max, b().Max - 1));
            case Opcode.And:
                return new Interval(0, UInt128.Min(a().Max, b().Max));
            case Opcode.Or or Opcode.Xor:
                return new Interval(
                    operation.Opcode == Opcode.Or ? UInt128.Max(a().Min, b().Min) : 0,
                    Arithmetic.Mask(a().Join(b()).Width));
            case Opcode.ShiftLeft
                when b().Max < (UInt128)operation.Width && a().Width + (int)b().Max <= operation.Width:
                return new Interval(a().Min << (int)b().Min, a().Max << (int)b().Max);
            case Opcode.ShiftRight when b().Max < (UInt128)operation.Width:
                return new Interval(a().Min >> (int)b().Max, a().Max >> (int)b().Min);
            case Opcode.Select:
                return Given(o[0], true, o[1], of).Join(Given(o[0], false, o[2], of));
            case Opcode.Equal when a().Max < b().Min || b().Max < a().Min:
                return Interval.Of(0);
            case Opcode.LessUnsigned:
                return a().Max < b().Min ? Interval.Of(1) : a().Min >= b().Max ? Interval.Of(0) : full;
            case Opcode.LessSigned when IsNonNegative(a(), o[0].Width) && IsNonNegative(b(), o[0].Width):
                return a().Max < b().Min ? Interval.Of(1) : a().Min >= b().Max ? Interval.Of(0) : full;
            case Opcode.PopCount or Opcode.LeadingZeros or Opcode.TrailingZeros:
                return Fit(0, (UInt128)o[0].Width);
            default:
                return full;
        }
    }

    /// <summary>A value chosen by a comparison that it is part of, as in a minimum.</summary>
    private static Interval Given(Value condition, bool holds, Value value, Func<Value, Interval> of)
    {
        var range = of(value);
        if (condition is not Operation { Opcode: Opcode.LessUnsigned or Opcode.LessSigned } less) return range;
        var (a, b) = (of(less.Operands[0]), of(less.Operands[1]));
        if (less.Opcode == Opcode.LessSigned
            && !(IsNonNegative(a, less.Operands[0].Width) && IsNonNegative(b, less.Operands[1].Width)))
            return range;
        var (isA, isB) = (Constant.AreSame(value, less.Operands[0]), Constant.AreSame(value, less.Operands[1]));
        var (min, max) = (range.Min, range.Max);
        if (isA && holds && b.Max > 0) max = UInt128.Min(max, b.Max - 1);
        else if (isA && !holds) min = UInt128.Max(min, b.Min);
        else if (isB && holds && a.Min < UInt128.MaxValue) min = UInt128.Max(min, a.Min + 1);
        else if (isB && !holds) max = UInt128.Min(max, a.Max);
        // Never so: then it does not matter.
        return min <= max ? new Interval(min, max) : range;
    }

    private static bool IsNonNegative(Interval interval, int width) => interval.Max <= Arithmetic.Mask(width - 1);
}
