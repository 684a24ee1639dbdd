using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// Computes behind a parser what is used there alone, where it is one of several forms of a number that the parser has
/// found: wider, narrower, or more by a constant (code sinking; rematerialisation, Briggs, Cooper and Torczon 1992). So
/// the parser finds one number, and it is known that they are the same.
/// </summary>
internal sealed class ParseSinking
{
    private readonly ParseRegion _region;
    private readonly List<Block> _behind;
    private readonly HashSet<Value> _shared = new(ReferenceEqualityComparer.Instance);

    private ParseSinking(Function function, ParseRegion region)
    {
        _region = region;
        _behind = function.Blocks().FindAll(block => !region.Contains(block));
        var used = _behind.SelectMany(block => block.Operations).SelectMany(operation => operation.Operands)
            .Where(region.Defines).ToHashSet<Value>(ReferenceEqualityComparer.Instance);
        foreach (var forms in used.GroupBy(RootOf))
            if (forms.Count() > 1) _shared.Add(forms.Key);
    }

    /// <summary>Changes the uses behind a region.</summary>
    public static void Run(Function function, ParseRegion region)
    {
        var sinking = new ParseSinking(function, region);
        foreach (var block in sinking._behind) sinking.Sink(block);
    }

    private void Sink(Block block)
    {
        var made = new Dictionary<Value, Operation>(ReferenceEqualityComparer.Instance);
        var operations = new List<Operation>();
        Value Sunk(Value value)
        {
            if (FormOf(value) is null || !_shared.Contains(RootOf(value))) return value;
            if (made.TryGetValue(value, out var known)) return known;
            var operation = (Operation)value;
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

    /// <summary>The number of which a value is a form, perhaps itself.</summary>
    private Value RootOf(Value value)
    {
        while (FormOf(value) is { } number) value = number;
        return value;
    }

    /// <summary>The value of the region of which another is another form; null if it is of none.</summary>
    private Value? FormOf(Value value) => !_region.Defines(value) ? null : value switch
    {
        Operation { Opcode: Opcode.Add or Opcode.Subtract, Operands: [var number, Constant] } => OwnOf(number),
        Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0 =>
            OwnOf(low),
        Operation { Opcode: Opcode.ZeroExtend or Opcode.Truncate, Operands: [var whole] } => OwnOf(whole),
        Operation { Opcode: Opcode.Extract, Low: 0, Operands: [var whole] } => OwnOf(whole),
        _ => null,
    };

    /// <summary>A number that the region computes; bytes of the frame are taken as they are used.</summary>
    private Value? OwnOf(Value number) =>
        _region.Defines(number) && number is not Operation { Opcode: Opcode.FrameRead } ? number : null;
}
