namespace Emu.Direction.Language;

/// <summary>A comparison in a condition.</summary>
/// <param name="Left">The name on the left.</param>
/// <param name="IsLess">True for less than, false for equal.</param>
/// <param name="Right">The name on the right; null for a constant.</param>
/// <param name="Constant">The constant, in two's complement; 0 where there is a name.</param>
public sealed record ConditionComparison(string Left, bool IsLess, string? Right, ulong Constant)
{
    private const int HashWidth = 32;

    /// <summary>The sides as a probe takes them.</summary>
    internal UInt128 Sides =>
        DirectedVariable.HashOf(Left)
        | (UInt128)(Right is null ? 0 : DirectedVariable.HashOf(Right)) << HashWidth
        | (IsLess ? UInt128.One : 0) << 2 * HashWidth;
}
