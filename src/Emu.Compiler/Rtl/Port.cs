using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>An input vector of a design.</summary>
/// <param name="Name">The name, as in the contract.</param>
/// <param name="Width">Any number of bits.</param>
public record InputPort(string Name, int Width);

/// <summary>A number that is given to a design when it is elaborated, and is the same in every cycle.</summary>
/// <param name="Name">The parameter's name.</param>
/// <param name="Width">Any number of bits.</param>
/// <param name="Default">The number where none is given.</param>
public sealed record Parameter(string Name, int Width, UInt128 Default) : InputPort(Name, Width)
{
    /// <summary>The number that a simulation of the design is given.</summary>
    public UInt128 Number { get; set; } = Default;
}

/// <summary>Bits of an input.</summary>
/// <param name="port">The input.</param>
/// <param name="low">The lowest bit.</param>
/// <param name="width">The number of bits.</param>
public sealed class InputBits(InputPort port, int low, int width) : Value(width)
{
    /// <summary>The input.</summary>
    public InputPort Port { get; } = port;

    /// <summary>The lowest bit.</summary>
    public int Low { get; } = low;
}

/// <summary>An output vector of a design.</summary>
/// <param name="name">The name, as in the contract.</param>
/// <param name="parts">Its bits, the lowest part first.</param>
public sealed class OutputPort(string name, params IReadOnlyList<Value> parts)
{
    /// <summary>The name, as in the contract.</summary>
    public string Name { get; } = name;

    /// <summary>Its bits, the lowest part first; they depend on flops only.</summary>
    public IReadOnlyList<Value> Parts { get; } = parts;

    /// <summary>The sum of the parts' widths.</summary>
    public int Width => Parts.Sum(p => p.Width);
}
