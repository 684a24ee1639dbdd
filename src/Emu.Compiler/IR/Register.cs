namespace Emu.Compiler.IR;

/// <summary>A scalar that lasts: a field of an object.</summary>
/// <param name="name">The field's path from the service.</param>
/// <param name="width">In bits.</param>
/// <param name="reset">What the constructor left in it.</param>
public sealed class Register(string name, int width, UInt128 reset) : StateElement(name, width)
{
    /// <summary>What the constructor left in it.</summary>
    public UInt128 Reset { get; } = reset & Arithmetic.Mask(width);
}
