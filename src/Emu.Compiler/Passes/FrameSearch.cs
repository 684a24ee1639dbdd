using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>
/// A search along the frame for the bytes at a place, as a <see cref="FrameFold"/>: its turns are all taken at once, a
/// beat a cycle. What it finds of a frame without all of these bytes is 0, or not the bytes that are there.
/// </summary>
internal static class FrameSearch
{
    /// <summary>True if a fold is a search.</summary>
    public static bool Is(FrameFold fold) => fold is { Bounds: 1, Found: 1, Invariants: 0, Words: 0, IsWalk: false }
        && fold.StateParameters.Count == 0 && fold.Turn.IsLeft == fold.BoundParameters[0];

    /// <summary>A search along the frame for the bytes at a place.</summary>
    /// <param name="start">An offset that is not behind the place.</param>
    /// <param name="place">The place.</param>
    /// <param name="count">The bytes.</param>
    /// <param name="location">The C#.</param>
    public static Operation For(UInt128 start, Value place, int count, SourceLocation? location)
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
}
