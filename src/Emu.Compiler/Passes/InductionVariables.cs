using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Counts the turns of a loop from 0 where it goes from a computed number to a constant more than that, as over the
/// ways of a set: <c>for (at = first; at &lt; first + 8; at++)</c>. Constants then decide its end (induction
/// variables; Aho, Lam, Sethi and Ullman 2006, §9.1.8).
/// </summary>
internal static class InductionVariables
{
    private const int MostTurns = 256;

    public static void Run(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        Ranges? ranges = null;
        foreach (var (function, _) in functions)
        {
            var known = new Substitution();
            foreach (var loop in Loop.All(function))
            {
                foreach (var phi in loop.Header.Phis.ToList())
                {
                    if (Variable.Of(loop, phi) is not { } variable) continue;
                    ranges ??= new Ranges(functions);
                    if (EndOf(loop, variable, ranges) is { } end) Count(loop, variable, end, known);
                }
            }
            known.Apply(function);
        }
    }

    /// <summary>The branch by which every turn asks whether the variable is at its end.</summary>
    private static End? EndOf(Loop loop, Variable variable, Ranges ranges)
    {
        if (loop.Header.Terminator is not Branch { Condition: Operation condition } branch) return null;
        var staysIf = loop.Body.Contains(branch.Then);
        if (staysIf == loop.Body.Contains(branch.Else)) return null;
        var o = condition.Operands;
        var turns = (condition.Opcode, staysIf) switch
        {
            (Opcode.LessSigned or Opcode.LessUnsigned, true) => Difference(o[0], o[1]),
            // Not beyond the last.
            (Opcode.LessSigned or Opcode.LessUnsigned, false) => Difference(o[1], o[0]) + 1,
            (Opcode.Equal, false) => Difference(o[0], o[1]) ?? Difference(o[1], o[0]),
            _ => null,
        };
        // Neither the variable nor the part of it that is compared overflows before the end is found.
        var most = UInt128.Min(
            Arithmetic.Mask(o[0].Width - (condition.Opcode == Opcode.LessSigned ? 1 : 0)), variable.Most);
        return turns is { } many && many <= MostTurns * variable.Step && many % variable.Step == 0
            && many + variable.Step <= most && ranges.Of(variable.First).Max <= most - many - variable.Step
                ? new End(condition, branch, staysIf, many)
                : null;

        // Between the end, a constant more than where the variable begins, and that.
        UInt128? Difference(Value counted, Value end)
        {
            if (Whole(counted) != variable.Phi) return null;
            var (from, to) = (AffineForm.Of(variable.First, ranges), AffineForm.Of(end, ranges));
            return from.IsLike(to) && to.Offset >= from.Offset ? to.Offset - from.Offset : null;
        }
    }

    /// <summary>A variable of which only low bits are used: it has no others.</summary>
    private static Value Whole(Value value) =>
        value is Operation { Opcode: Opcode.Extract, Low: 0, Operands: [Phi phi] } ? phi : value;

    private static void Count(Loop loop, Variable variable, End end, Substitution known)
    {
        var (phi, header) = (variable.Phi, loop.Header);
        var location = end.Condition.Location;
        var turn = new Phi(phi.Width, header);
        var next = new Operation(Opcode.Add, phi.Width, turn, new Constant(phi.Width, variable.Step))
        {
            Location = location,
        };
        var now = new Operation(Opcode.Add, phi.Width, variable.First, turn) { Location = location };
        var isBefore = new Operation(Opcode.LessUnsigned, 1, turn, new Constant(phi.Width, end.Turns))
        {
            Location = location,
        };
        foreach (var from in header.Predecessors)
            turn.Operands.Add(loop.Body.Contains(from) ? next : new Constant(phi.Width, 0));
        header.Phis.Remove(phi);
        header.Phis.Add(turn);
        header.Operations.InsertRange(0, [next, now, isBefore]);
        header.Terminator = end.StaysIf
            ? end.Branch with { Condition = isBefore }
            : new Branch(isBefore, end.Branch.Else, end.Branch.Then);
        known.Add(phi, now);
    }

    /// <summary>A phi that begins at a computed number and is a constant more each turn.</summary>
    /// <param name="Phi">The phi.</param>
    /// <param name="First">The number that it begins at.</param>
    /// <param name="Step">The constant.</param>
    /// <param name="Most">The number from which it would not be the constant more.</param>
    private sealed record Variable(Phi Phi, Value First, UInt128 Step, UInt128 Most)
    {
        public static Variable? Of(Loop loop, Phi phi)
        {
            Value? first = null, next = null;
            for (var way = 0; way < phi.Operands.Count; way++)
            {
                ref var place = ref first;
                if (loop.Body.Contains(loop.Header.Predecessors[way])) place = ref next;
                if (place is not null && place != phi.Operands[way]) return null;
                place = phi.Operands[way];
            }
            if (first is null or Constant || next is null) return null;
            return AffineForm.WithoutZeros(next) is Operation { Opcode: Opcode.Add } sum
                && Whole(sum.Operands[0]) == phi
                && sum.Operands[1] is Constant { Bits: var step } && step > 0 && step <= MostTurns
                    ? new Variable(phi, first, step, Arithmetic.Mask(sum.Width))
                    : null;
        }
    }

    /// <summary>The branch that ends a loop, and the number at which it does when the loop begins at 0.</summary>
    private sealed record End(Operation Condition, Branch Branch, bool StaysIf, UInt128 Turns);
}
