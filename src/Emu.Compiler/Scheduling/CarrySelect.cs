using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// Sums that are too wide for their carry to pass in a cycle: of each part but the lowest there are two sums, with a
/// carry into it and without, and the carry of the parts below selects one (the carry-select adder of Bedrij 1962).
/// </summary>
internal static class CarrySelect
{
    /// <summary>Makes an operation, in parts if it is a sum that is too wide.</summary>
    /// <param name="n">The netlist.</param>
    /// <param name="operation">Any operation on values of the netlist.</param>
    /// <param name="longestCarry">The bits of a sum up to which one carry is waited for.</param>
    public static Value Make(Netlist n, Operation operation, int longestCarry)
    {
        if (operation.Opcode is not (Opcode.Add or Opcode.Subtract) || operation.Width <= longestCarry)
            return n.Make(operation);
        n.Location = operation.Location;
        var parts = (operation.Width + longestCarry - 1) / longestCarry;
        var width = (operation.Width + parts - 1) / parts;
        Value Part(int operand, int low) =>
            n.Extract(operation.Operands[operand], low, Math.Min(width, operation.Width - low));

        var (sum, carry) = Split(n, Sum(n, operation.Opcode, Part(0, 0), Part(1, 0), carries: false));
        for (var low = width; low < operation.Width; low += width)
        {
            var (a, b) = (Part(0, low), Part(1, low));
            var (part, next) = Split(n, n.Select(
                carry, Sum(n, operation.Opcode, a, b, carries: true), Sum(n, operation.Opcode, a, b, carries: false)));
            (sum, carry) = (n.Concat(part, sum), next);
        }
        return sum;
    }

    /// <summary>A part, with its carry above; of a difference that is its borrow.</summary>
    private static Value Sum(Netlist n, Opcode opcode, Value a, Value b, bool carries)
    {
        var width = a.Width + 1;
        if (!carries) return n.Make(opcode, width, n.Resize(a, width), n.Resize(b, width));
        // A bit of its own below makes the carry, or the borrow.
        var below = new Constant(1, opcode == Opcode.Add ? 1u : 0u);
        var sum = n.Make(
            opcode, width + 1, n.Concat(n.Resize(a, width), below),
            n.Concat(n.Resize(b, width), new Constant(1, 1)));
        return n.Extract(sum, 1, width);
    }

    private static (Value Sum, Value Carry) Split(Netlist n, Value sum) =>
        (n.Extract(sum, 0, sum.Width - 1), n.Extract(sum, sum.Width - 1, 1));
}
