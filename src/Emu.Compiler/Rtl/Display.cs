using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>Text that a simulation prints at a rising edge, outside reset.</summary>
/// <param name="Enable">A bit that is 1 in the cycles that it is printed in.</param>
/// <param name="Text">The text.</param>
/// <param name="Values">The values in it, as they are before the edge.</param>
public sealed record Display(IDesignItem Enable, IReadOnlyList<TextPart> Text, IReadOnlyList<IDesignItem> Values)
{
    /// <summary>The text with values.</summary>
    /// <param name="bits">Gives the bits of one of <see cref="Values"/>.</param>
    public string Format(Func<IDesignItem, UInt128> bits)
    {
        ArgumentNullException.ThrowIfNull(bits);
        var next = 0;
        return string.Concat(Text.Select(part =>
        {
            if (!part.TakesOperand) return part.Format(0, 0);
            var value = Values[next++];
            return part.Format(bits(value), ((Value)value).Width);
        }));
    }
}
