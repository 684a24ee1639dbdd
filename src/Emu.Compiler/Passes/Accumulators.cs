using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// An accumulator, a register that nothing reads but to write it back with something added, is only added to: nobody
/// waits for what it holds, and events that are under way at once do not meet in it.
/// </summary>
internal static class Accumulators
{
    /// <summary>The bits of the widest accumulator: those that hardware adds up in the background.</summary>
    private const int MaxBits = 64;

    /// <summary>Finds the registers that functions only add to.</summary>
    public static void Run(IReadOnlyList<Function> functions) => Run(functions, []);

    /// <summary>
    /// Finds those of a pipeline and its slow path, which may read and set them: it waits until all is added that was
    /// counted before, and the stages are empty then, since the two share them.
    /// </summary>
    /// <param name="fast">What the pipeline does.</param>
    /// <param name="slow">What the slow path does with a frame.</param>
    /// <param name="others">The other events of the slow path, which stay as they are.</param>
    public static void RunBetween(Function fast, Function slow, IReadOnlyList<Function> others) =>
        Run([fast, slow], [slow, .. others]);

    private static void Run(IReadOnlyList<Function> functions, IReadOnlyList<Function> readers)
    {
        var uses = Uses(functions);
        var blocks = BlocksOf(functions);
        var additions = new Dictionary<Operation, Addend>(ReferenceEqualityComparer.Instance);
        foreach (var block in functions.SelectMany(f => f.Blocks()))
        {
            for (var i = 0; i < block.Operations.Count; i++)
            {
                if (Added(block, i, uses, blocks) is { } addend) additions[block.Operations[i]] = addend;
            }
        }
        var numbers = Numbers([.. functions.Union(readers)], readers, additions);
        // What the pipeline does not count is a number that the slow path can write at once.
        var counted = functions.Except(readers).SelectMany(Operations).Where(additions.ContainsKey)
            .SelectMany(operation => operation.State).ToHashSet();
        numbers.UnionWith(readers.SelectMany(Operations)
            .Where(o => o.Opcode == Opcode.RegisterWrite && !additions.ContainsKey(o))
            .SelectMany(operation => operation.State).Where(element => !counted.Contains(element)));
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
        IReadOnlyList<Function> functions, IReadOnlyList<Function> readers, Dictionary<Operation, Addend> additions)
    {
        var added = additions.Values.Select(addend => addend.Read).ToHashSet();
        bool IsOther(Function function, Operation operation)
        {
            var isOther = operation.Opcode switch
            {
                Opcode.RegisterWrite => !additions.ContainsKey(operation),
                Opcode.RegisterRead => !added.Contains(operation),
                _ => false,
            };
            return isOther && (operation.State.Count > 1 || !readers.Contains(function));
        }
        var numbers = functions
            .SelectMany(f => Operations(f).Where(o => IsOther(f, o)))
            .SelectMany(operation => operation.State).ToHashSet();
        for (var before = -1; before < numbers.Count;)
        {
            before = numbers.Count;
            foreach (var write in additions.Keys)
                if (write.State.Any(numbers.Contains)) numbers.UnionWith(write.State);
        }
        return numbers;
    }

    private static IEnumerable<Operation> Operations(Function function) =>
        function.Blocks().SelectMany(block => block.Operations);

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
    /// The amounts that a write adds to a register, or to one of several, that is read before it with no other write
    /// between; null if it does something else.
    /// </summary>
    private static Addend? Added(
        Block block, int index, Dictionary<Value, int> uses, Dictionary<Value, Block> blocks)
    {
        var write = block.Operations[index];
        if (write.Opcode != Opcode.RegisterWrite || !write.State.All(CanAccumulate)) return null;
        var amounts = new List<(Value Value, bool IsTaken)>();
        if (ReadUnder(write, write.Operands[0], uses, amounts) is not { } read || amounts.Count == 0) return null;
        return IsUnwritten(blocks[read], read, block, index) ? new Addend(read, amounts) : null;
    }

    /// <summary>
    /// The read of the register to which a value adds amounts, one behind the other; null if the value, or one on the
    /// way to it, is made otherwise or used elsewhere.
    /// </summary>
    private static Operation? ReadUnder(
        Operation write, Value value, Dictionary<Value, int> uses, List<(Value Value, bool IsTaken)> amounts)
    {
        if (value is not Operation operation || uses[operation] > 1) return null;
        if (IsReadOf(write, operation)) return operation;
        if (operation.Opcode is not (Opcode.Add or Opcode.Subtract)) return null;
        var isTaken = operation.Opcode == Opcode.Subtract;
        for (var i = 0; i < (isTaken ? 1 : 2); i++)
        {
            if (ReadUnder(write, operation.Operands[i], uses, amounts) is not { } read) continue;
            amounts.Add((operation.Operands[1 - i], isTaken));
            return read;
        }
        return null;
    }

    /// <summary>
    /// True if nothing writes what is read from a read on, in one block, to a write behind it, in the same or another:
    /// C# reads a field before it evaluates the addend, in which checks may end blocks.
    /// </summary>
    private static bool IsUnwritten(Block from, Operation read, Block to, int index)
    {
        bool Writes(Operation operation) =>
            operation.IsEffect && operation.State.Any(read.State.Contains)
            || operation.Callee is { } callee && CallEffects.Of(callee).Written.Overlaps(read.State);
        var first = from.Operations.IndexOf(read);
        if (from == to) return !from.Operations.GetRange(first, index - first).Exists(Writes);
        if (from.Operations.Skip(first).Any(Writes) || to.Operations.Take(index).Any(Writes)) return false;
        // The blocks between, which are those that lead to the write and not past the read; a way back to the write
        // that does not read again would add to an old value.
        var between = new HashSet<Block> { to };
        var rest = new Stack<Block>(to.Predecessors);
        while (rest.TryPop(out var block))
        {
            if (block == to) return false;
            if (block == from || !between.Add(block)) continue;
            if (block.Operations.Exists(Writes)) return false;
            foreach (var predecessor in block.Predecessors) rest.Push(predecessor);
        }
        return true;
    }

    private static Dictionary<Value, Block> BlocksOf(IReadOnlyList<Function> functions)
    {
        var blocks = new Dictionary<Value, Block>(ReferenceEqualityComparer.Instance);
        foreach (var block in functions.SelectMany(f => f.Blocks()))
            block.Operations.ForEach(operation => blocks[operation] = block);
        return blocks;
    }

    private static bool CanAccumulate(StateElement element) =>
        element is Register { Width: <= MaxBits } register && register.Reset == 0;

    private static bool IsReadOf(Operation write, Operation read) =>
        read.Opcode == Opcode.RegisterRead && read.State.SequenceEqual(write.State)
        && (read.State.Count == 1 || Constant.AreSame(read.Operands[0], write.Operands[1]));

    private static IEnumerable<Operation> Counts(Operation write, Addend added) =>
        added.Amounts.SelectMany(amount => Counts(write, amount.Value, amount.IsTaken));

    /// <summary>A write as additions: each of several registers gets the amount or 0.</summary>
    private static IEnumerable<Operation> Counts(Operation write, Value value, bool isTaken)
    {
        var addend = WithoutZeros(value);
        if (isTaken)
        {
            var negative = Make(Opcode.Subtract, value.Width, new Constant(value.Width, 0), value);
            yield return negative;
            addend = negative;
        }
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

    /// <summary>Additions to the register: the read of it, and the values that are added, or taken away.</summary>
    private sealed record Addend(Operation Read, IReadOnlyList<(Value Value, bool IsTaken)> Amounts);

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
