using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>The steps that compiled code does, one after the other, once a cycle.</summary>
internal abstract record Step
{
    /// <summary>The values that it needs; wires stand for their sources.</summary>
    public abstract IEnumerable<Value> Uses { get; }

    /// <summary>Follows the names of wires to the value behind them.</summary>
    public static Value Resolve(Value value)
    {
        while (value is Wire wire) value = wire.Source;
        return value;
    }
}

/// <summary>Computes an operation or an unregistered read.</summary>
internal sealed record Define(Value Value) : Step
{
    public override IEnumerable<Value> Uses => CombinationalOrder.Operands(Value).Select(Resolve);
}

/// <summary>Computes what a flop or a registered read port holds next.</summary>
internal sealed record Latch(Value Element, Value Source, Value? Enable, Value? Clear) : Step
{
    public override IEnumerable<Value> Uses =>
        new[] { Source, Enable, Clear }.OfType<Value>().Select(Resolve);
}

/// <summary>Writes to a RAM; all that reads it comes before.</summary>
internal sealed record Store(Ram Ram, RamWrite Write) : Step
{
    public override IEnumerable<Value> Uses => [Resolve(Write.Address), Resolve(Write.Data), Resolve(Write.Enable)];
}

/// <summary>Shows 64 bits of an output.</summary>
internal sealed record Show(Value Source, int Slot) : Step
{
    public override IEnumerable<Value> Uses => [Resolve(Source)];
}
