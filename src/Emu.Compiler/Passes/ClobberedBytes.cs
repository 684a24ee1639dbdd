using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The bytes of the frame that may have been written or moved before a place: others are what a read before gave
/// (redundant load elimination, Muchnick 1997 §13.1).
/// </summary>
internal sealed class ClobberedBytes
{
    /// <summary>The bytes that are looked at one by one; behind them a write clobbers all.</summary>
    private const int Tracked = 128;

    private readonly NodeTable<Block, State> _atStart = new();
    private readonly List<Operation> _placed = [];

    /// <summary>The bytes that may be others than they were.</summary>
    /// <param name="Written">A bit for each of the first bytes: 1 if it may have been written.</param>
    /// <param name="From">From this offset on any may have been.</param>
    /// <param name="IsCut">True if the frame may have been cut: where it grows again, bytes are 0.</param>
    /// <param name="Placed">A bit for each of the first writes at computed places: 1 if it may have been done.</param>
    public readonly record struct State(UInt128 Written, int From, bool IsCut, ulong Placed)
    {
        /// <summary>No byte.</summary>
        public static State None { get; } = new(0, int.MaxValue, false, 0);

        /// <summary>The bytes of either of two ways.</summary>
        public State Or(State other) => new(
            Written | other.Written, Math.Min(From, other.From), IsCut || other.IsCut, Placed | other.Placed);

        /// <summary>
        /// True if no byte of a read at a known place has been changed by a write or a move at a known place.
        /// </summary>
        public bool Keeps(UInt128 offset, int bytes) =>
            offset + (UInt128)bytes <= (UInt128)Math.Min(From, Tracked) && (Written & Bits((int)offset, bytes)) == 0;

        /// <summary>True if nothing but writes at computed places may have changed what is behind a place.</summary>
        public bool KeepsFrom(UInt128 offset) =>
            From == int.MaxValue && !IsCut && (offset >= Tracked || Written >> (int)offset == 0);

        /// <summary>The bytes behind an operation.</summary>
        public State Behind(Operation operation) => operation.Opcode switch
        {
            Opcode.FrameWrite when operation.Operands[0] is Constant { Bits: var offset } && offset < Tracked =>
                this with { Written = Written | Bits((int)offset, operation.Operands[1].Width / 8) },
            Opcode.FrameWrite when operation.Operands[0] is Constant => Unknown(Tracked),
            Opcode.FrameMap when operation.Operands[0] is Constant { Bits: var start } =>
                Unknown((int)UInt128.Min(start, Tracked)),
            Opcode.FrameMove when operation.Operands[1] is Constant { Bits: var to } =>
                Unknown((int)UInt128.Min(to, Tracked)),
            // Bytes that were cut off, wherever that was, may be there again, and are 0.
            Opcode.FrameResize when IsCut => Unknown(0),
            Opcode.FrameResize when operation.Operands[1] is Constant { Bits: var length } =>
                Unknown((int)UInt128.Min(length, Tracked)),
            // Bytes that were read before are there, and stay.
            Opcode.FrameResize when IsGrowth(operation) => this,
            Opcode.FrameResize => this with { IsCut = true },
            _ when operation.WritesFrame => Unknown(0),
            _ => this,
        };

        /// <summary>All bytes from a place on.</summary>
        public State Unknown(int from) => this with { From = Math.Min(From, from) };

        private static UInt128 Bits(int offset, int count) => Arithmetic.Mask(Math.Min(count, Tracked)) << offset;
    }

    /// <summary>Follows a function.</summary>
    public ClobberedBytes(Function function)
    {
        var blocks = function.Blocks();
        foreach (var block in blocks) _atStart[block] = State.None;
        var changes = blocks.ConvertAll(block => block.Operations.FindAll(MayChange));
        if (!changes.Exists(some => some.Exists(operation => operation.WritesFrame))) return;
        _placed.AddRange(changes.SelectMany(some => some.FindAll(FramePlace.IsComputedWrite)));
        for (var changed = true; changed;)
        {
            changed = false;
            for (var i = 0; i < blocks.Count; i++)
            {
                var (block, atEnd) = (blocks[i], _atStart[blocks[i]]);
                foreach (var operation in changes[i]) atEnd = Behind(atEnd, operation);
                foreach (var successor in block.Terminator!.Successors)
                {
                    var joined = _atStart[successor].Or(atEnd);
                    changed |= joined != _atStart[successor];
                    _atStart[successor] = joined;
                }
            }
        }
    }

    private static bool MayChange(Operation operation) =>
        operation.WritesFrame || operation.Opcode is
            Opcode.FrameWrite or Opcode.FrameMap or Opcode.FrameMove or Opcode.FrameResize;

    /// <summary>The bytes when a block begins.</summary>
    public State AtStart(Block block) => _atStart[block];

    /// <summary>The bytes behind an operation.</summary>
    public State Behind(State before, Operation operation)
    {
        if (!FramePlace.IsComputedWrite(operation)) return before.Behind(operation);
        var index = _placed.IndexOf(operation);
        return index is >= 0 and < 64
            ? before with { Placed = before.Placed | 1ul << index }
            : before.Unknown(0);
    }

    /// <summary>
    /// True if a read gives what a read of the same place gave that it follows on all ways: none of the writes has a
    /// byte of it. A place that is computed from the same values is as far away in each turn of a loop.
    /// </summary>
    public bool Keeps(State state, Operation read)
    {
        if (state == State.None) return true;
        var keeps = read.Operands[0] is Constant { Bits: var offset }
            ? state.Keeps(offset, read.Width / 8)
            : state.KeepsFrom(FramePlace.Least(read.Operands[0]));
        for (var i = 0; keeps && state.Placed >> i != 0 && i < 64; i++)
        {
            if ((state.Placed >> i & 1) != 0) keeps = FramePlace.AreDisjoint(read, _placed[i]);
        }
        return keeps;
    }

    /// <summary>
    /// True if a length is a constant more than the one before; it is below the capacity, so no sum wraps.
    /// </summary>
    public static bool IsGrowth(Operation resize) =>
        AffineForm.WithoutZeros(resize.Operands[1])
            is Operation { Opcode: Opcode.Add, Operands: [var old, Constant by] }
        && AffineForm.WithoutZeros(old) == AffineForm.WithoutZeros(resize.Operands[0])
        && by.Bits >> (by.Width - 1) == 0;
}
