using System.Globalization;
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
internal sealed class SpecialisedLoop(
    Function function,
    Loop loop,
    IReadOnlyList<Loop> loops,
    IReadOnlyList<Block> body,
    StaticValues values,
    IReadOnlySet<StateElement> written)
    : RegionCopy(function, loop.Header, loop.Body, written)
{
    /// <summary>The most turns of a loop that follows no configuration.</summary>
    private const int MostTurns = 256;

    private const int MostTurnsOfConfiguration = 4096;
    private const int MostOperations = 20_000;

    private readonly Dictionary<(Block Original, string Known), Copy> _copies = [];
    private readonly Dictionary<Block, Copy> _byBlock = [];
    private readonly HashSet<Value> _ofBody = new(
        body.SelectMany(block => block.Phis.Concat<Value>(block.Operations)), ReferenceEqualityComparer.Instance);
    private readonly Queue<Copy> _waiting = [];
    private readonly Stack<(Copy Copy, Value Original, Phi Phi)> _open = [];
    private int _turns;

    /// <summary>Writes the loop out, with the loops inside it, if constants say where they end.</summary>
    public bool TryWriteOut()
    {
        var entries = Entries();
        var copies = entries.ConvertAll(entry => Enter(entry, value => value).Block);
        while (_waiting.TryDequeue(out var copy))
        {
            Fill(copy);
            if (IsTooLarge()) return false;
        }
        if (!loops.All(IsDecided) || !IsAcyclic()) return false;
        while (_open.TryPop(out var open)) Close(open.Copy, open.Original, open.Phi);
        Replace(entries, copies);
        return true;
    }

    private bool IsTooLarge() =>
        _turns > (values.FollowConfiguration ? MostTurnsOfConfiguration : MostTurns)
        || _copies.Count > MostOperations || Operations > MostOperations;

    /// <summary>Leads a way to the copy for what is known there; makes the copy if there is none yet.</summary>
    /// <param name="way">The way, with the values that the phis get.</param>
    /// <param name="read">Gives the values of the loop at the end of the block that the way comes from.</param>
    private Copy Enter(Edge way, Func<Value, Value?> read)
    {
        var known = new Dictionary<Value, Value>(ReferenceEqualityComparer.Instance);
        foreach (var value in values.LiveIn(way.To))
        {
            var at = value is Phi phi ? way.To.Phis.IndexOf(phi) : -1;
            if ((at < 0 ? read(value) : way.Operands[at]) is Constant constant) known[value] = constant;
        }
        var key = string.Join(' ', values.LiveIn(way.To).Select(value => known.TryGetValue(value, out var constant)
            ? ((Constant)constant).Bits.ToString("x", CultureInfo.InvariantCulture)
            : "-"));
        if (!_copies.TryGetValue((way.To, key), out var copy)) copy = _copies[(way.To, key)] = Begin(way.To, known);
        copy.Block.Predecessors.Add(way.From);
        for (var i = 0; i < way.Operands.Count; i++)
        {
            if (!known.ContainsKey(way.To.Phis[i])) ((Phi)copy.Values[way.To.Phis[i]]).Operands.Add(way.Operands[i]);
        }
        return copy;
    }

    private Copy Begin(Block original, Dictionary<Value, Value> known)
    {
        var copy = new Copy(original, new Block(), new(known, ReferenceEqualityComparer.Instance));
        _byBlock[copy.Block] = copy;
        _waiting.Enqueue(copy);
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

    private void Fill(Copy copy)
    {
        Value Of(Value value) => Read(copy, value);
        Current = copy.Block;
        foreach (var operation in copy.Original.Operations)
            Define(operation, copy.Values[operation] = CopyOf(operation, Of));
        var kept = Kept(copy.Original.Terminator!, Of);
        var next = new Dictionary<Block, Block>();
        foreach (var successor in kept.Successors)
        {
            var way = EdgeOf(copy.Original, successor, copy.Block, Of);
            if (!loop.Body.Contains(successor)) Exits.Add(way);
            else next[successor] = Enter(way, value => copy.Values.GetValueOrDefault(value)).Block;
        }
        copy.Block.Terminator = Targeted(kept, successor => next.GetValueOrDefault(successor, successor));
    }

    /// <summary>
    /// A value in a copy. One that comes from copies before it has a phi there, whose operands are known when all ways
    /// to it are (Braun and others 2013).
    /// </summary>
    private Value Read(Copy copy, Value value)
    {
        if (!_ofBody.Contains(value)) return value;
        if (copy.Values.TryGetValue(value, out var known)) return known;
        var phi = new Phi(value.Width, copy.Block);
        copy.Block.Phis.Add(phi);
        _open.Push((copy, value, phi));
        return copy.Values[value] = phi;
    }

    private void Close(Copy copy, Value original, Phi phi) =>
        phi.Operands.AddRange(copy.Block.Predecessors.Select(from => Read(_byBlock[from], original)));

    /// <summary>
    /// True if constants say at some place in each turn of a loop whether it is left there. One that is only sure to end
    /// some time, as at the longest header there can be, is better left a loop.
    /// </summary>
    private bool IsDecided(Loop inner) =>
        _copies.Values.All(copy => copy.Original != inner.Header)
        || inner.Body.Any(block => block.Terminator is Branch branch
            && branch.Successors.Any(next => !inner.Body.Contains(next))
            && _copies.Values.All(copy => copy.Original != block || copy.Block.Terminator is Jump));

    /// <summary>True if no copy comes again (Kahn 1962).</summary>
    private bool IsAcyclic()
    {
        var ways = _copies.Values.ToDictionary(copy => copy, copy => copy.Block.Predecessors.Count(_byBlock.ContainsKey));
        var free = new Stack<Copy>(ways.Where(entry => entry.Value == 0).Select(entry => entry.Key));
        var done = 0;
        for (; free.TryPop(out var copy); done++)
        {
            foreach (var next in copy.Block.Terminator!.Successors.Where(_byBlock.ContainsKey))
            {
                if (--ways[_byBlock[next]] == 0) free.Push(_byBlock[next]);
            }
        }
        return done == _copies.Count;
    }

    /// <summary>A copy of a block.</summary>
    /// <param name="original">The block.</param>
    /// <param name="block">The copy.</param>
    /// <param name="values">For values of the loop, those that the copy holds or is entered with.</param>
    private sealed class Copy(Block original, Block block, Dictionary<Value, Value> values)
    {
        public Block Original => original;

        public Block Block => block;

        public Dictionary<Value, Value> Values => values;
    }
}
