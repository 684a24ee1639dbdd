using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// A loop that reads the frame at offsets that grow by one each turn, and tables at such indices, may write the one
/// byte that a turn looks at, and does nothing else but compute; or a walk, in which they grow by a length that a turn
/// has read.
/// </summary>
internal sealed class ByteLoop
{
    /// <summary>The most bytes that a turn looks at: each is compared in each lane of a beat.</summary>
    private const int MostBytes = 32;

    private readonly Loop _loop;
    private readonly Lazy<Ranges> _ranges;
    private readonly Lazy<Dominators> _dominators;
    private readonly Lazy<HashSet<StateElement>> _written;
    private readonly int _bits;
    private readonly int _capacity;
    private readonly HashSet<Value> _defined;
    private readonly Dictionary<Operation, int> _byteOf = new(ReferenceEqualityComparer.Instance);
    private PathRanges? _facts;
    private readonly Dictionary<Value, bool> _isOfBytes = new(ReferenceEqualityComparer.Instance);

    private ByteLoop(Compilation compilation, Loop loop, Phi index)
    {
        (_loop, _capacity, Index) = (loop, compilation.Capacity, index);
        _ranges = new(compilation.Ranges);
        _dominators = new(() => new Dominators(compilation.Process));
        _written = new(() => ConstantState.Written(compilation.Functions));
        _bits = Interval.Of((UInt128)compilation.Capacity).Width;
        Blocks = compilation.Process.Blocks().FindAll(loop.Body.Contains);
        _defined = Blocks.SelectMany(block => block.Phis.Concat<Value>(block.Operations))
            .ToHashSet<Value>(ReferenceEqualityComparer.Instance);
    }

    /// <summary>Its blocks, as a loop of any kind.</summary>
    public Loop Loop => _loop;

    /// <summary>The block by which it is entered.</summary>
    public Block Header => _loop.Header;

    /// <summary>All its blocks.</summary>
    public IReadOnlySet<Block> Body => _loop.Body;

    /// <summary>The same in the order of the function.</summary>
    public List<Block> Blocks { get; }

    /// <summary>The phi that grows by one each turn, or by a step.</summary>
    public Phi Index { get; }

    /// <summary>The step of a walk; null if the index grows by one.</summary>
    public WalkStep? Step { get; private set; }

    /// <summary>The bytes that a turn may look at.</summary>
    public int Bytes { get; private set; }

    /// <summary>The ways out; the first of them, as many as are early, in the order of the program.</summary>
    public List<(Block From, Block To)> Exits { get; private set; } = [];

    /// <summary>
    /// The ways out in front of the read of a turn's last byte: without that byte, one of them is taken. Where a turn
    /// may go on without that read, those in front of its first read, or of where it is decided if it reads.
    /// </summary>
    public int EarlyExits { get; private set; }

    /// <summary>True if turns write bytes.</summary>
    public bool Writes { get; private set; }

    /// <summary>
    /// True if a turn may go on without having read its last byte, as a comparison does that ends with the first byte
    /// that differs. Then nothing says that the frame has the bytes of a turn that goes on.
    /// </summary>
    public bool ReadsAhead { get; private set; }

    /// <summary>The C#.</summary>
    public SourceLocation? Location =>
        Blocks.SelectMany(block => block.Operations).Select(o => o.Location).FirstOrDefault(l => l is not null);

    /// <summary>The loop if it is of this kind; null else.</summary>
    public static ByteLoop? Of(Compilation compilation, Loop loop)
    {
        // Most loops do something else, which costs nothing to see.
        if (!loop.Body.All(MayBePart)) return null;
        foreach (var index in loop.Header.Phis)
        {
            var isCounted = IsIndex(loop, index);
            if (!isCounted && !WalkStep.MayBe(loop, index)) continue;
            var bytes = new ByteLoop(compilation, isCounted ? loop : WithLooks(compilation, loop, index), index);
            if (bytes.OnlyComputes() && bytes.IsInnermost() && (isCounted ? bytes.Counts() : bytes.Walks(compilation))
                && bytes.FindsBytes() && bytes.FindsExits())
                return bytes;
        }
        return null;
    }

    /// <summary>
    /// A loop with what is looked at behind its ends, at the place that it has come to: that is a part of its last
    /// turn.
    /// </summary>
    private static Loop WithLooks(Compilation compilation, Loop loop, Phi index)
    {
        var body = new HashSet<Block>(loop.Body);
        // A block that leads to a look, by ways that nothing else takes, and on which nothing else is done.
        bool Take(Block block)
        {
            if (block.Predecessors.Count != 1 || block.Terminator is not (Jump or Branch)
                || !block.Operations.TrueForAll(OnlyComputes))
                return false;
            var isTaken = block.Operations.Exists(operation =>
                operation.Opcode == Opcode.FrameRead && WalkStep.Follows(loop, index, operation.Operands[0]));
            foreach (var to in block.Terminator.Successors) isTaken |= Take(to);
            if (isTaken) body.Add(block);
            return isTaken;
        }
        foreach (var to in loop.Body.SelectMany(block => block.Terminator!.Successors).Where(to => !body.Contains(to)))
            Take(to);
        return loop with { Body = body };
    }

    /// <summary>Takes up operations that were made in one of its blocks.</summary>
    public void Add(params IEnumerable<Operation> operations) => _defined.UnionWith(operations);

    /// <summary>
    /// The number of the first byte that a read of the frame gives, or a write takes, among those of a turn.
    /// </summary>
    public int FirstByte(Operation access) => _byteOf[access];

    /// <summary>True if a value is computed in the loop.</summary>
    public bool Defines(Value value) => _defined.Contains(value);

    /// <summary>The offset of the first byte of the first turn; null if it is not known in front of the loop.</summary>
    /// <param name="outside">Gives values as they are in front of the loop.</param>
    public Value? Start(Func<Value, Value?> outside) =>
        outside(_byteOf.First(entry => entry.Value == 0).Key.Operands[0]);

    /// <summary>True if a value is known behind the loop when the state is, without bytes of the last turn.</summary>
    public bool IsComputedAgain(Value value) => value is Operation && !IsOfBytes(value);

    /// <summary>True if a value that is used behind the loop is there only if a turn has read all its bytes.</summary>
    public bool MayBeFound(Value value)
    {
        var block = Blocks.First(b => b.Operations.Contains(value) || b.Phis.Contains(value));
        return !Exits.Take(EarlyExits).Any(exit => _dominators.Value.Dominates(block, exit.From));
    }

    /// <summary>True if a value in the loop is there at the end of a block.</summary>
    public bool Reaches(Value value, Block block) => _dominators.Value.Dominates(
        Blocks.First(b => b.Operations.Contains(value) || b.Phis.Contains(value)), block);

    /// <summary>An offset as a sum.</summary>
    public TurnOffset OffsetOf(Value value) => TurnOffset.Of(value, _bits, IsWhole);

    /// <summary>
    /// The most that a value is in any turn, if it is the index and something that is the same in all turns, without a
    /// carry out of its bits; null if it is not.
    /// </summary>
    public UInt128? MostOfIndexed(Value value)
    {
        if (value == Index)
        {
            var most = UInt128.Min(_ranges.Value.Of(Index).Max, MostAtFirst() + (UInt128)_capacity + (Step?.Most ?? 0));
            return most < Arithmetic.Mask(Index.Width) ? most : null;
        }
        if (value is not Operation operation) return null;
        switch (operation)
        {
            case { Opcode: Opcode.Add, Operands: var o }:
                var (indexed, other) = MostOfIndexed(o[0]) is { } most ? (most, o[1]) : (MostOfIndexed(o[1]), o[0]);
                return indexed is { } one && IsSame(other)
                    && (one + _ranges.Value.Of(other).Max <= Arithmetic.Mask(value.Width) || IsWhole(operation))
                    ? UInt128.Min(one + _ranges.Value.Of(other).Max, Arithmetic.Mask(value.Width))
                    : null;
            case { Opcode: Opcode.Concat, Operands: [Constant { Bits: var zeros }, var low] } when zeros == 0:
                return MostOfIndexed(low);
            case { Opcode: Opcode.ZeroExtend, Operands: [var part] }:
                return MostOfIndexed(part);
            case { Opcode: Opcode.Extract, Low: 0, Operands: [var whole] }:
                return MostOfIndexed(whole) is { } all && (all <= Arithmetic.Mask(value.Width) || IsWhole(operation))
                    ? UInt128.Min(all, Arithmetic.Mask(value.Width))
                    : null;
            default:
                return null;
        }
    }

    /// <summary>True if a value is the same in all turns.</summary>
    public bool IsSame(Value value) =>
        !Defines(value) || value is Operation { ReadsState: false } operation && operation.Operands.TrueForAll(IsSame);

    /// <summary>True if a phi of a loop's header grows by one each turn.</summary>
    public static bool IsIndex(Loop loop, Phi phi)
    {
        for (var way = 0; way < phi.Operands.Count; way++)
        {
            if (!loop.Body.Contains(loop.Header.Predecessors[way])) continue;
            if (LowBits(phi.Operands[way]) is not Operation { Opcode: Opcode.Add, Operands: [var from, Constant by] }
                || by.Bits != 1 || LowBits(from) != phi)
                return false;
        }
        return true;
    }

    /// <summary>The value of which another has the low bits, or to which it adds zeros.</summary>
    private static Value LowBits(Value value) => AffineForm.WithoutZeros(value) switch
    {
        Operation { Opcode: Opcode.Extract, Low: 0, Operands: [var whole] } => LowBits(whole),
        var same => same,
    };

    /// <summary>True if the index has no more bits than it keeps from turn to turn.</summary>
    private bool Counts() => Header.Predecessors.Select((from, way) => (from, way))
        .Where(each => Body.Contains(each.from))
        .All(each => MostOfIndexed(Index.Operands[each.way]) is not null);

    /// <summary>True if the index grows by what turns read, each of which goes on behind what it looks at.</summary>
    private bool Walks(Compilation compilation)
    {
        _facts = compilation.PathRangesOf(compilation.Process);
        Step = WalkStep.Of(Loop, Index, _facts, MostAtFirst() + (UInt128)_capacity);
        return Step is not null;
    }

    /// <summary>
    /// True if an operation of a walk loses no bits, as the branches in front of it say: the index goes on by more than
    /// the bytes that there are, so its range alone says little.
    /// </summary>
    private bool IsWhole(Operation operation) => _facts is { } facts
        && WalkStep.IsWhole(operation, operand => facts.AtOperand(operation, operand));

    /// <summary>The most that the index is in the first turn.</summary>
    private UInt128 MostAtFirst() => Header.Predecessors
        .Select((p, way) => Body.Contains(p) ? 0 : _ranges.Value.Of(Index.Operands[way]).Max).Max();

    private static bool MayBePart(Block block) =>
        block.Terminator is Jump or Branch
        && block.Operations.TrueForAll(operation =>
            OnlyComputes(operation) || IsWrite(operation) || operation.Opcode == Opcode.MemoryRead);

    private bool OnlyComputes() => Blocks.TrueForAll(block =>
        block.Terminator is Jump or Branch
        && block.Operations.TrueForAll(operation =>
            OnlyComputes(operation) || IsWrite(operation) || IsNextWord(operation) || IsLookup(operation)));

    /// <summary>True of a read of a small table that nothing writes, at an index that a turn computes.</summary>
    public bool IsLookup(Operation operation) =>
        ConstantLookup.Is(operation, _written.Value) && !IsNextWord(operation);

    /// <summary>
    /// True of a read of one memory that nothing writes, at an index that grows by one each turn.
    /// </summary>
    private bool IsNextWord(Operation operation) =>
        operation is { Opcode: Opcode.MemoryRead, State: [Memory memory], Operands: [var index] }
        && !_written.Value.Contains(memory) && MostOfIndexed(index) is not null;

    /// <summary>True of a write of a byte.</summary>
    private static bool IsWrite(Operation operation) =>
        operation is { Opcode: Opcode.FrameWrite, Operands: [_, { Width: 8 }] };

    private static bool IsAccess(Operation operation) => operation.Opcode is Opcode.FrameRead or Opcode.FrameWrite;

    /// <summary>The bytes of an access.</summary>
    private static int BytesOf(Operation access) =>
        (access.Opcode == Opcode.FrameWrite ? access.Operands[1] : access).Width / 8;

    /// <summary>True if an operation reads the frame or computes, without a division.</summary>
    public static bool OnlyComputes(Operation operation) =>
        operation.Opcode == Opcode.FrameRead
        || OpcodeTable.Of(operation.Opcode).Kind == OpcodeKind.Pure && operation.Opcode is not (
            Opcode.DivideUnsigned or Opcode.DivideSigned or Opcode.RemainderUnsigned or Opcode.RemainderSigned
            or Opcode.OnesSum)
        && (operation.Opcode != Opcode.Multiply || ConstantProduct.IsCheap(operation));

    /// <summary>True if there is no loop in it: a turn is a number of steps that is known.</summary>
    private bool IsInnermost()
    {
        var places = Blocks.Index().ToDictionary(block => block.Item, block => block.Index);
        return Blocks.TrueForAll(block => block.Terminator!.Successors.All(
            to => to == Header || !Body.Contains(to) || places[to] > places[block]));
    }

    /// <summary>
    /// True if all accesses are a constant apart, at offsets that grow by one each turn, and a turn writes nothing but
    /// the one byte that it looks at.
    /// </summary>
    private bool FindsBytes()
    {
        var accesses = Blocks.SelectMany(block => block.Operations).Where(IsAccess).ToList();
        if (accesses.Count == 0) return false;
        var offsets = accesses.ConvertAll(access => OffsetOf(access.Operands[0]));
        if (offsets.Exists(offset => !offset.IsLike(offsets[0]))) return false;
        if (!offsets[0].Terms.Contains(Index) || !offsets[0].Terms.All(term => term == Index || !Defines(term)))
            return false;
        // The first of them is the one from which all others lie behind.
        var half = UInt128.One << (_bits - 1);
        var first = offsets.Find(one => offsets.TrueForAll(other => Behind(one, other) < half));
        if (first is null) return false;
        for (var i = 0; i < accesses.Count; i++)
        {
            _byteOf[accesses[i]] = (int)Behind(first, offsets[i]);
            Bytes = Math.Max(Bytes, _byteOf[accesses[i]] + BytesOf(accesses[i]));
        }
        Writes = accesses.Exists(IsWrite);
        return Bytes <= (Writes ? 1 : MostBytes);
    }

    private UInt128 Behind(TurnOffset one, TurnOffset other) =>
        (other.Constant - one.Constant) & Arithmetic.Mask(_bits);

    /// <summary>
    /// True if each turn that goes on reads or writes a byte, or could. If it is the last byte, a turn whose last byte
    /// is not the frame's leaves the loop by one of the ways in front of that; of a walk, each turn whose first byte is
    /// not.
    /// </summary>
    private bool FindsExits()
    {
        new ImpliedBounds(this, _ranges.Value, _dominators.Value, _bits).Remove();
        var latches = Header.Predecessors.FindAll(Body.Contains);
        var always = Blocks.FindAll(block =>
            latches.TrueForAll(latch => _dominators.Value.Dominates(block, latch))
            && block.Operations.Exists(IsAccess));
        var last = always.Find(block => block.Operations.Exists(o => IsAccess(o) && _byteOf[o] + BytesOf(o) == Bytes));
        ReadsAhead = last is null && Step is null;
        var reading = Step is null && last is not null ? last
            : always.Count > 0 ? always[0]
            : Step is null ? InFrontOfReads(latches) : null;
        if (reading is null) return false;
        var exits = Blocks.SelectMany(from => from.Terminator!.Successors.Where(to => !Body.Contains(to))
            .Select(to => (From: from, To: to))).ToList();
        var early = exits.FindAll(exit => !_dominators.Value.Dominates(reading, exit.From));
        Exits = [.. early, .. exits.Except(early)];
        EarlyExits = early.Count;
        // Behind a walk they are asked for again, one behind the other.
        return EarlyExits > 0 && (!Writes || Step is null && !ReadsAhead)
            && (Step is null || early.TrueForAll(exit => _dominators.Value.Dominates(exit.From, reading)));
    }

    /// <summary>
    /// The last block that each turn that goes on comes by, and each read, too: where a turn reads only under a
    /// condition, its byte is read there all the same (speculative loads, as of Chang and others 1991, IMPACT).
    /// </summary>
    private Block? InFrontOfReads(List<Block> latches) => Blocks.FindLast(block =>
        latches.Concat(Blocks.Where(other => other.Operations.Exists(IsAccess)))
            .All(other => _dominators.Value.Dominates(block, other)));

    private bool IsOfBytes(Value value)
    {
        if (!Defines(value)) return false;
        if (value is not Operation operation) return !Header.Phis.Contains(value);
        if (_isOfBytes.TryGetValue(value, out var known)) return known;
        return _isOfBytes[value] = operation.ReadsState || operation.Operands.Exists(IsOfBytes);
    }
}
