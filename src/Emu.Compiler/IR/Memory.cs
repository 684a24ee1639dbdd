namespace Emu.Compiler.IR;

/// <summary>One scalar leaf of the elements of an array.</summary>
/// <param name="name">The array's path from the service, and the leaf's in the element.</param>
/// <param name="width">The width of an element, in bits.</param>
/// <param name="reset">The numbers that the constructor left in it, one for each element.</param>
public sealed class Memory(string name, int width, UInt128[] reset) : StateElement(name, width)
{
    /// <summary>The numbers that the constructor left in it, one for each element.</summary>
    public IReadOnlyList<UInt128> Reset { get; } = [.. reset.Select(bits => bits & Arithmetic.Mask(width))];

    /// <summary>The numbers that are among <see cref="Reset"/>; 0 if there are none.</summary>
    internal Interval ResetRange { get; } = RangeOf(reset, Arithmetic.Mask(width));

    /// <summary>The number of elements.</summary>
    public int Depth => Reset.Count;

    /// <summary>
    /// The registers that stand for its elements in a compilation that uses it at constant indices alone; null where it
    /// is a memory.
    /// </summary>
    public IReadOnlyList<Register>? Registers { get; private set; }

    /// <summary>
    /// The memories that stand for it in a compilation that always knows which of them an access is to: element i is
    /// element i / n of the one with number i % n, of n; null where it is one.
    /// </summary>
    public IReadOnlyList<Memory>? Banks { get; private set; }

    /// <summary>A bank, named after the memory and its number.</summary>
    /// <param name="number">Its number, from 0 to <paramref name="count"/> - 1.</param>
    /// <param name="count">The number of banks, at most <see cref="Depth"/>.</param>
    public Memory BankOf(int number, int count) =>
        new($"{Name}.{number}", Width, [.. Reset.Where((_, i) => i % count == number)]);

    /// <summary>A register in place of an element, named after the memory and the index.</summary>
    /// <param name="index">The element, from 0 to <see cref="Depth"/> - 1.</param>
    public Register RegisterOf(int index) => new($"{Name}.{index}", Width, Reset[index]);

    /// <summary>Makes the registers that stand for it from now on.</summary>
    internal void BecomeRegisters() => Registers = [.. Enumerable.Range(0, Depth).Select(RegisterOf)];

    /// <summary>Makes the banks that stand for it from now on.</summary>
    internal void BecomeBanks(int count) => Banks = [.. Enumerable.Range(0, count).Select(n => BankOf(n, count))];

    private static Interval RangeOf(UInt128[] reset, UInt128 mask)
    {
        if (reset.Length == 0) return Interval.Of(0);
        var range = Interval.Of(reset[0] & mask);
        foreach (var bits in reset.AsSpan(1)) range = range.Join(Interval.Of(bits & mask));
        return range;
    }
}
