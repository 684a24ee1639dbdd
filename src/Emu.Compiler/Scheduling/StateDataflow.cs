using System.Numerics;
using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Scheduling;

/// <summary>
/// The state of the service while an event uses it: as it was before the event, with what the event itself has written
/// before, which is found by comparison.
/// </summary>
/// <param name="n">The netlist in which values are made.</param>
/// <param name="source">Gives registers as they were, and the writes of frames ahead.</param>
/// <param name="paths">The paths of the function.</param>
/// <param name="selection">Told which values are selected late.</param>
internal sealed class StateDataflow(
    Netlist n, IEventSource source, BlockPaths paths, SpeculativeSelection selection)
{
    private readonly KeyedLists<Register, (Block Block, RegisterUpdate Update, bool IsOfBlock)> _updates = new();
    private readonly KeyedLists<Memory, (EffectPlace Place, MemoryUpdate Update)> _writes = new();
    private readonly KeyedLists<Register, (Block Block, Value Condition, Value Addend)> _counts = new();

    private readonly Dictionary<Value, MemoryAccess> _readOf = new(ReferenceEqualityComparer.Instance);

    /// <summary>Words read.</summary>
    public List<MemoryAccess> Reads { get; } = [];

    /// <summary>The read of which a value is the word; null if it is none.</summary>
    public MemoryAccess? ReadOf(Value word) => _readOf.GetValueOrDefault(word);

    /// <summary>
    /// The value that a register holds in a block, if that is run: what was written on every way there needs no choice.
    /// </summary>
    public Value Read(Register register, Block block) => _updates[register]
        .Where(u => paths.Leads(u.Block, block))
        .Aggregate(
            (Value?)null,
            (so, u) => u.IsOfBlock && paths.Dominates(u.Block, block)
                ? u.Update.Value
                : n.Select(u.Update.Condition, u.Update.Value, so ?? source.Contents(register)))
        ?? source.Contents(register);

    /// <summary>Writes a register.</summary>
    /// <param name="register">The register.</param>
    /// <param name="block">The block that writes it.</param>
    /// <param name="update">What it writes.</param>
    /// <param name="isOfBlock">True if it does whenever the block is run.</param>
    public void Write(Register register, Block block, RegisterUpdate update, bool isOfBlock) =>
        _updates.Add(register, (block, update, isOfBlock));

    /// <summary>The writes of a memory, one by one, in the order of the C#.</summary>
    public IEnumerable<MemoryUpdate> WritesOf(Memory memory) => _writes[memory].Select(write => write.Update);

    /// <summary>The value of a word of a memory in a block, which is run under a condition.</summary>
    public Value Read(Memory memory, Value index, Block block, Value condition)
    {
        var access = AccessOf(memory, index);
        access.Conditions.Add(condition);
        access.Blocks.Add(block);
        Value word = access.Word;
        foreach (var write in source.WritesAhead(memory).Reverse())
        {
            var isHere = n.And(write.Happens, n.Equal(write.Address, n.Resize(index, write.Address.Width)));
            word = n.Select(isHere, n.Resize(write.Data, memory.Width), word);
            if (write.IsOutsideLoop) selection.AddAhead(word);
        }
        foreach (var (_, write) in _writes[memory].Where(w => paths.Leads(w.Place.Block, block)))
        {
            var isOwn = n.And(write.Condition, n.Equal(write.Index, index));
            word = n.Select(isOwn, write.Data, word);
            selection.AddOwn(word);
        }
        return word;
    }

    /// <summary>Writes a word of a memory.</summary>
    public void Write(Memory memory, EffectPlace place, MemoryUpdate update) => _writes.Add(memory, (place, update));

    /// <summary>Adds to a register that nothing else is done with.</summary>
    public void Count(Register register, Block block, Value condition, Value addend) =>
        _counts.Add(register, (block, condition, addend));

    /// <summary>
    /// The writes of each memory, one for each time at which an event needs its port, in their order; and of each
    /// memory for which once is not enough, the first that shows it.
    /// </summary>
    public (List<(Memory Memory, MemoryUpdate Update)> All, List<(Memory Memory, MemoryUpdate Update)> Collisions)
        Writes()
    {
        var collisions = new List<(Memory Memory, MemoryUpdate Update)>();
        var all = new List<(Memory Memory, MemoryUpdate Update)>();
        foreach (var (memory, writes) in _writes)
        {
            var turns = TurnsOf(writes);
            if (turns.FindIndex(turn => turn > 0) is var first and >= 0)
                collisions.Add((memory, writes[first].Update));
            all.AddRange(writes.Zip(turns).GroupBy(write => write.Second, write => write.First.Update)
                .OrderBy(turn => turn.Key).Select(turn => (memory, Joined([.. turn]))));
        }
        return (all, collisions);
    }

    /// <summary>True if an event reads at most one of two words.</summary>
    public bool Exclude(MemoryAccess one, MemoryAccess other) =>
        one.Blocks.Index().All(mine => other.Blocks.Index().All(its =>
            Exclude(mine.Item, one.Conditions[mine.Index], its.Item, other.Conditions[its.Index])));

    /// <summary>The write of each register: the last that happens.</summary>
    public List<(Register Register, RegisterUpdate Update)> Updates() =>
        [.. _updates.Select(u => (u.Key, Joined(u.Value.ConvertAll(w => w.Update))))];

    /// <summary>The amounts added to the registers that are only added to: 0 when nothing is added.</summary>
    public List<(Register Register, Value Amount)> Counts() =>
        [.. _counts.Select(c => (c.Key, Amount(c.Key, c.Value)))];

    private MemoryAccess AccessOf(Memory memory, Value index)
    {
        if (Reads.Find(r => r.Memory == memory && Constant.AreSame(r.Index, index)) is { } known) return known;
        var access = new MemoryAccess(
            memory, index, new Wire($"{Netlist.SnakeCase(memory.Name)}_word", FoldingBuilder.Zero(memory.Width)));
        Reads.Add(access);
        _readOf[access.Word] = access;
        return access;
    }

    /// <summary>
    /// For each write of a memory the number of the time at which it has the port: the first, but behind that of
    /// another which may happen as well, and not before that of one to the same word.
    /// </summary>
    private List<int> TurnsOf(List<(EffectPlace Place, MemoryUpdate Update)> writes)
    {
        var turns = new List<int>();
        foreach (var (place, write) in writes)
        {
            var beside = writes.Zip(turns).Where(other => !paths.Exclude(other.First.Place, place)
                && !Constant.Is(n.And(other.First.Update.Condition, write.Condition), 0));
            turns.Add(beside.Select(other =>
                Constant.AreSame(other.First.Update.Index, write.Index) ? other.Second : other.Second + 1)
                .Append(0).Max());
        }
        return turns;
    }

    /// <summary>
    /// Writes of a memory as one: later ones count where several happen, and those have one index.
    /// </summary>
    private MemoryUpdate Joined(List<MemoryUpdate> writes)
    {
        var (index, data) = (writes[0].Index, writes[0].Data);
        foreach (var write in writes.Skip(1))
        {
            n.Location = write.Location;
            index = n.Select(write.Condition, write.Index, index);
            data = n.Select(write.Condition, write.Data, data);
        }
        return new MemoryUpdate(n.ReduceOr(writes.Select(w => w.Condition)), index, data, writes[0].Location);
    }

    private RegisterUpdate Joined(List<RegisterUpdate> updates)
    {
        var value = updates[0].Value;
        foreach (var update in updates.Skip(1))
        {
            n.Location = update.Location;
            value = n.Select(update.Condition, update.Value, value);
        }
        return new RegisterUpdate(n.ReduceOr(updates.Select(u => u.Condition)), value, updates[0].Location);
    }

    /// <summary>
    /// The total that an event adds to a register. Of places that exclude one another it adds what one of them adds;
    /// the others are summed.
    /// </summary>
    private Value Amount(Register register, List<(Block Block, Value Condition, Value Addend)> places)
    {
        var sets = new List<List<(Block Block, Value Condition, Value Addend)>>();
        foreach (var place in places)
        {
            bool Excludes((Block Block, Value Condition, Value Addend) other) =>
                Exclude(other.Block, other.Condition, place.Block, place.Condition);

            if (sets.Find(set => set.TrueForAll(Excludes)) is { } others) others.Add(place);
            else sets.Add([place]);
        }
        var carries = BitOperations.Log2(BitOperations.RoundUpToPowerOf2((uint)sets.Count));
        var width = Math.Min(register.Width, places.Max(p => p.Addend.Width) + carries);
        return sets
            .Select(set => n.SelectOneHot(width, set.Select(p => (p.Condition, n.Resize(p.Addend, width)))))
            .Aggregate(n.Add);
    }

    /// <summary>True if at most one of two effects happens: no path passes both, or their conditions say so.</summary>
    private bool Exclude(Block block, Value condition, Block other, Value another) =>
        paths.Exclude(block, other) || Constant.Is(n.And(condition, another), 0);
}
