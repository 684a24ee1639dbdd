using System.Globalization;

namespace Emu.Compiler.IR;

/// <summary>A part of what <see cref="Opcode.Print"/> prints, as .NET prints it.</summary>
public abstract record TextPart
{
    /// <summary>True if it is made of an operand: each such part of the next one.</summary>
    public virtual bool TakesOperand => true;

    /// <summary>The text.</summary>
    /// <param name="bits">The operand's bits; 0 without one.</param>
    /// <param name="width">The operand's width.</param>
    public abstract string Format(UInt128 bits, int width);
}

/// <summary>Text that is always the same.</summary>
/// <param name="Text">The text.</param>
public sealed record LiteralText(string Text) : TextPart
{
    /// <inheritdoc/>
    public override bool TakesOperand => false;

    /// <inheritdoc/>
    public override string Format(UInt128 bits, int width) => Text;
}

/// <summary>A number, decimal or hexadecimal.</summary>
/// <param name="IsSigned">True for one that may be negative.</param>
/// <param name="Digits">The least number of digits.</param>
/// <param name="Alignment">The least number of characters; below 0 it stands to the left.</param>
/// <param name="HexLetters">'X' or 'x' for a hexadecimal one, which shows all bits; null for a decimal one.</param>
public sealed record NumberText(bool IsSigned, int Digits, int Alignment, char? HexLetters) : TextPart
{
    /// <inheritdoc/>
    public override string Format(UInt128 bits, int width)
    {
        var format = $"{HexLetters ?? 'D'}{Digits}";
        var text = IsSigned && HexLetters is null
            ? Arithmetic.ToSigned(bits, width).ToString(format, CultureInfo.InvariantCulture)
            : bits.ToString(format, CultureInfo.InvariantCulture);
        return ChoiceText.Aligned(text, Alignment);
    }
}

/// <summary>A character of ASCII.</summary>
public sealed record CharacterText : TextPart
{
    /// <inheritdoc/>
    public override string Format(UInt128 bits, int width) => $"{(char)(byte)bits}";
}

/// <summary>One of several texts, to which the operand counts; the first beyond.</summary>
/// <param name="Choices">The texts.</param>
public sealed record ChoiceText(IReadOnlyList<string> Choices) : TextPart
{
    /// <inheritdoc/>
    public override string Format(UInt128 bits, int width) =>
        Choices[bits < (UInt128)Choices.Count ? (int)bits : 0];

    /// <summary>A text with blanks before it, or below 0 behind it.</summary>
    internal static string Aligned(string text, int alignment) =>
        alignment < 0 ? text.PadRight(-alignment) : text.PadLeft(alignment);
}

/// <summary>The names of an enumeration: the operand's, or its number where it has none.</summary>
/// <param name="Names">The names by the operand's bits, with their alignment.</param>
/// <param name="Otherwise">The number.</param>
public sealed record NamesText(IReadOnlyDictionary<UInt128, string> Names, NumberText Otherwise) : TextPart
{
    /// <inheritdoc/>
    public override string Format(UInt128 bits, int width) =>
        Names.TryGetValue(bits, out var name) ? name : Otherwise.Format(bits, width);
}
