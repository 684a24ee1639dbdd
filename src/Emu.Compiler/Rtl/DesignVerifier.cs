using System.Numerics;
using System.Text.RegularExpressions;
using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>Checks the invariants of a design: what breaks one is a bug of what made it.</summary>
public static partial class DesignVerifier
{
    /// <summary>Checks a design.</summary>
    /// <exception cref="InvalidOperationException">
    /// An invariant does not hold: a name twice, a wrong width, a value that belongs to no section, a combinational
    /// loop, an output that depends on an input of the same cycle. The message names the item.
    /// </exception>
    public static void Verify(Design design)
    {
        ArgumentNullException.ThrowIfNull(design);
        CheckNames(design);
        foreach (var item in design.Sections.SelectMany(s => s.Items)) CheckItem(item);
        CheckRamReads(design);
        CheckValues(design);
        CheckCycle(design);
    }

    /// <summary>The values that an item or an output is computed from, in this cycle or for the next.</summary>
    internal static IEnumerable<Value> Roots(IDesignItem item) => item switch
    {
        Flop flop => flop.Inputs,
        Wire wire => [wire.Source],
        RamRead read => read.Enable is null ? [read.Address] : [read.Address, read.Enable],
        Ram { Write: { } write } => [write.Address, write.Data, write.Enable],
        CoreInstance core => core.Inputs,
        _ => [],
    };

    private static void CheckNames(Design design)
    {
        var items = design.Sections.SelectMany(s => s.Items).Select(i => i.Name);
        var seen = new HashSet<string> { design.Clock.Clock, design.Clock.Reset };
        Check(
            Identifier().IsMatch(design.Name), $"'{design.Name}', the design's name, is not an identifier of Verilog");
        foreach (var name in design.Inputs.Select(p => p.Name).Concat(design.Outputs.Select(p => p.Name)).Concat(items))
        {
            Check(Identifier().IsMatch(name), $"'{name}' is not an identifier of Verilog");
            Check(seen.Add(name), $"'{name}' is the name of two things");
        }
        foreach (var input in design.Inputs) Check(input.Width > 0, $"'{input.Name}' has no bits");
        foreach (var output in design.Outputs) Check(output.Width > 0, $"'{output.Name}' has no bits");
    }

    private static void CheckItem(IDesignItem item)
    {
        var name = $"'{item.Name}'";
        switch (item)
        {
            case Flop flop:
                Check(flop.Name.EndsWith("_reg", StringComparison.Ordinal), $"{name} does not end in _reg");
                Check(
                    flop.Next.Width == flop.Width,
                    $"{name} has {flop.Width} bits, what it takes has {flop.Next.Width}");
                Check(flop.Enable is null or { Width: 1 }, $"the enable of {name} has {flop.Enable?.Width} bits");
                Check(flop.Clear is null or { Width: 1 }, $"what clears {name} has {flop.Clear?.Width} bits");
                Check(flop.Clear is null || flop.Reset is not null, $"{name} is cleared, but has no reset value");
                Check(
                    (flop.Reset ?? 0) <= Arithmetic.Mask(flop.Width),
                    $"the reset value of {name} has more than {flop.Width} bits");
                break;
            case Ram ram:
                CheckRam(ram, name);
                break;
            case RamRead read:
                Check(
                    read.Address.Width == read.Ram.AddressWidth,
                    $"the address of {name} has {read.Address.Width} bits, not {read.Ram.AddressWidth}");
                Check(read.Enable is null or { Width: 1 }, $"the enable of {name} has {read.Enable?.Width} bits");
                Check(read.IsRegistered || read.Enable is null, $"{name} has an enable but is not registered");
                break;
            case CoreInstance core:
                Check(core.Valid.Width == 1 && core.Clear.Width == 1, $"{name} is called by more than a bit");
                var hasPorts = core.Operands.Select(o => o.Width).SequenceEqual(core.Core.Inputs.Select(p => p.Width));
                Check(hasPorts, $"the operands of {name} are not as wide as its ports");
                break;
            default:
                Check(item is Wire, $"{name} is not a flop, a RAM, a read port, a core or a wire");
                break;
        }
    }

    private static void CheckRam(Ram ram, string name)
    {
        Check(ram.Width is >= 1 and <= Value.MaxWidth, $"{name} has words of {ram.Width} bits");
        Check(ram.Depth >= 2 && BitOperations.IsPow2(ram.Depth), $"{name} has {ram.Depth} words, not a power of two");
        Check(
            ram.Initial is null || ram.Initial.Count == ram.Depth,
            $"{name} has {ram.Depth} words but {ram.Initial?.Count} initial ones");
        Check(
            ram.Initial is null || ram.Initial.All(word => word <= Arithmetic.Mask(ram.Width)),
            $"an initial word of {name} has more than {ram.Width} bits");
        if (ram.Write is not { } write) return;
        Check(
            write.Address.Width == ram.AddressWidth,
            $"the write address of {name} has {write.Address.Width} bits, not {ram.AddressWidth}");
        Check(write.Data.Width == ram.Width, $"what is written to {name} has {write.Data.Width} bits, not {ram.Width}");
        Check(write.Enable.Width == 1, $"the write enable of {name} has {write.Enable.Width} bits");
    }

    private static void CheckRamReads(Design design)
    {
        var items = design.Sections.SelectMany(s => s.Items).ToHashSet();
        foreach (var ram in design.Rams)
            foreach (var read in ram.Reads)
                Check(items.Contains(read), $"'{read.Name}', a read port of '{ram.Name}', is in no section");
        foreach (var read in items.OfType<RamRead>())
            Check(items.Contains(read.Ram), $"'{read.Ram.Name}', which '{read.Name}' reads, is in no section");
    }

    private static void CheckValues(Design design)
    {
        var items = design.Sections.SelectMany(s => s.Items).ToHashSet();
        var seen = new HashSet<Value>();
        var pending = new Stack<(Value Value, string User)>();
        foreach (var item in items) foreach (var root in Roots(item)) pending.Push((root, item.Name));
        foreach (var output in design.Outputs) foreach (var part in output.Parts) pending.Push((part, output.Name));
        while (pending.TryPop(out var top))
        {
            var (value, user) = top;
            switch (value)
            {
                case Constant:
                    break;
                case IDesignItem item:
                    Check(items.Contains(item), $"'{item.Name}', which '{user}' uses, is in no section");
                    break;
                case InputBits bits:
                    Check(
                        bits.Port is Parameter given
                            ? design.Parameters.Contains(given)
                            : design.Inputs.Contains(bits.Port),
                        $"'{bits.Port.Name}', which '{user}' uses, is no input of the design");
                    var isInside = bits.Low >= 0 && bits.Low + bits.Width <= bits.Port.Width;
                    Check(isInside, $"'{user}' uses bits beyond the {bits.Port.Width} of '{bits.Port.Name}'");
                    break;
                case Operation operation:
                    var row = OpcodeTable.Of(operation.Opcode);
                    Check(row.Kind == OpcodeKind.Pure, $"'{user}' uses {operation.Opcode}, which is not pure");
                    Check(
                        row.Accepts(operation),
                        $"'{user}' uses {operation.Opcode} on operands of wrong widths");
                    if (seen.Add(operation)) foreach (var operand in operation.Operands) pending.Push((operand, user));
                    break;
                default:
                    throw new InvalidOperationException(
                        $"'{user}' uses a {value.GetType().Name}, which is no value of a design");
            }
        }
    }

    private static void CheckCycle(Design design)
    {
        var order = new CombinationalOrder();
        foreach (var root in design.Sections.SelectMany(s => s.Items)
            .SelectMany(Roots).Concat(design.Outputs.SelectMany(o => o.Parts)))
            order.Add(root);

        var input = new Dictionary<Value, InputPort>();
        foreach (var value in order.Values)
        {
            if (value is InputBits bits) input[value] = bits.Port;
            else if (CombinationalOrder.Operands(value).FirstOrDefault(input.ContainsKey) is { } operand)
                input[value] = input[operand];
        }
        foreach (var output in design.Outputs)
            foreach (var part in output.Parts)
                Check(
                    !input.TryGetValue(part, out var port),
                    $"output '{output.Name}' depends on input '{port?.Name}' in the same cycle");
    }

    private static void Check(bool holds, string what)
    {
        if (!holds) throw new InvalidOperationException(what);
    }

    [GeneratedRegex("^[A-Za-z_][A-Za-z0-9_$]*$")]
    private static partial Regex Identifier();
}
