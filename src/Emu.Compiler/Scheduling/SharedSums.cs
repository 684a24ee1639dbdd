using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// Sums of which the low bits are asked for, too. Taken alone, those are a sum of low bits
/// (<see cref="FoldingBuilder"/> makes it one, so that what is above is not computed for nothing); beside the whole sum
/// it would be a second adder.
/// </summary>
internal static class SharedSums
{
    /// <summary>Finds the sums that are the low bits of others.</summary>
    /// <param name="netlist">The netlist in which the values are made.</param>
    /// <param name="results">The values that are asked for.</param>
    /// <returns>The values that stand for them.</returns>
    public static Substitution Of(Netlist netlist, IEnumerable<Value> results)
    {
        var sums = SumsBelow(results);
        var shared = new Substitution();
        var widths = sums.Select(s => s.Width).Distinct().Order().ToList();
        var isLow = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        foreach (var whole in sums.OrderByDescending(s => s.Width))
        {
            if (isLow.Contains(whole)) continue;
            foreach (var width in widths.TakeWhile(w => w < whole.Width))
            {
                var low = netlist.Extract(whole, 0, width);
                if (!sums.Contains(low) || isLow.Contains(low) || IsComputedOf(whole, low, shared)) continue;
                isLow.Add(low);
                shared.Add(low, netlist.BitsOf(whole, 0, width));
            }
        }
        return shared;
    }

    /// <summary>True if a value depends on another: high bits of a sum may be made of its low ones.</summary>
    private static bool IsComputedOf(Value value, Value other, Substitution shared)
    {
        var seen = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        var open = new Stack<Value>([value]);
        while (open.TryPop(out var next))
        {
            if (next == other) return true;
            next = shared.Of(next);
            if (!seen.Add(next) || next is not Operation operation) continue;
            foreach (var operand in operation.Operands) open.Push(operand);
        }
        return false;
    }

    private static HashSet<Value> SumsBelow(IEnumerable<Value> results)
    {
        var seen = new HashSet<Value>(ReferenceEqualityComparer.Instance);
        var open = new Stack<Value>(results);
        while (open.TryPop(out var value))
        {
            if (!seen.Add(value) || value is not Operation operation) continue;
            foreach (var operand in operation.Operands) open.Push(operand);
        }
        seen.RemoveWhere(value => value is not Operation { Opcode: Opcode.Add or Opcode.Subtract });
        return seen;
    }
}
