namespace Emu;

/// <summary>
/// A value that tables can be looked up by. It says how wide it is,
/// so that padding never reaches a hash or a comparator.
/// </summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface ITableKey<TSelf> : IEquatable<TSelf>
    where TSelf : struct, ITableKey<TSelf>
{
    /// <summary>The key's width in bits: 1 to 128, or more where <see cref="Word"/> is implemented.</summary>
    static abstract int Width { get; }

    /// <summary>
    /// The key as a number below 2^<see cref="Width"/>; equal keys have equal bits and no others do. Of a key over 128
    /// bits, its lowest word.
    /// </summary>
    UInt128 KeyBits { get; }

    /// <summary>One of the words of 128 bits of a key, to be implemented by keys that have more than one.</summary>
    /// <param name="key">The key.</param>
    /// <param name="index">The word's index, 0 for the lowest bits, below <see cref="Width"/> / 128 rounded up.</param>
    static virtual UInt128 Word(TSelf key, int index) => key.KeyBits;
}
