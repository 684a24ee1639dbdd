namespace Emu.Compiler.IR;

/// <summary>Something that lasts from one event to the next.</summary>
/// <param name="name">The name from C#: the field's path from the service.</param>
/// <param name="width">The width in bits.</param>
public abstract class StateElement(string name, int width)
{
    /// <summary>The name from C#: the field's path from the service.</summary>
    public string Name { get; } = name;

    /// <summary>The bits of the register, or of an element of the memory.</summary>
    public int Width { get; } = width;
}
