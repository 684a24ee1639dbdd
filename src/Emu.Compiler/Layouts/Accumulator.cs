namespace Emu.Compiler;

/// <summary>
/// A counter of 64 bits that no frame reads: the event is registered, then the low word is increased, then the high word takes the carry. So no
/// carry chain is longer than half a counter.
/// </summary>
internal sealed class Accumulator
{
    private const int Half = 32;

    private readonly Register _register;
    private readonly Flop _happened, _low, _high, _shown, _carry;
    private readonly Netlist _n;

    public Accumulator(Netlist n, Register register, Value counts)
    {
        (_n, _register) = (n, register);
        var name = Netlist.SnakeCase(register.Name);
        _happened = n.Delay($"{name}_event", counts, 0);
        _low = n.AddFlop($"{name}_low", Half, register.Reset & Arithmetic.Mask(Half), register.Name);
        _high = n.AddFlop($"{name}_high", Half, register.Reset >> Half);
        _carry = n.AddFlop($"{name}_carry", 1, 0);
        _shown = n.AddFlop($"{name}_shown", Half, register.Reset & Arithmetic.Mask(Half), "the low word in step with the high word");
        var next = n.Add(n.Resize(_low, Half + 1), n.Resize(_happened, Half + 1));
        (_low.Next, _carry.Next, _shown.Next) = (n.Extract(next, 0, Half), n.Extract(next, Half, 1), _low);
        _high.Next = n.Add(_high, n.Resize(_carry, Half));
    }

    /// <summary>The count.</summary>
    public Value Value => _n.Concat(_high, _shown);

    /// <summary>Sets it to what the constructor left.</summary>
    public void Clear(Value clears)
    {
        _low.Next = _n.Select(clears, new Constant(Half, _register.Reset), _low.Next);
        _high.Next = _n.Select(clears, new Constant(Half, _register.Reset >> Half), _high.Next);
        _carry.Next = _n.And(_n.Not(clears), _carry.Next);
    }
}
