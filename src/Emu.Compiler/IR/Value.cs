namespace Emu.Compiler.IR;

/// <summary>A bit vector that is computed once: SSA.</summary>
/// <param name="width">The width in bits, 1 to 128.</param>
public abstract class Value(int width) : Node
{
    /// <summary>The greatest width of a value: 128 bits.</summary>
    public const int MaxWidth = 128;

    /// <summary>The width in bits, 1 to 128.</summary>
    public int Width { get; } =
        width is >= 1 and <= MaxWidth
            ? width
            : throw new ArgumentOutOfRangeException(nameof(width), width, "a value has 1 to 128 bits");

    /// <summary>The number in the text form; given by <see cref="Function.Number"/>.</summary>
    public int Number { get; internal set; }
}
