using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Makes one fold of reads of the frame at places that earlier reads give, of loops among them, and of what is computed
/// between: the walk of a parser along its parse graph.
/// </summary>
internal static class ParseGraphs
{
    /// <summary>The reason of an exit of frames whose parser does more than go forward inside the frame.</summary>
    public const string LeavesGraph = "a parser reads at a place that is not behind the last, or not in the frame";

    /// <summary>The most times that ways are parted for a region to be one.</summary>
    private const int MostParted = 4;

    /// <summary>The most loops whose first turn is taken in front for a region to be one.</summary>
    private const int MostPeeled = 4;

    /// <summary>The most operations of such a loop.</summary>
    private const int MostPeeledOperations = 300;

    /// <summary>Makes folds of all that can be.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    public static bool Run(Compilation compilation)
    {
        var function = compilation.Process;
        var (tried, changed, folded, parted) = (new HashSet<Block>(), false, new FoldedBlocks(compilation), 0);
        var begins = new HashSet<Block>();
        // As the function was before loops were peeled for a region that is none yet.
        FunctionSnapshot? whole = null;
        var peeled = 0;
        void BringBack()
        {
            if (whole?.Restore() is not { } now) return;
            tried = [.. tried.Select(now).OfType<Block>()];
            begins = [.. begins.Select(now).OfType<Block>()];
            (whole, peeled) = (null, 0);
        }
        while (true)
        {
            if (InOrder(function).Find(block => ParseRegion.HasRead(block) && tried.Add(block)) is not { } first)
            {
                if (whole is null) break;
                BringBack();
                continue;
            }
            var apart = folded.Apart();
            if (apart.Exists(loop => loop.Body.Contains(first))) continue;
            begins.UnionWith(apart.ConvertAll(loop => loop.Header));
            if (ParseRegion.Of(compilation, first, folded.Now().Contains, begins) is not { } region) continue;
            var turns = TurnsOf(compilation, region, out var obstacle);
            if (turns is null && obstacle.IsWide && region.Grown(compilation, begins) is { } grown)
            {
                region = grown;
                turns = TurnsOf(compilation, region, out obstacle);
            }
            if (turns is not null)
            {
                Replace(function, region, turns);
                (whole, peeled, changed) = (null, 0, true);
                continue;
            }
            region.Counts.Set(isPromoted: false);
            if (obstacle.GoesRound && parted++ < MostParted && DecidedWays.Part(function, region.Contains))
            {
                tried.Remove(first);
                continue;
            }
            if (peeled < MostPeeled && LoopThatStays(region, obstacle) is { } loop)
            {
                if (whole is null) tried.UnionWith(PathDivision.FastBlocks(function).Where(region.Contains));
                whole ??= new FunctionSnapshot(function);
                new PeeledTurn(function, loop, loop.Body).Peel();
                Simplification.Run(function);
                peeled++;
                tried.ExceptWith(PathDivision.FastBlocks(function).Where(region.Contains));
                tried.Remove(first);
                continue;
            }
            if (obstacle.Anew is var (root, to) && region.BeginOf(root, to) is { } begin && begins.Add(begin))
            {
                tried.Remove(first);
                continue;
            }
            tried.UnionWith(PathDivision.FastBlocks(function).Where(region.Contains));
            BringBack();
        }
        if (!changed) return false;
        Edges.ForgetUnreachable(function);
        Verifier.Verify(function, "parsers are folds");
        Simplification.Run(function);
        return true;
    }

    /// <summary>
    /// The turn of a region with its results; two of them, each with a part of the results, where all have more bits
    /// than a fold gives (loop distribution; Kennedy and McKinley 1990, <em>Loop distribution with arbitrary control
    /// flow</em>). Null if it cannot be one.
    /// </summary>
    private static List<(ParseTurn Turn, ParseResults Results)>? TurnsOf(
        Compilation compilation, ParseRegion region, out ParseObstacle obstacle)
    {
        ParseSinking.Run(compilation.Process, region);
        var results = new ParseResults(compilation.Process, region);
        if (ParseTurn.Of(compilation, region, results, out obstacle) is { } turn) return [(turn, results)];
        if (!obstacle.IsWide) return null;
        var parts = new List<(ParseTurn, ParseResults)>();
        foreach (var half in results.Halves())
        {
            if (ParseTurn.Of(compilation, region, half, out obstacle) is not { } part) return null;
            parts.Add((part, half));
        }
        return parts;
    }

    /// <summary>
    /// A loop whose first turn reads where the step in front of it does: taken out of the loop, it is done with that
    /// step, and the loop goes on from there (loop peeling; Bacon, Graham and Sharp 1994, §6.3.6). Null for none.
    /// </summary>
    private static Loop? LoopThatStays(ParseRegion region, ParseObstacle obstacle) =>
        obstacle.Stays is var (root, to) && region.LoopInto(root, to) is { } loop
        && loop.Body.Sum(block => block.Operations.Count) <= MostPeeledOperations
            ? loop
            : null;

    /// <summary>The blocks, those of a loop in front of what follows it.</summary>
    private static List<Block> InOrder(Function function)
    {
        var blocks = PathDivision.FastBlocks(function);
        var loops = Loop.Outermost(function);
        return [.. blocks.OrderBy(block =>
            blocks.IndexOf(loops.Find(loop => loop.Body.Contains(block))?.Header ?? block))];
    }

    /// <summary>Puts the folds in the region's place, and behind them a choice of the ways out.</summary>
    private static void Replace(
        Function function, ParseRegion region, List<(ParseTurn Turn, ParseResults Results)> turns)
    {
        // A frame that goes back may count more often than there are places.
        region.Counts.Set(isPromoted: false);
        var copy = GraphCopy.Of(region.Root);
        region.Counts.Set(isPromoted: true);
        var before = region.Before;
        var n = new OperationList(before.Operations);
        var known = new Substitution();
        var folds = turns.ConvertAll(each => Made(before, each.Turn, each.Results, known));
        var (fold, exits) = (folds[0], turns[0].Results.Exits);
        Value code = n.Extract(fold, turns[0].Turn.Fold.LowOf(0), turns[0].Results.Code.Width);
        var at = before;
        void LeaveIf(int number, Block to)
        {
            var rest = new Block();
            at.Terminator = new Branch(n.Equal(code, new Constant(code.Width, (UInt128)number)), to, rest);
            to.Predecessors.Add(at);
            rest.Predecessors.Add(at);
            at = rest;
        }
        LeaveIf(0, Deferred(copy, fold.Location));
        for (var number = 1; number < exits.Count; number++) LeaveIf(number, Exit(exits[number - 1]));
        var last = Exit(exits[^1]);
        at.Terminator = new Jump(last);
        last.Predecessors.Add(at);
        known.Apply(function);
    }

    /// <summary>A fold at the end of a block; what it has found is known by it.</summary>
    private static Operation Made(Block before, ParseTurn turn, ParseResults results, Substitution known)
    {
        var n = new OperationList(before.Operations);
        var fold = new Operation(
            Opcode.FrameFold, turn.Fold.Results.Sum(value => value.Width), turn.Operands)
        {
            Fold = turn.Fold,
            Location = ParseStep.ReadOf(turn.Steps[1].Root).Location,
        };
        before.Operations.Add(fold);
        foreach (var (value, least) in results.Values.Zip(turn.Leasts))
        {
            var place = turn.PlaceOf(value);
            var part = n.Extract(fold, turn.Fold.LowOf(place), turn.Fold.Turn.Values[place].Width);
            known.Add(value, n.Add(n.Resize(part, value.Width), new Constant(value.Width, least)));
        }
        return fold;
    }

    private static Block Deferred(Block copy, SourceLocation? location)
    {
        var deferred = new Block { Terminator = new SideExit(LeavesGraph, location, copy) };
        copy.Predecessors.Add(deferred);
        return deferred;
    }

    /// <summary>A block that goes a way out.</summary>
    private static Block Exit((Block From, Block To, List<Value> Operands) way)
    {
        var exit = new Block { Terminator = new Jump(way.To) };
        way.To.Predecessors.Add(exit);
        for (var i = 0; i < way.Operands.Count; i++) way.To.Phis[i].Operands.Add(way.Operands[i]);
        return exit;
    }

    /// <summary>The blocks of loops that are folds alone, found anew when the function has changed.</summary>
    private sealed class FoldedBlocks(Compilation compilation)
    {
        private List<object> _before = [];
        private List<(Loop Loop, FoldedLoop Fold)> _folds = [];
        private HashSet<Block> _blocks = [];

        /// <summary>The blocks as the function is now.</summary>
        public HashSet<Block> Now()
        {
            var function = compilation.Process;
            if (_before.Count > 0 && FunctionParts.AreWithEnds(_before, function.Blocks())) return _blocks;
            _folds = [];
            foreach (var loop in Loop.Outermost(function))
                if (FoldedLoop.Of(compilation, loop) is { } fold) _folds.Add((loop, fold));
            _blocks = [.. _folds.SelectMany(each => each.Fold.Blocks)];
            // The search itself removes checks that are implied.
            _before = FunctionParts.WithEnds(function);
            return _blocks;
        }

        /// <summary>
        /// Those with turns that read nothing: a parser goes on from read to read, and has none of them.
        /// </summary>
        public List<Loop> Apart()
        {
            Now();
            return [.. _folds.Select(each => each.Loop).Where(MayTurnWithoutRead)];
        }

        private static bool MayTurnWithoutRead(Loop loop)
        {
            var (seen, open) = (new HashSet<Block>(), new Stack<Block>([loop.Header]));
            while (open.TryPop(out var block))
            {
                if (ParseRegion.HasRead(block)) continue;
                foreach (var to in block.Terminator!.Successors.Where(loop.Body.Contains))
                {
                    if (to == loop.Header) return true;
                    if (seen.Add(to)) open.Push(to);
                }
            }
            return false;
        }
    }
}
