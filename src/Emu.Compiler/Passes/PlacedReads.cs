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

    /// <summary>Behind the last byte that may have been changed at the end of each block.</summary>
    private readonly Dictionary<Block, UInt128> _written = [];

    private PlacedReads(Compilation compilation)
    {
        _function = compilation.Process;
        _facts = compilation.PathRangesOf(_function);
        _dominators = new Dominators(_function);
        _repeated = Loop.All(_function).SelectMany(loop => loop.Body).ToHashSet();
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
        var place = FormOf(block, read.Operands[0]);
        var behind = Joined(FormOf(block, s_length).Minus(place));
        // No frame has a byte that is not in front of its end.
        if (!behind.IsNumber || behind.Number > MostBehind) return;
        var placed = new Placed(read, block, (int)behind.Number, _facts.At(block, read.Operands[0]).Min);
        if (placed.Least < written || placed.Count > placed.Behind) return;
        if (!_windows.Exists(window => window.TryTake(placed, written))) _windows.Add(new Window(placed, written));
    }

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

    /// <summary>A search along the frame for the bytes at a place.</summary>
    /// <param name="start">An offset that is not behind the place.</param>
    /// <param name="place">The place.</param>
    /// <param name="count">The bytes.</param>
    /// <param name="location">The C#.</param>
    private static Operation Search(UInt128 start, Value place, int count, SourceLocation? location)
    {
        var body = new Block();
        Phi Parameter(int width)
        {
            var phi = new Phi(width, body);
            body.Phis.Add(phi);
            return phi;
        }
        var bytes = Enumerable.Range(0, count).Select(_ => Parameter(8)).ToList();
        Parameter(FrameFold.OffsetBits);
        var isThere = Parameter(1);
        var turn = new OperationList(body.Operations) { Location = location };
        body.Terminator = new Yield(isThere, [bytes.Aggregate<Value>(turn.Concat)]);
        return new Operation(
            Opcode.FrameFold, 8 * count, [new Constant(FrameFold.OffsetBits, start), place])
        {
            Fold = new FrameFold(new Function("search", body), count, Bounds: 1, Invariants: 0, Found: 1),
            Location = location,
        };
    }

    /// <summary>Puts a search in the place of a window's reads.</summary>
    private void Replace(Window window, Substitution known)
    {
        var block = window.Reads.Select(read => read.Block).Aggregate(Common);
        var first = block.Operations.FindIndex(operation => window.Reads.Exists(read => read.Read == operation));
        var made = new List<Operation>();
        var n = new OperationList(made) { Location = window.Reads[0].Read.Location };
        var length = n.Make(new Operation(Opcode.Input, FormBits) { Input = FrameInput.Length });
        var place = n.Subtract(
            n.Resize(length, FrameFold.OffsetBits), new Constant(FrameFold.OffsetBits, (UInt128)window.Behind));
        // As far back as the header is there anyway: what it has of the window's bytes would be chosen from.
        var start = UInt128.Min(
            (UInt128)window.Start, UInt128.Max(window.Written, (UInt128)Math.Max(0, _header - window.Count)));
        var search = Search(start, place, window.Count, n.Location);
        made.Add(search);
        foreach (var read in window.Reads)
        {
            known.Add(read.Read, n.Extract(search, window.LowOf(read), read.Read.Width));
            read.Block.Operations.Remove(read.Read);
        }
        block.Operations.InsertRange(first < 0 ? block.Operations.Count : first, made);
    }

    /// <summary>The last block that every way to two blocks passes, and that is in no loop.</summary>
    private Block Common(Block one, Block other)
    {
        while (_repeated.Contains(one) || !_dominators.Dominates(one, other)) one = _dominators.Immediate(one)!;
        return one;
    }

    /// <summary>A read at a constant distance from the frame's end.</summary>
    /// <param name="Read">The operation.</param>
    /// <param name="Block">The block in which it is.</param>
    /// <param name="Behind">The bytes from its first to the frame's end.</param>
    /// <param name="Least">The least number that its place can be.</param>
    private sealed record Placed(Operation Read, Block Block, int Behind, UInt128 Least)
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

        /// <summary>The bytes from the window's first to the frame's end.</summary>
        public int Behind => Reads.Max(read => read.Behind);

        /// <summary>The bytes from the window's end to the frame's.</summary>
        private int Rest => Reads.Min(read => read.Behind - read.Count);

        /// <summary>The bytes of the window.</summary>
        public int Count => Behind - Rest;

        /// <summary>The least number that the window's place can be where a read's bytes are the frame's.</summary>
        public Int128 Start => Reads.Min(read => (Int128)read.Least - (Behind - read.Behind));

        /// <summary>Takes one more read, unless the window becomes too wide.</summary>
        /// <param name="read">The read.</param>
        /// <param name="written">Behind the last byte that may have been changed there.</param>
        public bool TryTake(Placed read, UInt128 written)
        {
            var before = Written;
            Reads.Add(read);
            Written = UInt128.Max(before, written);
            if (Count <= MostBytes && Start >= (Int128)Written) return true;
            Reads.Remove(read);
            Written = before;
            return false;
        }

        /// <summary>The lowest bit of a read's bytes among those of the window.</summary>
        public int LowOf(Placed read) => 8 * (read.Behind - read.Count - Rest);
    }
}
