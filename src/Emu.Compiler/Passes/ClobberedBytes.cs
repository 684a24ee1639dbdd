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

    /// <summary>The bytes that may be others than they were.</summary>
    /// <param name="Written">A bit for each of the first bytes: 1 if it may have been written.</param>
    /// <param name="From">From this offset on any may have been.</param>
    /// <param name="IsCut">True if the frame may have been cut: where it grows again, bytes are 0.</param>
    public readonly record struct State(UInt128 Written, int From, bool IsCut)
    {
        /// <summary>No byte.</summary>
        public static State None { get; } = new(0, int.MaxValue, false);

        /// <summary>The bytes of either of two ways.</summary>
        public State Or(State other) =>
            new(Written | other.Written, Math.Min(From, other.From), IsCut || other.IsCut);

        /// <summary>True if a read gives what one in front of all writes of its bytes gave.</summary>
        public bool Keeps(Operation read)
        {
            if (read.Operands[0] is not Constant { Bits: var offset }) return this == None;
            var end = offset + (UInt128)(read.Width / 8);
            return end <= (UInt128)Math.Min(From, Tracked) && (Written & Bits((int)offset, read.Width / 8)) == 0;
        }

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

        private State Unknown(int from) => this with { From = Math.Min(From, from) };

        private static UInt128 Bits(int offset, int count) => Arithmetic.Mask(Math.Min(count, Tracked)) << offset;
    }

    /// <summary>Follows a function.</summary>
    public ClobberedBytes(Function function)
    {
        var blocks = function.Blocks();
        foreach (var block in blocks) _atStart[block] = State.None;
        var changes = blocks.ConvertAll(block => block.Operations.FindAll(MayChange));
        if (!changes.Exists(some => some.Exists(operation => operation.WritesFrame))) return;
        for (var changed = true; changed;)
        {
            changed = false;
            for (var i = 0; i < blocks.Count; i++)
            {
                var (block, atEnd) = (blocks[i], _atStart[blocks[i]]);
                foreach (var operation in changes[i]) atEnd = atEnd.Behind(operation);
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

    /// <summary>
    /// True if a length is a constant more than the one before; it is below the capacity, so no sum wraps.
    /// </summary>
    public static bool IsGrowth(Operation resize) =>
        AffineForm.WithoutZeros(resize.Operands[1])
            is Operation { Opcode: Opcode.Add, Operands: [var old, Constant by] }
        && AffineForm.WithoutZeros(old) == AffineForm.WithoutZeros(resize.Operands[0])
        && by.Bits >> (by.Width - 1) == 0;
}
