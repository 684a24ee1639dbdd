using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>Holds a value from one rising edge to the next.</summary>
/// <param name="name">A Verilog identifier; ends in <c>_reg</c>.</param>
/// <param name="width">In bits.</param>
/// <param name="reset">What reset puts into it; null when reset does nothing to it. At power-up it holds this, or 0.</param>
public sealed class Flop(string name, int width, UInt128? reset) : Value(width), IDesignItem
{
    /// <inheritdoc/>
    public string Name { get; } = name;

    /// <inheritdoc/>
    public string? Comment { get; init; }

    /// <summary>The C# that computes what it holds; null for the layout's own.</summary>
    public SourceLocation? Location { get; init; }

    /// <summary>What reset puts into it, whatever <see cref="Enable"/> is; null when reset does nothing to it, and it takes its next value.</summary>
    public UInt128? Reset { get; } = reset;

    /// <summary>What it takes at an edge at which <see cref="Enable"/> is 1, unless reset puts something else into it.</summary>
    public Value Next { get; set; } = new Constant(width, 0);

    /// <summary>Of width 1: whether it takes anything; null for always.</summary>
    public Value? Enable { get; set; }
}

/// <summary>A value with a name.</summary>
/// <param name="name">A Verilog identifier.</param>
/// <param name="source">What it is.</param>
public sealed class Wire(string name, Value source) : Value(source.Width), IDesignItem
{
    /// <inheritdoc/>
    public string Name { get; } = name;

    /// <inheritdoc/>
    public string? Comment { get; init; }

    /// <summary>What it is; may be set later, before the design is used.</summary>
    public Value Source { get; set; } = source;
}
