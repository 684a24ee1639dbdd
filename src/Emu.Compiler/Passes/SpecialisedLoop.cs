using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// A loop that is written out: polyvariant program-point specialisation (Jones, Gomard and Sestoft 1993, section 4.4).
/// A block has a copy for each set of constants that its deciding values have when it is entered; loops dissolve where
/// these never come again.
/// </summary>
/// <param name="function">The function that it is in.</param>
/// <param name="loop">The loop.</param>
/// <param name="loops">The loop and those inside it.</param>
/// <param name="body">Its blocks, in the order of the function.</param>
/// <param name="values">The values that decide.</param>
/// <param name="written">The state that is not constant.</param>
/// <param name="inOrder">
/// True to take it that all ways to a copy are known when its turn comes, so that one value on all of them is seen at
/// once.
/// </param>
/// <param name="mayGoOn">
/// True where no turn need be sure to be the last: it is enough that no constants come again.
/// </param>
internal sealed class SpecialisedLoop(
    Function function,
    Loop loop,
    IReadOnlyList<Loop> loops,
    IReadOnlyList<Block> body,
    StaticValues values,
    IReadOnlySet<StateElement> written,
    bool inOrder,
    bool mayGoOn)
    : RegionCopy(function, loop.Header, loop.Body, written)
{
    /// <summary>The most turns of a loop that follows no configuration.</summary>
    private const int MostTurns = 256;

    private const int MostTurnsOfConfiguration = 4096;
    private const int MostOperations = 20_000;

    /// <summary>
    /// The most turns that look at the frame at places that only it says: more do not fit the bytes that a pipeline
    /// looks at together, and as a loop they are done as the frame passes.
    /// </summary>
    private const int MostTurnsAlongTheFrame = ParseTurn.MostBytes;

    /// <summary>Of a loop that few frames get to and that has no more itself: written out it would be larger.</summary>
    private const int MostColdOperations = 16;

    /// <summary>
    /// Of such a loop, since an engine has a port of each memory, and chooses what it is given at each place.
    /// </summary>
    private const int MostColdAccesses = 8;

    /// <summary>Most copies have no operation left.</summary>
    private const int MostCopies = 160_000;

    private readonly Dictionary<Entrance, Copy> _copies = [];
    private readonly NodeTable<Block, Copy> _byBlock = new();
    private readonly NodeSet<Value> _ofBody = new(
        body.SelectMany(block => block.Phis.Concat<Value>(block.Operations)));
    private readonly Dictionary<Block, int> _order =
        body.Index().ToDictionary(entry => entry.Item, entry => entry.Index);

    // For each loop the branches out of it that constants have decided in all copies so far.
    private readonly List<(Loop Loop, HashSet<Block> Decided)> _exits =
        [.. loops.Select(inner => (inner, inner.Body.Where(block => IsExit(inner, block)).ToHashSet()))];

    private readonly HashSet<Block> _entered = [];
    private readonly PriorityQueue<Copy, (int Turn, int Order)> _waiting = new();
    private readonly Stack<(Copy Copy, Value Original, Phi Phi)> _open = [];
    private readonly int _mostOperations = IsCold(body) ? MostOperationsOfCold(body) : MostOperations;
    private readonly int _mostAccesses = IsCold(body) ? MostColdAccesses : int.MaxValue;
    private int _turns, _accesses;
    private bool _goesAlong;

    /// <summary>True if a way came to a copy after its turn, though all were to be known then.</summary>
    public bool IsOutOfOrder { get; private set; }

    /// <summary>Writes the loop out, with the loops inside it, if constants say where they end.</summary>
    public bool TryWriteOut()
    {
        var entries = Entries();
        var copies = entries.ConvertAll(entry => Enter(entry, 0, value => value).Block);
        while (_waiting.TryDequeue(out var copy, out _))
        {
            if (inOrder) Join(copy);
            Fill(copy);
            if (IsOutOfOrder || IsTooLarge()
                || !mayGoOn && !_exits.TrueForAll(exit => IsDecided(exit.Loop, exit.Decided)))
                return false;
        }
        if (!IsAcyclic()) return false;
        while (_open.TryPop(out var open)) Close(open.Copy, open.Original, open.Phi);
        Replace(entries, copies);
        return true;
    }

    private bool IsTooLarge() =>
        _turns > (values.FollowConfiguration ? MostTurnsOfConfiguration : MostTurns)
        || _copies.Count > MostCopies || Operations > _mostOperations || _accesses > _mostAccesses || _goesAlong;

    /// <summary>Leads a way to the copy for what is known there; makes the copy if there is none yet.</summary>
    /// <param name="way">The way, with the values that the phis get.</param>
    /// <param name="turn">The turn of the loop that the way is in.</param>
    /// <param name="read">Gives the values of the loop at the end of the block that the way comes from.</param>
    private Copy Enter(Edge way, int turn, Func<Value, Value?> read)
    {
        var known = new NodeTable<Value, Value>();
        var live = values.LiveIn(way.To);
        var constants = new Constant?[live.Count];
        for (var i = 0; i < constants.Length; i++)
        {
            var at = live[i] is Phi phi ? way.To.Phis.IndexOf(phi) : -1;
            if ((at < 0 ? read(live[i]) : way.Operands[at]) is not Constant constant) continue;
            known[live[i]] = constants[i] = constant;
        }
        var key = new Entrance(way.To, constants);
        if (!_copies.TryGetValue(key, out var copy)) _copies[key] = copy = Begin(way.To, turn, known);
        IsOutOfOrder |= inOrder && copy.IsJoined;
        if (IsOutOfOrder) return copy;
        copy.Block.Predecessors.Add(way.From);
        for (var i = 0; i < way.Operands.Count; i++)
        {
            if (!known.ContainsKey(way.To.Phis[i])) ((Phi)copy.Values[way.To.Phis[i]]).Operands.Add(way.Operands[i]);
        }
        return copy;
    }

    private Copy Begin(Block original, int turn, NodeTable<Value, Value> known)
    {
        var copy = new Copy(original, turn, new Block(), new(known));
        _byBlock[copy.Block] = copy;
        _entered.Add(original);
        _waiting.Enqueue(copy, (turn, _order[original]));
        if (original == Header) _turns++;
        Current = copy.Block;
        foreach (var phi in original.Phis)
        {
            if (!known.TryGetValue(phi, out var value))
            {
                copy.Block.Phis.Add(new Phi(phi.Width, copy.Block));
                value = copy.Values[phi] = copy.Block.Phis[^1];
            }
            Define(phi, value);
        }
        return copy;
    }

    /// <summary>Removes the phis that join one value.</summary>
    private void Join(Copy copy)
    {
        copy.IsJoined = true;
        Current = copy.Block;
        foreach (var original in copy.Original.Phis)
        {
            if (copy.Values[original] is not Phi phi || phi.Block != copy.Block || !JoinsOne(phi.Operands)) continue;
            copy.Block.Phis.Remove(phi);
            Define(original, copy.Values[original] = phi.Operands[0]);
        }
    }

    private static bool JoinsOne(List<Value> operands) =>
        operands.TrueForAll(operand => Constant.AreSame(operand, operands[0]));

    private void Fill(Copy copy)
    {
        Value Of(Value value) => Read(copy, value);
        Current = copy.Block;
        foreach (var operation in copy.Original.Operations)
            Define(operation, copy.Values[operation] = CopyOf(operation, Of));
        _accesses += copy.Original.Operations.Count(IsAccess);
        _goesAlong |= copy.Turn >= MostTurnsAlongTheFrame && copy.Original.Operations.Exists(operation =>
            operation.Opcode == Opcode.FrameRead && Of(operation.Operands[0]) is not Constant);
        var kept = Kept(copy.Original.Terminator!, Of);
        var next = new Dictionary<Block, Block>();
        foreach (var successor in kept.Successors)
        {
            var way = EdgeOf(copy.Original, successor, copy.Block, Of);
            if (!loop.Body.Contains(successor)) Exits.Add(way);
            else next[successor] = Enter(
                way, copy.Turn + (successor == Header ? 1 : 0), value => copy.Values.GetValueOrDefault(value)).Block;
        }
        copy.Block.Terminator = Targeted(kept, successor => next.GetValueOrDefault(successor, successor));
        if (kept is Jump) return;
        foreach (var (_, decided) in _exits) decided.Remove(copy.Original);
    }

    /// <summary>
    /// A value in a copy. One that comes from copies before it has a phi there, whose operands are known when all ways
    /// to it are (Braun and others 2013).
    /// </summary>
    private Value Read(Copy copy, Value value)
    {
        if (!_ofBody.Contains(value)) return value;
        if (copy.Values.TryGetValue(value, out var known)) return known;
        var before = inOrder ? copy.Block.Predecessors.ConvertAll(from => Read(_byBlock[from], value)) : [];
        if (before.Count > 0 && JoinsOne(before)) return copy.Values[value] = before[0];
        var phi = new Phi(value.Width, copy.Block);
        copy.Block.Phis.Add(phi);
        _open.Push((copy, value, phi));
        return copy.Values[value] = phi;
    }

    private void Close(Copy copy, Value original, Phi phi) =>
        phi.Operands.AddRange(copy.Block.Predecessors.Select(from => Read(_byBlock[from], original)));

    /// <summary>
    /// True if constants say at some place in each turn of a loop whether it is left there. One that is only sure to
    /// end some time, as at the longest header there can be, is better left a loop.
    /// </summary>
    private bool IsDecided(Loop inner, HashSet<Block> decided) =>
        decided.Count > 0 || !_entered.Contains(inner.Header);

    private static bool IsExit(Loop inner, Block block) =>
        block.Terminator is Branch branch && branch.Successors.Any(next => !inner.Body.Contains(next));

    private static bool IsAccess(Operation operation) =>
        operation.Opcode is Opcode.FrameRead or Opcode.FrameWrite or Opcode.MemoryRead or Opcode.MemoryWrite;

    /// <summary>True if all that a loop does is part of a method that few frames get to.</summary>
    private static bool IsCold(IReadOnlyList<Block> body) =>
        body.SelectMany(block => block.Operations).All(operation => operation.Location is { IsCold: true });

    private static int MostOperationsOfCold(IReadOnlyList<Block> body) =>
        Math.Max(body.Sum(block => block.Operations.Count), MostColdOperations);

    /// <summary>True if no copy comes again (Kahn 1962).</summary>
    private bool IsAcyclic()
    {
        foreach (var copy in _copies.Values) copy.Ways = copy.Block.Predecessors.Count(_byBlock.ContainsKey);
        var free = new Stack<Copy>(_copies.Values.Where(copy => copy.Ways == 0));
        var done = 0;
        for (; free.TryPop(out var copy); done++)
        {
            foreach (var to in copy.Block.Terminator!.Successors)
            {
                if (_byBlock.TryGetValue(to, out var next) && --next.Ways == 0) free.Push(next);
            }
        }
        return done == _copies.Count;
    }

    /// <summary>A block and the constants that its deciding values have when it is entered; null for others.</summary>
    private readonly struct Entrance(Block block, Constant?[] known) : IEquatable<Entrance>
    {
        private readonly Block _block = block;
        private readonly Constant?[] _known = known;

        public bool Equals(Entrance other)
        {
            if (_block != other._block) return false;
            for (var i = 0; i < _known.Length; i++)
                if (_known[i]?.Bits != other._known[i]?.Bits) return false;
            return true;
        }

        public override bool Equals(object? obj) => obj is Entrance other && Equals(other);

        public override int GetHashCode()
        {
            var hash = new HashCode();
            hash.Add(_block.Hash);
            foreach (var constant in _known) hash.Add(constant?.Bits);
            return hash.ToHashCode();
        }
    }

    /// <summary>A copy of a block.</summary>
    /// <param name="original">The block.</param>
    /// <param name="turn">The turn of the loop that it was first entered in.</param>
    /// <param name="block">The copy.</param>
    /// <param name="values">For values of the loop, those that the copy holds or is entered with.</param>
    private sealed class Copy(Block original, int turn, Block block, NodeTable<Value, Value> values)
    {
        public Block Original => original;

        public int Turn => turn;

        public Block Block => block;

        public NodeTable<Value, Value> Values => values;

        /// <summary>The ways to it from copies that may come again.</summary>
        public int Ways { get; set; }

        /// <summary>True once the values that it is entered with are settled.</summary>
        public bool IsJoined { get; set; }
    }
}
