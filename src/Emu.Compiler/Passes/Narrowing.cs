namespace Emu.Compiler;

/// <summary>Gives values the bits that their range needs: constant where it is one number, zeros above the rest.</summary>
internal static class Narrowing
{
    public static void Run(IReadOnlyList<(Function Function, EventRange Events)> functions)
    {
        var ranges = new Ranges(functions);
        foreach (var (function, _) in functions)
        {
            var known = new Substitution();
            var parts = new List<(Operation Low, Operation Whole)>();
            foreach (var block in function.Blocks())
            {
                var narrowed = new List<Operation>();
                foreach (var operation in block.Operations)
                {
                    narrowed.Add(operation);
                    if (!operation.IsEffect) Narrow(operation, ranges.Of(operation), narrowed, known, parts);
                }
                block.Operations.Clear();
                block.Operations.AddRange(narrowed);
            }
            known.Apply(function);
            foreach (var (low, whole) in parts) low.Operands[0] = whole;
        }
    }

    private static void Narrow(Operation operation, Interval range, List<Operation> block, Substitution known, List<(Operation Low, Operation Whole)> parts)
    {
        if (range.Min == range.Max)
        {
            known.Add(operation, new Constant(operation.Width, range.Min));
            return;
        }
        // Where zeros are on top already there is nothing to say.
        if (range.Width == operation.Width || operation.Opcode == Opcode.Concat && Constant.Is(operation.Operands[0], 0)) return;
        var low = new Operation(Opcode.Extract, range.Width, operation) { Location = operation.Location };
        var whole = new Operation(Opcode.Concat, operation.Width, new Constant(operation.Width - range.Width, 0), low) { Location = operation.Location };
        block.Add(low);
        block.Add(whole);
        known.Add(operation, whole);
        parts.Add((low, operation));
    }
}
