using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// The values of a loop on which it depends how often the loop is run: what binding-time analysis would call static if
/// constants decide them (Jones, Gomard and Sestoft 1993, chapter 4).
/// </summary>
internal sealed class StaticValues
{
    private const int WordBits = 64;

    private readonly IReadOnlySet<StateElement> _written;
    private readonly Dictionary<Block, int> _order = [];
    private readonly NodeTable<Value, Block> _blocks = new();
    private readonly HashSet<Value> _deciding = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<Block, List<Value>> _liveIn = [];

    /// <param name="loops">The loop and those inside it.</param>
    /// <param name="body">The blocks of the loop, in the order of the function.</param>
    /// <param name="written">The state that is not constant.</param>
    /// <param name="onlyCounted">
    /// True to leave out what depends on the way taken inside the loop; what counts the turns is left.
    /// </param>
    public StaticValues(
        IReadOnlyList<Loop> loops, IReadOnlyList<Block> body, IReadOnlySet<StateElement> written, bool onlyCounted)
    {
        _written = written;
        foreach (var block in body)
        {
            _order[block] = _order.Count;
            foreach (var value in block.Phis.Concat<Value>(block.Operations)) _blocks[value] = block;
        }
        var waiting = new Stack<Value>(Conditions(loops));
        while (waiting.TryPop(out var value))
        {
            if (!_blocks.TryGetValue(value, out var block) || _deciding.Contains(value)) continue;
            if (value is Phi phi ? onlyCounted && !IsCounted(phi, block) : !CanBeConstant((Operation)value)) continue;
            _deciding.Add(value);
            foreach (var operand in OperandsOf(value)) waiting.Push(operand);
        }
        FindLive(body);
    }

    /// <summary>True if state that is constant decides, too: the loop follows the configuration.</summary>
    public bool FollowConfiguration => _deciding.Any(value => value is Operation { ReadsState: true });

    /// <summary>The deciding values that are needed in a block and come into it, its phis among them.</summary>
    public IReadOnlyList<Value> LiveIn(Block block) => _liveIn[block];

    /// <summary>The conditions of the branches that leave a loop.</summary>
    private static IEnumerable<Value> Conditions(IReadOnlyList<Loop> loops) =>
        from loop in loops
        from branch in loop.Body.Select(block => block.Terminator).OfType<Branch>()
        where !loop.Body.Contains(branch.Then) || !loop.Body.Contains(branch.Else)
        select branch.Condition;

    private static List<Value> OperandsOf(Value value) => value is Phi phi ? phi.Operands : ((Operation)value).Operands;

    private bool CanBeConstant(Operation operation) =>
        operation.ReadsState
            ? !operation.State.Any(_written.Contains)
            : operation is
            {
                IsEffect: false, Opcode: not (
                Opcode.Input or Opcode.FrameRead or Opcode.FrameSum or Opcode.FrameFold)
            };

    /// <summary>True for the phi of a loop that each turn gives a new value in one place.</summary>
    private bool IsCounted(Phi phi, Block block)
    {
        var again = Enumerable.Range(0, phi.Operands.Count)
            .Where(way => IsBackEdge(block.Predecessors[way], block))
            .Select(way => phi.Operands[way]);
        return again.Distinct(ReferenceEqualityComparer.Instance).Count() == 1;
    }

    private bool IsBackEdge(Block from, Block to) =>
        _order.TryGetValue(from, out var at) && at >= _order[to];

    /// <summary>Live variables, as far as they decide (Aho, Lam, Sethi and Ullman 2006, section 9.2.5).</summary>
    private void FindLive(IReadOnlyList<Block> body)
    {
        List<Value> values = [.. _deciding];
        var (words, numbers) = ((values.Count + WordBits - 1) / WordBits, new NodeTable<Value, int>(values.Count));
        var defined = Sets(body.Count, words);
        for (var i = 0; i < values.Count; i++)
        {
            numbers[values[i]] = i;
            Add(defined[_order[_blocks[values[i]]]], i);
        }
        var live = Sets(body.Count, words);
        for (var at = 0; at < body.Count; at++)
        {
            foreach (var value in UsesOf(body[at]))
                if (numbers.TryGetValue(value, out var number)) Add(live[at], number);
            Remove(live[at], defined[at]);
        }
        var next = body.Select(block => block.Terminator!.Successors.Where(_order.ContainsKey)
            .Select(successor => _order[successor]).ToArray()).ToArray();
        for (var changed = words > 0; changed;)
        {
            changed = false;
            for (var at = body.Count - 1; at >= 0; at--)
                foreach (var successor in next[at]) changed |= AddAll(live[at], live[successor], defined[at]);
        }
        for (var at = 0; at < body.Count; at++)
        {
            var set = live[at];
            _liveIn[body[at]] =
            [
                .. body[at].Phis.Where(_deciding.Contains),
                .. values.Where((_, number) => (set[number / WordBits] & 1UL << number % WordBits) != 0),
            ];
        }
    }

    private static ulong[][] Sets(int count, int words)
    {
        var sets = new ulong[count][];
        for (var i = 0; i < count; i++) sets[i] = new ulong[words];
        return sets;
    }

    private static void Add(ulong[] set, int number) => set[number / WordBits] |= 1UL << number % WordBits;

    private static void Remove(ulong[] set, ulong[] others)
    {
        for (var word = 0; word < set.Length; word++) set[word] &= ~others[word];
    }

    /// <summary>Adds a set to another, but for some; false if all of it was there.</summary>
    private static bool AddAll(ulong[] set, ulong[] added, ulong[] except)
    {
        var changed = 0UL;
        for (var word = 0; word < set.Length; word++)
        {
            var more = added[word] & ~except[word] & ~set[word];
            set[word] |= more;
            changed |= more;
        }
        return changed != 0;
    }

    /// <summary>The values that a block uses, or gives to the phis of the next.</summary>
    private static IEnumerable<Value> UsesOf(Block block) =>
    [
        .. block.Operations.SelectMany(operation => operation.Operands),
        .. Verifier.UsedBy(block.Terminator),
        .. block.Terminator!.Successors.SelectMany(next =>
            next.Phis.Select(phi => phi.Operands[next.Predecessors.IndexOf(block)])),
    ];
}
