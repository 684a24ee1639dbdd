namespace Emu;

/// <summary>
/// A value that tables can be looked up by. It says how wide it is,
/// so that padding never reaches a hash or a comparator.
/// </summary>
/// <typeparam name="TSelf">The type itself.</typeparam>
public interface ITableKey<TSelf> : IEquatable<TSelf>
    where TSelf : struct, ITableKey<TSelf>
{
    /// <summary>The key's width in bits, 1 to 128.</summary>
    static abstract int Width { get; }

    /// <summary>The key as a number below 2^<see cref="Width"/>; equal keys have equal bits and no others do.</summary>
    UInt128 KeyBits { get; }
}
