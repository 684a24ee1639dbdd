using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes of an access to the frame at one of a few offsets, and of a move of its bytes by one of a few distances, a
/// choice between accesses at constants: behind a VLAN tag or none. Which constants an offset can be, its
/// <see cref="ValueSets"/> say.
/// </summary>
internal sealed class OffsetChoice
{
    /// <summary>The most offsets that are chosen from: a LUT of six inputs chooses one of four.</summary>
    public const int MaxOffsets = 4;

    /// <summary>The most offsets of a checksum whose length is computed: each has adders for a whole beat.</summary>
    private const int MaxStreams = 2;

    private readonly Function _function;
    private readonly UInt128 _capacity;
    private readonly ValueSets _sets = new(MaxOffsets);
    private readonly Substitution _known = new();

    private OffsetChoice(Function function, int capacity) => (_function, _capacity) = (function, (UInt128)capacity);

    /// <summary>Makes the choices.</summary>
    /// <param name="function">The function; blocks behind a side exit are left as they are.</param>
    /// <param name="capacity">The most bytes of a frame.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Function function, int capacity) => new OffsetChoice(function, capacity).Choose();

    private bool Choose()
    {
        var changed = false;
        var repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
        foreach (var block in PathDivision.FastBlocks(_function).Where(block => !repeated.Contains(block)))
        {
            for (var at = block; at is not null;)
            {
                var index = at.Operations.FindIndex(
                    operation => OffsetsOf(operation) is not null || MoveChoice.RootOf(operation, _sets) is not null);
                if (index < 0) break;
                changed = true;
                at = at.Operations[index].Opcode == Opcode.FrameMove
                    ? new MoveChoice(at, index, _sets, _known).Choose()
                    : Choose(at, index);
            }
        }
        _known.Apply(_function);
        return changed;
    }

    /// <summary>
    /// The constants at which the frame is accessed; null for one constant, or for too many. A fault has ended the
    /// event where an offset would be outside of the frame.
    /// </summary>
    private SortedSet<UInt128>? OffsetsOf(Operation operation)
    {
        if (operation.Opcode is not (Opcode.FrameRead or Opcode.FrameWrite or Opcode.FrameSum)) return null;
        if (operation.Operands[0] is Constant || _sets.Of(operation.Operands[0]) is not { } set) return null;
        var isStream = operation.Opcode == Opcode.FrameSum && operation.Operands[1] is not Constant;
        var inside = new SortedSet<UInt128>(set.Where(offset => offset < _capacity));
        return inside.Count > 0 && inside.Count <= (isStream ? MaxStreams : MaxOffsets) ? inside : null;
    }

    /// <summary>Makes the choice for one access; gives the block in which what follows stands.</summary>
    private Block Choose(Block block, int index)
    {
        var access = block.Operations[index];
        var offsets = OffsetsOf(access)!.ToList();
        block.Operations.RemoveAt(index);
        if (access.Opcode == Opcode.FrameWrite) return Write(block, index, access, offsets);
        var chosen = new List<Operation>();
        Operation Add(Opcode opcode, int width, params Value[] operands)
        {
            chosen.Add(new Operation(opcode, width, operands) { Location = access.Location });
            return chosen[^1];
        }
        Value At(UInt128 offset) => Add(
            access.Opcode, access.Width, [Place(access, offset), .. access.Operands.Skip(1)]);
        var value = At(offsets[^1]);
        foreach (var offset in Enumerable.Reverse(offsets).Skip(1))
            value = Add(
                Opcode.Select, access.Width, Add(Opcode.Equal, 1, access.Operands[0], Place(access, offset)),
                At(offset), value);
        block.Operations.InsertRange(index, chosen);
        _known.Add(access, value);
        return block;
    }

    /// <summary>A write is done at one of the offsets: there is no byte that could be kept as it was.</summary>
    private static Block Write(Block block, int index, Operation write, List<UInt128> offsets)
    {
        var rest = Edges.Split(block, index);
        for (var i = 0; i < offsets.Count; i++)
        {
            var place = Place(write, offsets[i]);
            var done = new Block { Terminator = new Jump(rest) };
            done.Operations.Add(new Operation(Opcode.FrameWrite, write.Width, place, write.Operands[1])
            {
                Location = write.Location,
            });
            rest.Predecessors.Add(done);
            done.Predecessors.Add(block);
            if (i == offsets.Count - 1)
            {
                block.Terminator = new Jump(done);
                break;
            }
            var isHere = new Operation(Opcode.Equal, 1, write.Operands[0], place) { Location = write.Location };
            block.Operations.Add(isHere);
            var other = new Block();
            other.Predecessors.Add(block);
            block.Terminator = new Branch(isHere, done, other);
            block = other;
        }
        return rest;
    }

    private static Constant Place(Operation access, UInt128 offset) => new(access.Operands[0].Width, offset);
}
