using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>Holds a value from one rising edge to the next.</summary>
/// <param name="name">A Verilog identifier; ends in <c>_reg</c>.</param>
/// <param name="width">The width in bits.</param>
/// <param name="reset">The value that reset puts into it; null when reset does nothing to it.
/// At power-up it holds this, or 0.</param>
public sealed class Flop(string name, int width, UInt128? reset) : Value(width), IDesignItem
{
    /// <inheritdoc/>
    public string Name { get; } = name;

    /// <inheritdoc/>
    public string? Comment { get; init; }

    /// <summary>
    /// The name of the vector that it is a part of; null when it stands alone. Flops of a section with one such name,
    /// one enable and no reset are printed as one vector.
    /// </summary>
    public string? Vector { get; init; }

    /// <summary>Its place in the vector: lower ones have the higher bits, and of two alike the first made.</summary>
    public int Place { get; init; }

    /// <summary>The stage of a pipeline in which it holds a value; null for what belongs to no stage.</summary>
    public int? Stage { get; init; }

    /// <summary>The C# that computes what it holds; null for the layout's own.</summary>
    public SourceLocation? Location { get; init; }

    /// <summary>
    /// The value that reset puts into it, whatever <see cref="Enable"/> is;
    /// null when it is not reset and takes its next value.
    /// </summary>
    public UInt128? Reset { get; } = reset;

    /// <summary>
    /// The value that it takes at an edge at which <see cref="Enable"/> is 1, unless reset puts something else into it.
    /// </summary>
    public Value Next { get; set; } = new Constant(width, 0);

    /// <summary>A bit that is 1 when the flop takes its next value; null for always.</summary>
    public Value? Enable { get; set; }

    /// <summary>
    /// A bit that is 1 when the flop takes its <see cref="Reset"/> value again, whatever <see cref="Enable"/> is: the
    /// pin for that is there anyway, and costs no choice of each bit. Null for never, and where nothing resets it.
    /// </summary>
    public Value? Clear { get; set; }

    /// <summary>The values that decide what it holds next.</summary>
    internal IEnumerable<Value> Inputs
    {
        get
        {
            yield return Next;
            if (Enable is not null) yield return Enable;
            if (Clear is not null) yield return Clear;
        }
    }
}

/// <summary>A value with a name.</summary>
/// <param name="name">A Verilog identifier.</param>
/// <param name="source">The value that it names.</param>
public sealed class Wire(string name, Value source) : Value(source.Width), IDesignItem
{
    /// <inheritdoc/>
    public string Name { get; internal set; } = name;

    /// <inheritdoc/>
    public string? Comment { get; init; }

    /// <summary>The value that it names; may be set later, before the design is used.</summary>
    public Value Source { get; set; } = source;
}
