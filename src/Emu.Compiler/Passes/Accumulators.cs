using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// A counter of 64 bits that nothing reads but to write it back with something added is only added to: nobody waits
/// for what it holds, and events that are under way at once do not meet in it.
/// </summary>
internal static class Accumulators
{
    private const int CounterBits = 64;

    public static void Run(IReadOnlyList<Function> functions)
    {
        var uses = Uses(functions);
        var additions = new Dictionary<Operation, Value>(ReferenceEqualityComparer.Instance);
        foreach (var block in functions.SelectMany(f => f.Blocks()))
        {
            for (var i = 0; i < block.Operations.Count; i++)
            {
                if (Added(block, i, uses) is { } addend) additions[block.Operations[i]] = addend;
            }
        }
        var numbers = Numbers(functions, additions);
        foreach (var function in functions)
        {
            foreach (var block in function.Blocks())
            {
                var operations = block.Operations.ToList();
                block.Operations.Clear();
                foreach (var operation in operations)
                {
                    if (additions.TryGetValue(operation, out var addend) && !operation.State.Any(numbers.Contains))
                        block.Operations.AddRange(Counts(operation, addend));
                    else block.Operations.Add(operation);
                }
            }
            DeadCode.Run(function);
        }
    }

    /// <summary>Registers that are used in another way, too, or beside one that is.</summary>
    private static HashSet<StateElement> Numbers(
        IReadOnlyList<Function> functions, Dictionary<Operation, Value> additions)
    {
        var accesses = functions.SelectMany(f => f.Blocks()).SelectMany(b => b.Operations)
            .Where(o => o.Opcode is Opcode.RegisterRead or Opcode.RegisterWrite)
            .SelectMany(o => o.State).CountBy(s => s).ToDictionary();
        // Each addition is one read and one write; there must be no other.
        var added = additions.Keys.SelectMany(write => write.State).CountBy(s => s);
        var numbers = added.Where(a => accesses[a.Key] != 2 * a.Value).Select(a => a.Key).ToHashSet();
        for (var before = -1; before < numbers.Count;)
        {
            before = numbers.Count;
            foreach (var write in additions.Keys)
                if (write.State.Any(numbers.Contains)) numbers.UnionWith(write.State);
        }
        return numbers;
    }

    private static Dictionary<Value, int> Uses(IReadOnlyList<Function> functions)
    {
        var uses = new Dictionary<Value, int>(ReferenceEqualityComparer.Instance);
        void Use(Value value) => uses[value] = uses.GetValueOrDefault(value) + 1;
        foreach (var block in functions.SelectMany(f => f.Blocks()))
        {
            foreach (var phi in block.Phis) phi.Operands.ForEach(Use);
            foreach (var operation in block.Operations) operation.Operands.ForEach(Use);
            foreach (var value in Verifier.UsedBy(block.Terminator)) Use(value);
        }
        return uses;
    }

    /// <summary>
    /// The amount that a write adds to a register, or to one of several, that is read in the same block with no other
    /// write between; null if it does something else.
    /// </summary>
    private static Value? Added(Block block, int index, Dictionary<Value, int> uses)
    {
        var write = block.Operations[index];
        if (write.Opcode != Opcode.RegisterWrite || !write.State.All(IsCounter)) return null;
        if (write.Operands[0] is not Operation { Opcode: Opcode.Add } sum || uses[sum] > 1) return null;
        var read = sum.Operands.OfType<Operation>().FirstOrDefault(o => IsReadOf(write, o));
        if (read is null || uses[read] > 1) return null;
        var from = block.Operations.IndexOf(read);
        if (from < 0) return null;
        var between = block.Operations.GetRange(from, index - from);
        if (between.Exists(o => o.IsEffect && o.State.Any(write.State.Contains))) return null;
        return sum.Operands[sum.Operands[0] == read ? 1 : 0];
    }

    private static bool IsCounter(StateElement element) =>
        element is Register { Width: CounterBits } register && register.Reset == 0;

    private static bool IsReadOf(Operation write, Operation read) =>
        read.Opcode == Opcode.RegisterRead && read.State.SequenceEqual(write.State)
        && (read.State.Count == 1 || Constant.AreSame(read.Operands[0], write.Operands[1]));

    /// <summary>A write as additions: each of several registers gets the addend or 0.</summary>
    private static IEnumerable<Operation> Counts(Operation write, Value addend)
    {
        addend = WithoutZeros(addend);
        if (write.State.Count == 1)
        {
            yield return Count(write.State[0], addend);
            yield break;
        }
        var selector = write.Operands[1];
        for (var i = 0; i < write.State.Count; i++)
        {
            var amount = Make(Opcode.Equal, 1, selector, new Constant(selector.Width, (UInt128)i));
            yield return amount;
            if (!Constant.Is(addend, 1))
            {
                amount = Make(Opcode.Select, addend.Width, amount, addend, new Constant(addend.Width, 0));
                yield return amount;
            }
            yield return Count(write.State[i], amount);
        }

        Operation Make(Opcode opcode, int width, params Value[] operands) =>
            new(opcode, width, operands) { Location = write.Location };

        Operation Count(StateElement register, Value amount) =>
            new(Opcode.Count, 1, amount) { State = [register], Location = write.Location };
    }

    /// <summary>A number without the zeros on its top.</summary>
    private static Value WithoutZeros(Value value) => value switch
    {
        Constant constant => new Constant(Interval.Of(constant.Bits).Width, constant.Bits),
        Operation { Opcode: Opcode.ZeroExtend, Operands: [var low] } => WithoutZeros(low),
        Operation { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0 =>
            WithoutZeros(low),
        _ => value,
    };
}
