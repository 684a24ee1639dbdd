using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Reports.Size;

/// <summary>The flops and RAMs that outputs depend on, and what is computed for them.</summary>
internal sealed class NeededItems
{
    private readonly HashSet<Value> _items = new(ReferenceEqualityComparer.Instance);
    private readonly HashSet<Value> _inputs = new(ReferenceEqualityComparer.Instance);

    /// <summary>Looks for them.</summary>
    public NeededItems(IEnumerable<Value> outputs)
    {
        var (seen, waiting) = (new HashSet<Value>(ReferenceEqualityComparer.Instance), new Stack<Value>(outputs));
        while (waiting.TryPop(out var value))
        {
            if (!seen.Add(value)) continue;
            foreach (var operand in CombinationalOrder.Operands(value)) waiting.Push(operand);
            if (value is not (Flop or RamRead)) continue;
            _items.Add(value);
            foreach (var input in InputsOf(value))
            {
                _inputs.Add(input);
                waiting.Push(input);
            }
        }
    }

    /// <summary>Flops, and words that are read.</summary>
    public IReadOnlyCollection<Value> Items => _items;

    /// <summary>The values that these items take.</summary>
    public IReadOnlyCollection<Value> Inputs => _inputs;

    /// <summary>
    /// Says for each bit of a flop or a RAM's word what it needs: that bit of what is taken, and what says when.
    /// </summary>
    public void Join(OperationBits bits)
    {
        foreach (var item in _items.Where(item => !IsLogic(item)))
        {
            var own = bits.Of(item);
            var (data, common) = item is Flop flop ? Taken(flop) : Taken((RamRead)item);
            int[] always = [.. common.SelectMany(bits.Of)];
            var each = data is null ? null : bits.Of(data);
            for (var i = 0; i < own.Length; i++)
                if (bits.IsOwn(item, i)) bits.Hard.Join(own[i], each is null ? always : [each[i], .. always]);
        }
    }

    private static IEnumerable<Value> InputsOf(Value item)
    {
        if (IsLogic(item)) return [];
        var (data, common) = item is Flop flop ? Taken(flop) : Taken((RamRead)item);
        return data is null ? common : common.Prepend(data);
    }

    /// <summary>A word that is looked up in the same cycle and never written is logic.</summary>
    private static bool IsLogic(Value item) => item is RamRead { IsRegistered: false, Ram.Write: null };

    private static (Value? Data, IReadOnlyList<Value> Common) Taken(RamRead read)
    {
        List<Value> common = read.Enable is null ? [read.Address] : [read.Address, read.Enable];
        return read.Ram.Write is { } write ? (write.Data, [.. common, write.Address, write.Enable]) : (null, common);
    }

    /// <summary>
    /// A flop can be told to keep what it holds, or to become a constant, without a LUT for each bit.
    /// </summary>
    private static (Value? Data, IReadOnlyList<Value> Common) Taken(Flop flop)
    {
        List<Value> common = [.. flop.Inputs.Skip(1)];
        var next = flop.Next;
        while (next is Operation { Opcode: Opcode.Select } choice)
        {
            var kept = choice.Operands.FindIndex(
                1, operand => operand == flop || operand is Constant && flop.Width > 1);
            if (kept < 0) break;
            common.Add(choice.Operands[0]);
            next = choice.Operands[3 - kept];
        }
        return (next, common);
    }
}
