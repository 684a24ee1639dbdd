using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes of an access to the frame at one of a few offsets, and of a move of its bytes by one of a few distances, a
/// choice between accesses at constants: behind a VLAN tag or none, or behind the options of TCP. Which constants an
/// offset can be, its <see cref="ValueSets"/> say.
/// </summary>
internal sealed class OffsetChoice
{
    /// <summary>
    /// The most offsets that are chosen from: a LUT of six inputs chooses one of four. Of a checksum whose length is
    /// computed each has adders for a whole beat.
    /// </summary>
    public const int MaxOffsets = 4;

    /// <summary>The most offsets where a field decides that has as many numbers that are as common.</summary>
    private const int MaxOffsetsOfField = 16;

    private readonly Function _function;
    private readonly UInt128 _capacity;
    private readonly Predicate<Operation> _varies;
    private readonly PathRanges _facts;
    private readonly ValueSets _sets = new(MaxOffsets);
    private readonly Substitution _known = new();
    private ValueSets _setsOfFields = null!;

    private OffsetChoice(Compilation compilation, Predicate<Operation> varies)
    {
        (_function, _capacity, _varies) = (compilation.Process, (UInt128)compilation.Capacity, varies);
        _facts = compilation.PathRangesOf(_function);
    }

    /// <summary>Makes the choices.</summary>
    /// <param name="compilation">The service; blocks behind a side exit are left as they are.</param>
    /// <param name="varies">True of a field that often has other numbers than its least.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation, Predicate<Operation> varies) =>
        new OffsetChoice(compilation, varies).Choose();

    private bool Choose()
    {
        var changed = false;
        var repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
        foreach (var block in PathDivision.FastBlocks(_function).Where(block => !repeated.Contains(block)))
        {
            // Blocks that are made of this one know what it does.
            _setsOfFields = new ValueSets(
                2 * MaxOffsetsOfField,
                field => _varies(field) || IsOfFew(field, block) ? _facts.At(block, field) : null);
            for (var at = block; at is not null;)
            {
                var index = at.Operations.FindIndex(
                    operation => OffsetsOf(operation, block) is not null
                        || MoveChoice.RootOf(operation, _sets) is not null);
                if (index < 0) break;
                changed = true;
                at = at.Operations[index].Opcode == Opcode.FrameMove
                    ? new MoveChoice(at, index, _sets, _known).Choose()
                    : Choose(at, index, OffsetsOf(at.Operations[index], block)!);
            }
        }
        _known.Apply(_function);
        return changed;
    }

    /// <summary>True if branches before have left few numbers of a field: the service asks for just these.</summary>
    private bool IsOfFew(Operation field, Block block) =>
        field is { Opcode: Opcode.Extract, Operands: [var read] } && SideExits.IsOfFrame(read)
        && _facts.At(block, field) is var range && range.Max - range.Min < MaxOffsets;

    /// <summary>
    /// The constants at which the frame is accessed; null for one constant, or for too many. A fault has ended the
    /// event where an offset would be outside of the frame.
    /// </summary>
    /// <param name="operation">The access.</param>
    /// <param name="block">The block as it was, of which facts are known.</param>
    private SortedSet<UInt128>? OffsetsOf(Operation operation, Block block)
    {
        if (operation.Opcode is not (Opcode.FrameRead or Opcode.FrameWrite or Opcode.FrameSum)) return null;
        if (operation.Operands[0] is Constant) return null;
        return Inside(_sets, operation, block, MaxOffsets) ?? Inside(
            _setsOfFields, operation, block,
            operation.Opcode == Opcode.FrameSum ? MaxOffsets : MaxOffsetsOfField);
    }

    /// <summary>The offsets that are in the frame, and that branches before do not exclude.</summary>
    private SortedSet<UInt128>? Inside(ValueSets sets, Operation access, Block block, int most)
    {
        if (sets.Of(access.Operands[0]) is not { } set) return null;
        var range = _facts.At(block, access.Operands[0]);
        var inside = new SortedSet<UInt128>(
            set.Where(offset => offset < _capacity && range.Min <= offset && offset <= range.Max));
        return inside.Count > 0 && inside.Count <= most ? inside : null;
    }

    /// <summary>Makes the choice for one access; gives the block in which what follows stands.</summary>
    private Block Choose(Block block, int index, IEnumerable<UInt128> places)
    {
        var access = block.Operations[index];
        var offsets = places.ToList();
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
