namespace Emu.Compiler.IR;

/// <summary>
/// A part of a function that is itself and no other, whatever it holds: most work of passes is with tables by such
/// parts (<see cref="NodeTable{TKey,TValue}"/>).
/// </summary>
public abstract class Node
{
    /// <summary>Multiplied by this, numbers that follow one another are far apart (Fibonacci hashing).</summary>
    private const uint Spread = 0x9E37_79B1;

    private static uint s_last;

    private protected Node()
    {
    }

    /// <summary>
    /// A number by which tables place it: about as good as one of its own, which threads beside this one may have given
    /// as well.
    /// </summary>
    internal uint Hash { get; } = (s_last += Spread);
}
