using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>The values that a value is computed of.</summary>
internal static class Dependence
{
    /// <summary>
    /// True if an operation of a kind is among those that a value is computed by, itself among them; of a phi it is not
    /// asked what it joins.
    /// </summary>
    public static bool IsOn(Value value, Predicate<Operation> isOfKind)
    {
        var (seen, open) = (new NodeSet<Value>(), new Stack<Value>([value]));
        while (open.TryPop(out var next))
        {
            if (!seen.Add(next) || next is not Operation operation) continue;
            if (isOfKind(operation)) return true;
            foreach (var operand in operation.Operands) open.Push(operand);
        }
        return false;
    }
}
