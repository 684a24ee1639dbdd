namespace Emu.Compiler.IR;

/// <summary>
/// A loop over bytes of the frame, as what one turn makes of a byte and of the state so far: a fold (Bird and
/// Wadler 1988) that may end early. Turns are taken at one offset after the other, until one leaves the loop.
/// </summary>
/// <remarks>
/// <para>The parameters of a turn are, in this order: the bytes at its offset and behind it; the offset; for each
/// bound a bit that is 1 from the bound on; invariants, which are the same in all turns; words of memories; and the
/// state. It gives whether it leaves the loop, what it has found, which counts then, and the state for the next turn,
/// which counts else.</para>
/// <para>A word is read at an index that grows by one each turn: at the sum of the offset and an operand, modulo 2³²;
/// behind the memory's last word it may be anything. The operation has the memories as its state, in the order of the
/// words.</para>
/// <para>The result is what was found, 0 if nothing was, above the state in the turn that left, the first in the
/// highest bits; or what was found alone. A turn whose last byte is not the frame's leaves the loop and finds 0, so
/// that nothing need be known of it.</para>
/// <para>In a walk a turn goes on by more than one byte. The first part of the state is then the number of turns to be
/// passed over, which do nothing but count it down. There a turn leaves the loop if its first byte is not the frame's,
/// and does not depend on others that are not.</para>
/// <para>As a map (Bird and Wadler 1988; with state, an accumulating one) it replaces each byte by what the turn finds,
/// and ends where its first bound is reached, which is not behind the frame's end.</para>
/// </remarks>
/// <param name="Function">
/// A turn: one block, whose phis are the parameters, and which ends in <see cref="Yield"/>.
/// </param>
/// <param name="Bytes">The bytes that a turn looks at, at least 1.</param>
/// <param name="Bounds">The bounds, which are offsets.</param>
/// <param name="Invariants">The values that are the same in all turns.</param>
/// <param name="Found">The values that are found.</param>
/// <param name="IsWalk">True if the first part of the state says how many turns are passed over.</param>
/// <param name="HidesState">True if the result is what was found alone, without the state.</param>
/// <param name="Words">The words of memories that a turn looks at.</param>
/// <param name="IsOverText">True of a walk that may go on byte by byte, so that it may be over much of a frame.</param>
public sealed record FrameFold(
    Function Function, int Bytes, int Bounds, int Invariants, int Found, bool IsWalk = false, bool HidesState = false,
    int Words = 0, bool IsOverText = false)
{
    /// <summary>The width of an offset among the parameters, and of the bounds.</summary>
    public const int OffsetBits = 16;

    /// <summary>The width of the operands that say where words are.</summary>
    public const int IndexBits = 32;

    /// <summary>The turn.</summary>
    internal Block Body => Function.Entry;

    /// <summary>The end of the turn.</summary>
    internal Yield Turn => (Yield)Body.Terminator!;

    /// <summary>The values that are found, as they are in the turn that leaves.</summary>
    internal IEnumerable<Value> FoundValues => Turn.Values.Take(Found);

    /// <summary>The state for the next turn.</summary>
    internal IEnumerable<Value> NextState => Turn.Values.Skip(Found);

    /// <summary>The values that the result is made of.</summary>
    internal IEnumerable<Value> Results => HidesState ? FoundValues : Turn.Values;

    /// <summary>The parameters that are bytes.</summary>
    internal IReadOnlyList<Phi> ByteParameters => Body.Phis[..Bytes];

    /// <summary>The parameter that is the offset.</summary>
    internal Phi OffsetParameter => Body.Phis[Bytes];

    /// <summary>True if a turn asks for its offset.</summary>
    internal bool UsesOffset =>
        Turn.Values.Append(Turn.IsLeft).Concat(Body.Operations.SelectMany(o => o.Operands)).Contains(OffsetParameter);

    /// <summary>The parameters that say that a bound is reached.</summary>
    internal IReadOnlyList<Phi> BoundParameters => Body.Phis[(Bytes + 1)..(Bytes + 1 + Bounds)];

    /// <summary>The parameters that are the same in all turns.</summary>
    internal IReadOnlyList<Phi> InvariantParameters =>
        Body.Phis[(Bytes + 1 + Bounds)..(Bytes + 1 + Bounds + Invariants)];

    /// <summary>The parameters that are words of memories.</summary>
    internal IReadOnlyList<Phi> WordParameters =>
        Body.Phis[(Bytes + 1 + Bounds + Invariants)..(Bytes + FirstState)];

    /// <summary>The parameters that are the state.</summary>
    internal IReadOnlyList<Phi> StateParameters => Body.Phis[(Bytes + FirstState)..];

    /// <summary>The number of the first operand that is state.</summary>
    internal int FirstState => 1 + Bounds + Invariants + Words;

    /// <summary>The operands of an operation that say where its words are.</summary>
    internal IReadOnlyList<T> PlacesOf<T>(IReadOnlyList<T> operands) =>
        [.. operands.Skip(1 + Bounds + Invariants).Take(Words)];

    /// <summary>True if an operation has the operands and the width of this.</summary>
    internal bool Accepts(Operation operation) =>
        HasParameters(operation) && operation.Width == Results.Sum(value => value.Width);

    /// <summary>
    /// True if an operation has the operands of this as a map: it finds a byte for each that a turn looks at, and ends
    /// at its first bound.
    /// </summary>
    internal bool AcceptsMap(Operation operation) =>
        HasParameters(operation) && Bytes == 1 && Bounds > 0 && !IsWalk && Found == 1 && Turn.Values[0].Width == 8
        && Turn.IsLeft == BoundParameters[0];

    private bool IsPlace(int operand) => operand > Bounds + Invariants && operand < FirstState;

    private bool HasParameters(Operation operation)
    {
        var behind = Body.Phis[(Bytes + 1)..];
        return Body.Terminator is Yield turn && turn.IsLeft.Width == 1
            && NextState.Select(value => value.Width).SequenceEqual(StateParameters.Select(phi => phi.Width))
            && operation.Operands.Count == 1 + behind.Count
            && operation.Operands.Index().Skip(1 + Bounds).Where(o => !IsPlace(o.Index)).Select(o => o.Item.Width)
                .SequenceEqual(behind.Index().Skip(Bounds).Where(phi => !IsPlace(phi.Index + 1))
                    .Select(phi => phi.Item.Width))
            && PlacesOf(operation.Operands).All(place => place.Width == IndexBits)
            && operation.State.Select(memory => memory.Width).SequenceEqual(WordParameters.Select(word => word.Width))
            && operation.Operands.Take(1 + Bounds).All(o => o.Width == OffsetBits);
    }

    /// <summary>The lowest bit, in the result, of the value of a number among those found and the state.</summary>
    internal int LowOf(int number) => Results.Skip(number + 1).Sum(value => value.Width);

    /// <summary>Values put together to the result.</summary>
    internal UInt128 Join(IEnumerable<UInt128> values) =>
        values.Zip(Results, (bits, value) => (bits, value.Width))
            .Aggregate(UInt128.Zero, (joined, part) => joined << part.Width | part.bits);
}
