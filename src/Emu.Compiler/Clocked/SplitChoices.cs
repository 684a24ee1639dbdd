using Emu.Compiler.IR;

namespace Emu.Compiler.Clocked;

/// <summary>
/// Takes choices inside the values of others apart, where both sides are chosen elsewhere, too: two loops that write
/// one of the same two values are then one choice of two values, not one of two choices.
/// </summary>
/// <remarks>It takes two conditions, and saves a choice for each bit.</remarks>
internal static class SplitChoices
{
    /// <summary>The bits from which on choices are more gates than their conditions are.</summary>
    private const int LeastBits = 4;

    /// <summary>Splits choices as long as there are no more values to choose from for it.</summary>
    /// <param name="choices">The values, each with its condition.</param>
    /// <param name="and">Makes a condition of two.</param>
    /// <param name="not">Makes the opposite of a condition.</param>
    public static List<(Value Condition, Value Value)> Of(
        IEnumerable<(Value Condition, Value Value)> choices, Func<Value, Value, Value> and, Func<Value, Value> not)
    {
        var all = choices.ToList();
        if (all[0].Value.Width < LeastBits) return all;
        for (var i = 0; i < all.Count; i++)
        {
            var (condition, value) = all[i];
            if (value is not Operation { Opcode: Opcode.Select, Operands: [var which, var then, var other] }) continue;
            var elsewhere = all.Where((_, place) => place != i).SelectMany(choice => Parts(choice.Value)).ToList();
            if (!IsAmong(then, elsewhere) || !IsAmong(other, elsewhere)) continue;
            all[i] = (and(condition, which), then);
            all.Insert(i + 1, (and(condition, not(which)), other));
            // What has been passed over may have both sides elsewhere now.
            i = -1;
        }
        return all;
    }

    /// <summary>A value, and what it chooses of.</summary>
    private static IEnumerable<Value> Parts(Value value)
    {
        var open = new Stack<Value>([value]);
        while (open.TryPop(out var part))
        {
            yield return part;
            if (part is not Operation { Opcode: Opcode.Select, Operands: [_, var then, var other] }) continue;
            open.Push(then);
            open.Push(other);
        }
    }

    private static bool IsAmong(Value value, List<Value> values) =>
        values.Exists(other => Constant.AreSame(other, value));
}
