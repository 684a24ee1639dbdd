using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>An input vector of a design.</summary>
/// <param name="Name">The name, as in the contract.</param>
/// <param name="Width">Any number of bits.</param>
public sealed record InputPort(string Name, int Width);

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
