namespace Emu.Compiler.IR;

/// <summary>A scalar that lasts: a field of an object.</summary>
/// <param name="name">The field's path from the service.</param>
/// <param name="width">The width in bits.</param>
/// <param name="reset">The number that the constructor left in it.</param>
public sealed class Register(string name, int width, UInt128 reset) : StateElement(name, width)
{
    /// <summary>The number that the constructor left in it.</summary>
    public UInt128 Reset { get; } = reset & Arithmetic.Mask(width);

    /// <summary>
    /// True for an argument or a result of a procedure, which is always written before it is read: it is no state of
    /// the service.
    /// </summary>
    public bool IsTransient { get; init; }
}
