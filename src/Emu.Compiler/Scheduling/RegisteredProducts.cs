using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The products with two rows of flops behind them and nothing between: synthesis puts the first into the middle of the
/// multiplier block and the second behind it (of a DSP48E1 the registers M and P; UG479, <em>7 Series DSP48E1
/// Slice</em>).
/// </summary>
internal sealed class RegisteredProducts
{
    private readonly HashSet<Value> _others = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Value, List<Flop>> _flops = new(ReferenceEqualityComparer.Instance);

    /// <summary>Looks for them.</summary>
    /// <param name="design">The circuit.</param>
    /// <param name="values">All values of it that are no flops.</param>
    public RegisteredProducts(Design design, IReadOnlyList<Value> values)
    {
        if (!values.Any(IsProduct)) return;
        foreach (var item in design.Sections.SelectMany(section => section.Items))
        {
            if (item is not Flop flop)
            {
                _others.UnionWith(DesignVerifier.Roots(item));
                continue;
            }
            if (!_flops.TryGetValue(flop.Next, out var after)) _flops[flop.Next] = after = [];
            after.Add(flop);
            _others.UnionWith(flop.Inputs.Skip(1));
        }
        foreach (var value in values) _others.UnionWith(CombinationalOrder.Operands(value));
        _others.UnionWith(design.Outputs.SelectMany(output => output.Parts));
    }

    /// <summary>True if a product is one of them.</summary>
    public bool Contains(Value value) =>
        IsProduct(value) && FlopsBehind(value) is { } flops && flops.TrueForAll(flop => FlopsBehind(flop) is not null);

    private static bool IsProduct(Value value) => value is Operation { Opcode: Opcode.Multiply };

    /// <summary>The flops that take a value; null where anything else uses it, or nothing does.</summary>
    private List<Flop>? FlopsBehind(Value value) => _others.Contains(value) ? null : _flops.GetValueOrDefault(value);
}
