namespace Emu.Compiler.IR;

/// <summary>One scalar leaf of the elements of an array.</summary>
/// <param name="name">The array's path from the service, and the leaf's in the element.</param>
/// <param name="width">Of an element, in bits.</param>
/// <param name="reset">What the constructor left in it: one number for each element.</param>
public sealed class Memory(string name, int width, UInt128[] reset) : StateElement(name, width)
{
    /// <summary>What the constructor left in it: one number for each element.</summary>
    public IReadOnlyList<UInt128> Reset { get; } = [.. reset.Select(bits => bits & Arithmetic.Mask(width))];

    /// <summary>The number of elements.</summary>
    public int Depth => Reset.Count;
}
