namespace Emu.Compiler.Dialect;

/// <summary>An expression of C#.</summary>
/// <param name="Text">The expression.</param>
/// <param name="Width">The bits that it may have: above them it is 0.</param>
/// <param name="Type">Its type: <c>bool</c>, <c>uint</c>, <c>ulong</c>, or <c>int</c> for a constant.</param>
/// <param name="IsAtom">True if it needs no parentheses.</param>
internal sealed record Term(string Text, int Width, string Type, bool IsAtom)
{
    /// <summary>The text as an operand.</summary>
    public string Operand => IsAtom ? Text : $"({Text})";
}
