using Emu.Compiler.IR;
using Emu.Compiler.Rewriting;

namespace Emu.Compiler.Passes;

/// <summary>
/// Lets a fold that begins behind a header of any length begin behind the least one: turns in front of the place where
/// it begins leave the state as it is.
/// </summary>
internal static class FoldStart
{
    /// <summary>The most turns in front of it: the options of a header, with a tag or two.</summary>
    private const int MostTurns = 64;

    /// <summary>Makes the starts of folds constant.</summary>
    /// <param name="compilation">The service; what it does with a frame is changed.</param>
    public static void Run(Compilation compilation)
    {
        var function = compilation.Process;
        var facts = compilation.PathRangesOf(function);
        var known = new Substitution();
        foreach (var block in PathDivision.FastBlocks(function))
        {
            for (var i = 0; i < block.Operations.Count; i++)
            {
                if (block.Operations[i] is not { Opcode: Opcode.FrameFold, Operands: [not Constant, ..] } operation)
                    continue;
                var range = facts.At(block, operation.Operands[0]);
                if (range.Max - range.Min > MostTurns) continue;
                block.Operations[i] = Beginning(operation, range.Min);
                known.Add(operation, block.Operations[i]);
            }
        }
        known.Apply(function);
    }

    /// <summary>The same fold from a constant on, with where it began as one more bound.</summary>
    public static Operation Beginning(Operation operation, UInt128 least) => new(
        Opcode.FrameFold, operation.Width, [new Constant(FrameFold.OffsetBits, least), .. operation.Operands])
    {
        Fold = From(operation.Fold!),
        State = operation.State,
        Location = operation.Location,
    };

    /// <summary>A fold whose turns do nothing in front of its first bound.</summary>
    private static FrameFold From(FrameFold fold)
    {
        var body = new Block();
        Phi Parameter(Value like)
        {
            var phi = new Phi(like.Width, body);
            body.Phis.Add(phi);
            return phi;
        }
        var bytes = fold.Body.Phis[..(fold.Bytes + 1)].ConvertAll(Parameter);
        var begins = new Phi(1, body);
        body.Phis.Add(begins);
        var others = fold.Body.Phis[(fold.Bytes + 1)..].ConvertAll(Parameter);
        var n = new OperationList(body.Operations);
        var turn = new TurnCopy(n, fold, [.. bytes, .. others]);
        var states = others[^fold.StateParameters.Count..];
        body.Terminator = new Yield(
            n.And(begins, turn.IsLeft),
            [.. turn.Found, .. turn.Next.Zip(states, (next, state) => n.Select(begins, next, state))]);
        return fold with { Function = new Function("turn", body), Bounds = fold.Bounds + 1 };
    }
}
