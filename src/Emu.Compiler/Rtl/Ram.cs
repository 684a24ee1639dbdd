using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>A RAM with one write port and any number of read ports. Reset does not change what it holds.</summary>
/// <param name="name">A Verilog identifier.</param>
/// <param name="width">The width of a word in bits, 1 to 128.</param>
/// <param name="depth">Words: a power of two, at least 2.</param>
/// <param name="initial">The words that it holds at power-up; null for zeros.</param>
/// <remarks>Which cells it becomes is decided here, by its ports and its size.</remarks>
public sealed class Ram(string name, int width, int depth, IReadOnlyList<UInt128>? initial = null) : IDesignItem
{
    private const int BlockWords = 64;
    private const int BlockBits = 2048;

    /// <inheritdoc/>
    public string Name { get; } = name;

    /// <summary>
    /// The cells: block RAM from 64 words and 2 Kibit on where every port is registered, distributed RAM where none is.
    /// Words that are never written and looked up in the same cycle are logic, to which no kind of memory is named.
    /// </summary>
    public RamKind Kind =>
        Reads.Count == 0 ? RamKind.Any
        : !Reads.Exists(read => read.IsRegistered) ? (Write is null ? RamKind.Any : RamKind.Distributed)
        : Reads.TrueForAll(read => read.IsRegistered) && Depth >= BlockWords && Depth * (long)Width >= BlockBits
            ? RamKind.Block
            : RamKind.Any;

    /// <inheritdoc/>
    public string? Comment { get; init; }

    /// <summary>The width of a word in bits.</summary>
    public int Width { get; } = width;

    /// <summary>Words: a power of two, at least 2.</summary>
    public int Depth { get; } = depth;

    /// <summary>The words that it holds at power-up; null for zeros.</summary>
    public IReadOnlyList<UInt128>? Initial { get; } = initial;

    /// <summary>Bits of an address.</summary>
    public int AddressWidth => System.Numerics.BitOperations.Log2((uint)Depth);

    /// <summary>The read ports.</summary>
    public List<RamRead> Reads { get; } = [];

    /// <summary>The write port; null for a ROM.</summary>
    public RamWrite? Write { get; set; }
}

/// <summary>The cells that a RAM becomes.</summary>
public enum RamKind
{
    /// <summary>Whatever synthesis takes.</summary>
    Any,

    /// <summary>LUTs.</summary>
    Distributed,

    /// <summary>Blocks.</summary>
    Block,
}

/// <summary>
/// Writes <paramref name="Data"/> at an edge at which <paramref name="Enable"/>, of width 1, is 1, in reset too.
/// </summary>
public sealed record RamWrite(Value Address, Value Data, Value Enable);

/// <summary>
/// A read port of a RAM. Unregistered, it shows the word at the address in this cycle, as it was before the write of
/// this cycle (distributed RAM). Registered, it shows the word that was at the address at the last edge at which it was
/// enabled, before the write of that edge (block RAM); 0 before the first.
/// </summary>
public sealed class RamRead : Value, IDesignItem
{
    /// <summary>Adds a read port to a RAM.</summary>
    /// <param name="name">A Verilog identifier.</param>
    /// <param name="ram">The RAM.</param>
    /// <param name="address">The address, of <see cref="Ram.AddressWidth"/> bits.</param>
    /// <param name="isRegistered">True if its word appears after the next edge.</param>
    /// <param name="enable">For a registered port, a bit that is 1 when it takes the word at the edge;
    /// null for always.</param>
    public RamRead(string name, Ram ram, Value address, bool isRegistered, Value? enable = null) : base(ram.Width)
    {
        (Name, Ram, Address, IsRegistered, Enable) = (name, ram, address, isRegistered, enable);
        ram.Reads.Add(this);
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <inheritdoc/>
    public string? Comment { get; init; }

    /// <summary>The RAM.</summary>
    public Ram Ram { get; }

    /// <summary>
    /// The address, of <see cref="Ram.AddressWidth"/> bits; may be set later, before the design is used.
    /// </summary>
    public Value Address { get; set; }

    /// <summary>True if its word appears after the next edge.</summary>
    public bool IsRegistered { get; }

    /// <summary>A bit that is 1 when the port takes the word at an edge; null for always.</summary>
    public Value? Enable { get; set; }
}
