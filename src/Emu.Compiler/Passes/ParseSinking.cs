using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Computes behind a parser what is used there alone and is a number that it has found, made wider, narrower or more by
/// a constant (code sinking; rematerialisation, Briggs, Cooper and Torczon 1992). So of several forms of one number the
/// parser finds one, and it is known that they are the same.
/// </summary>
internal static class ParseSinking
{
    /// <summary>Changes the uses behind a region.</summary>
    public static void Run(Function function, ParseRegion region)
    {
        var blocks = function.Blocks();
        var defined = new Dictionary<Value, Block>(ReferenceEqualityComparer.Instance);
        foreach (var block in blocks.Where(region.Contains))
            block.Operations.ForEach(operation => defined[operation] = block);
        foreach (var block in blocks.Where(block => !region.Contains(block)))
        {
            var made = new Dictionary<Value, Operation>(ReferenceEqualityComparer.Instance);
            var operations = new List<Operation>();
            Value Sunk(Value value)
            {
                if (value is not Operation operation || !defined.ContainsKey(operation) || FormOf(operation) is null)
                    return value;
                if (made.TryGetValue(value, out var known)) return known;
                var copy = new Operation(operation.Opcode, operation.Width, operation.Operands.ConvertAll(Sunk))
                {
                    Low = operation.Low,
                    Location = operation.Location,
                };
                operations.Add(copy);
                return made[value] = copy;
            }
            foreach (var operation in block.Operations)
            {
                for (var i = 0; i < operation.Operands.Count; i++) operation.Operands[i] = Sunk(operation.Operands[i]);
                operations.Add(operation);
            }
            block.Operations.Clear();
            block.Operations.AddRange(operations);
        }
    }

    /// <summary>The value of which an operation is another form; null if it is of none.</summary>
    private static Value? FormOf(Operation operation) => operation switch
    {
        { Opcode: Opcode.Add or Opcode.Subtract, Operands: [var number, Constant] } => number,
        { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0 => low,
        { Opcode: Opcode.ZeroExtend or Opcode.Truncate, Operands: [var whole] } => whole,
        { Opcode: Opcode.Extract, Low: 0, Operands: [{ } whole] } => whole,
        _ => null,
    };
}
