using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes a search along the frame of reads whose distance from the frame's end is a constant, as of a trailer: the
/// bytes pass, and a window over them is kept when it is there. So it is a <see cref="FrameFold"/> whose turns are all
/// taken at once, and its result is known behind the frame's last beat.
/// </summary>
/// <remarks>
/// Reads that are near one another are of one window, on whatever ways they are. What a search finds of a frame that is
/// too short for the window is 0, or not the bytes that are there, and nothing needs it: a fault has ended the event.
/// </remarks>
internal sealed class PlacedReads
{
    /// <summary>The bits in which places are compared: more than any length has.</summary>
    private const int FormBits = 32;

    /// <summary>The farthest from the frame's end.</summary>
    private const int MostBehind = 256;

    /// <summary>The most that is added to what the header says.</summary>
    private const int MostAhead = 2048;

    /// <summary>
    /// The least distance between the first and the last of the places that the header may say: bytes at places near
    /// one another are chosen from, or the header has its least length.
    /// </summary>
    private const int LeastSpread = 64;

    /// <summary>The most bytes of a window: a value has no more bits.</summary>
    private const int MostBytes = Value.MaxWidth / 8;

    /// <summary>Stands for the length with which the frame came.</summary>
    private static readonly Operation s_length = new(Opcode.Input, FormBits) { Input = FrameInput.Length };

    private readonly Function _function;
    private readonly PathRanges _facts;
    private readonly Dominators _dominators;
    private readonly HashSet<Block> _repeated;
    private readonly List<Window> _windows = [];

    /// <summary>Behind the bytes of the header that are read or written.</summary>
    private readonly int _header;

    /// <summary>The uses of each value.</summary>
    private readonly Lazy<ILookup<Value, Value>> _uses;

    /// <summary>Behind the last byte that may have been changed at the end of each block.</summary>
    private readonly Dictionary<Block, UInt128> _written = [];

    private PlacedReads(Compilation compilation)
    {
        _function = compilation.Process;
        _facts = compilation.PathRangesOf(_function);
        _dominators = new Dominators(_function);
        _repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
        _uses = new(Uses);
        _header = PathDivision.FastBlocks(_function).SelectMany(block => block.Operations).Select(EndOf)
            .Append(FrameLength.Header).Max();
    }

    /// <summary>Makes searches of the reads whose distance from the frame's end is a constant.</summary>
    /// <param name="compilation">The service; blocks behind a side exit are left as they are.</param>
    /// <returns>True if there were any.</returns>
    public static bool Run(Compilation compilation) =>
        PathDivision.FastBlocks(compilation.Process).Exists(block => block.Operations.Exists(IsPlaced))
        && new PlacedReads(compilation).Make();

    private static bool IsPlaced(Operation operation) =>
        operation is { Opcode: Opcode.FrameRead, Operands: [not Constant] };

    private static int EndOf(Operation operation) => operation switch
    {
        { Opcode: Opcode.FrameRead, Operands: [Constant at] } => (int)at.Bits + operation.Width / 8,
        { Opcode: Opcode.FrameWrite, Operands: [Constant at, var data] } => (int)at.Bits + data.Width / 8,
        _ => 0,
    };

    private bool Make()
    {
        var blocks = PathDivision.FastBlocks(_function);
        bool isMore;
        do
        {
            isMore = false;
            foreach (var block in blocks) isMore |= IsWrittenMore(block);
        }
        while (isMore);
        foreach (var block in blocks.Where(block => !_repeated.Contains(block)))
        {
            var written = WrittenBefore(block);
            foreach (var operation in block.Operations)
            {
                if (IsPlaced(operation)) Take(block, operation, written);
                written = WrittenBehind(operation, written);
            }
        }
        var known = new Substitution();
        foreach (var window in _windows) Replace(window, known);
        known.Apply(_function);
        return _windows.Count > 0;
    }

    /// <summary>Behind the last byte that may have been changed in front of a block.</summary>
    private UInt128 WrittenBefore(Block block) =>
        block.Predecessors.Select(from => _written.GetValueOrDefault(from)).Append(UInt128.Zero).Max();

    private static UInt128 WrittenBehind(Operation operation, UInt128 before) =>
        !operation.WritesFrame && operation.Opcode is not (Opcode.Wait or Opcode.Call) ? before
        : EndOf(operation) is > 0 and var end ? UInt128.Max(before, (UInt128)end)
        : UInt128.MaxValue;

    /// <summary>Notes what a block changes; true if that is more than was known.</summary>
    private bool IsWrittenMore(Block block)
    {
        var (before, now) = (_written.GetValueOrDefault(block), WrittenBefore(block));
        foreach (var operation in block.Operations) now = WrittenBehind(operation, now);
        _written[block] = now;
        return now > before;
    }

    private void Take(Block block, Operation read, UInt128 written)
    {
        if (PlaceOf(block, read) is not { } placed || placed.Least < written) return;
        if (!_windows.Exists(window => window.TryTake(placed, written))) _windows.Add(new Window(placed, written));
    }

    /// <summary>The place of a read, by the frame's end or by what the header says; null if neither tells.</summary>
    private Placed? PlaceOf(Block block, Operation read)
    {
        var (place, least) = (FormOf(block, read.Operands[0]), _facts.At(block, read.Operands[0]).Min);
        var behind = Joined(FormOf(block, s_length).Minus(place));
        // No frame has a byte that is not in front of its end.
        if (behind.IsNumber && behind.Number <= MostBehind && behind.Number >= (UInt128)(read.Width / 8))
            return new Placed(read, block, null, -(int)behind.Number, least);
        return place.Number <= MostAhead && IsOfHeader(block, read)
            ? new Placed(read, block, place.Minus(LinearForm.Of(FormBits, place.Number)), (int)place.Number, least)
            : null;
    }

    /// <summary>
    /// True if the header alone says where a read is, one of many places, and no other read is where that says: such a
    /// chain is a parser's.
    /// </summary>
    private bool IsOfHeader(Block block, Operation read)
    {
        var places = _facts.At(block, read.Operands[0]);
        if (places.Max - places.Min < LeastSpread) return false;
        var header = new HeaderValues(phi => phi.Operands.Zip(phi.Block.Predecessors));
        return !Dependence.IsOn(read.Operands[0], IsPlaced) && header.Has(read.Operands[0]) && !SaysPlaces(read);
    }

    /// <summary>True if a place, a length or the way of a loop is computed of a value.</summary>
    private bool SaysPlaces(Operation read)
    {
        var (seen, open) = (new HashSet<Value>(ReferenceEqualityComparer.Instance) { read }, new Stack<Value>([read]));
        while (open.TryPop(out var value))
        {
            foreach (var use in _uses.Value[value])
            {
                if (use is Operation { Opcode: Opcode.FrameRead or Opcode.FrameSum or Opcode.FrameMove }
                    || use is Operation { Opcode: Opcode.FrameWrite } write && write.Operands[0] == value
                    || use is Phi phi && _repeated.Contains(phi.Block))
                    return true;
                if (seen.Add(use)) open.Push(use);
            }
        }
        return false;
    }

    private ILookup<Value, Value> Uses() => PathDivision.FastBlocks(_function)
        .SelectMany(block => block.Phis.Select(phi => (Value: (Value)phi, phi.Operands))
            .Concat(block.Operations.Select(operation => (Value: (Value)operation, operation.Operands))))
        .SelectMany(each => each.Operands.Select(operand => (Of: operand, Use: each.Value)))
        .ToLookup<(Value Of, Value Use), Value, Value>(
            each => each.Of, each => each.Use, ReferenceEqualityComparer.Instance);

    /// <summary>
    /// A sum in which phis of one block are the same together by whichever way that is reached: a view begins behind a
    /// tag or not, and has as many bytes as are left.
    /// </summary>
    private LinearForm Joined(LinearForm sum)
    {
        foreach (var phis in sum.Phis.GroupBy(phi => phi.Block).Where(phis => phis.Count() > 1))
        {
            var ways = phis.Key.Predecessors.Select((from, way) => phis.Aggregate(
                sum, (form, phi) => form.With(phi, FormOf(from, phi.Operands[way])))).Distinct().ToList();
            if (ways is [var joined]) return Joined(joined);
        }
        return sum;
    }

    /// <summary>A place as a sum. All places and lengths are less than half of its modulus.</summary>
    private LinearForm FormOf(Block block, Value value) => LinearForm.Of(
        value, FormBits, part => _facts.AtChoice(block, part),
        part => part is Operation { Opcode: Opcode.Input, Input: FrameInput.Length } ? s_length : null);

    /// <summary>Puts a search in the place of a window's reads.</summary>
    private void Replace(Window window, Substitution known)
    {
        var block = window.Reads.Select(read => read.Block).Aggregate(Common);
        var first = block.Operations.FindIndex(operation => window.Reads.Exists(read => read.Read == operation));
        var made = new List<Operation>();
        var n = new OperationList(made) { Location = window.Reads[0].Read.Location };
        var (from, ahead) = (LengthOf(n), window.First);
        if (!window.IsBehindEnd)
        {
            // The first of them has its place in front of it.
            var read = window.Reads.Find(read => read.Read == block.Operations[first])!;
            (from, ahead) = (read.Read.Operands[0], window.First - read.At);
        }
        var place = n.Add(
            n.Resize(from, FrameFold.OffsetBits), new Constant(FrameFold.OffsetBits, (UInt128)(ushort)ahead));
        // As far back as the header is there anyway: what it has of the window's bytes would be chosen from.
        var start = UInt128.Min(
            (UInt128)window.Start, UInt128.Max(window.Written, (UInt128)Math.Max(0, _header - window.Count)));
        var search = FrameSearch.For(start, place, window.Count, n.Location);
        made.Add(search);
        foreach (var read in window.Reads)
        {
            known.Add(read.Read, n.Extract(search, window.LowOf(read), read.Read.Width));
            read.Block.Operations.Remove(read.Read);
        }
        block.Operations.InsertRange(first < 0 ? block.Operations.Count : first, made);
    }

    private static Value LengthOf(OperationList n) =>
        n.Make(new Operation(Opcode.Input, FormBits) { Input = FrameInput.Length });

    /// <summary>The last block that every way to two blocks passes, and that is in no loop.</summary>
    private Block Common(Block one, Block other)
    {
        while (_repeated.Contains(one) || !_dominators.Dominates(one, other)) one = _dominators.Immediate(one)!;
        return one;
    }

    /// <summary>A read at a constant distance from a place.</summary>
    /// <param name="Read">The operation.</param>
    /// <param name="Block">The block in which it is.</param>
    /// <param name="Base">The place, which the header says; null for the frame's end.</param>
    /// <param name="At">The bytes from the place to the read; negative to the front.</param>
    /// <param name="Least">The least number that its place can be.</param>
    private sealed record Placed(Operation Read, Block Block, LinearForm? Base, int At, UInt128 Least)
    {
        public int Count => Read.Width / 8;
    }

    /// <summary>Reads that are near one another.</summary>
    private sealed class Window
    {
        /// <summary>Begins with one read.</summary>
        /// <param name="read">The read.</param>
        /// <param name="written">Behind the last byte that may have been changed there.</param>
        public Window(Placed read, UInt128 written) => (Reads, Written) = ([read], written);

        /// <summary>The reads.</summary>
        public List<Placed> Reads { get; }

        /// <summary>Behind the last byte that may have been changed in front of a read.</summary>
        public UInt128 Written { get; private set; }

        /// <summary>True if it is at a distance from the frame's end.</summary>
        public bool IsBehindEnd => Reads[0].Base is null;

        /// <summary>The bytes from the place by which it is known to its first; negative to the front.</summary>
        public int First => Reads.Min(read => read.At);

        /// <summary>The bytes of the window.</summary>
        public int Count => End - First;

        /// <summary>The least number that the window's place can be where a read's bytes are the frame's.</summary>
        public Int128 Start => Reads.Min(read => (Int128)read.Least - (read.At - First));

        private int End => Reads.Max(read => read.At + read.Count);

        /// <summary>
        /// Takes one more read, unless the window becomes too wide, or a frame may have the bytes of one and not of the
        /// other: in front of the end they are there, and where both are read one behind the other.
        /// </summary>
        /// <param name="read">The read.</param>
        /// <param name="written">Behind the last byte that may have been changed there.</param>
        public bool TryTake(Placed read, UInt128 written)
        {
            if (read.Base != Reads[0].Base || !IsBehindEnd && read.Block != Reads[0].Block) return false;
            var before = Written;
            Reads.Add(read);
            Written = UInt128.Max(before, written);
            if (Count <= MostBytes && Start >= (Int128)Written) return true;
            Reads.Remove(read);
            Written = before;
            return false;
        }

        /// <summary>The lowest bit of a read's bytes among those of the window.</summary>
        public int LowOf(Placed read) => 8 * (End - read.At - read.Count);
    }
}
