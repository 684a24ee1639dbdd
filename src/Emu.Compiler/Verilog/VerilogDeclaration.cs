namespace Emu.Compiler.Verilog;

/// <summary>A declaration of a register or a wire.</summary>
/// <param name="Kind">The keyword.</param>
/// <param name="Width">The width in bits.</param>
/// <param name="Name">The name; where <paramref name="IsWhole"/>, the whole declaration.</param>
/// <param name="Initial">The value at power-up; null for none.</param>
/// <param name="Comment">What it is; null when there is nothing to say.</param>
/// <param name="IsWhole">True for a declaration of another form, such as a RAM's.</param>
internal sealed record VerilogDeclaration(
    string Kind, int Width, string Name, string? Initial = null, string? Comment = null, bool IsWhole = false);
