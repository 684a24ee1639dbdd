using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>
/// A synchronous circuit with one clock and one synchronous reset: what is printed as Verilog and what is simulated.
/// Neither the clock nor the reset is among its inputs.
/// </summary>
/// <remarks>
/// <para>A cycle: every value is a function of the inputs of this cycle and of what flops and RAMs hold; at its end,
/// the rising edge, flops and RAMs take what they are to hold next, all at once. Every output depends on flops only,
/// never on an input of the same cycle.</para>
/// <para>Values are <see cref="Constant"/>s, <see cref="InputBits"/>, <see cref="Flop"/>s, <see cref="RamRead"/>s,
/// <see cref="Wire"/>s and pure <see cref="Operation"/>s of these.</para>
/// </remarks>
/// <param name="name">The module's name, a Verilog identifier.</param>
public sealed class Design(string name)
{
    /// <summary>The module's name, a Verilog identifier.</summary>
    public string Name { get; } = name;

    /// <summary>The text at the head of the module: lines of plain text.</summary>
    public IReadOnlyList<string> Description { get; init; } = [];

    /// <summary>The clock and the reset.</summary>
    public ClockPorts Clock { get; init; } = ClockPorts.Axi;

    /// <summary>
    /// Verilog of another compiler, which is printed as it is; null where sections say what the circuit is.
    /// </summary>
    public string? Source { get; init; }

    /// <summary>The inputs, in order, besides clock and reset.</summary>
    public List<InputPort> Inputs { get; } = [];

    /// <summary>The numbers that are given when it is elaborated, in order.</summary>
    public List<Parameter> Parameters { get; } = [];

    /// <summary>The outputs, in order.</summary>
    public List<OutputPort> Outputs { get; } = [];

    /// <summary>All flops, RAMs and wires, in the order in which they are read.</summary>
    public List<Section> Sections { get; } = [];

    /// <summary>The text that a simulation prints before the first cycle.</summary>
    public string InitialText { get; set; } = "";

    /// <summary>The text that a simulation prints at edges, in order; synthesis leaves it out.</summary>
    public List<Display> Displays { get; } = [];

    /// <summary>All flops.</summary>
    public IEnumerable<Flop> Flops => Sections.SelectMany(s => s.Items).OfType<Flop>();

    /// <summary>All RAMs.</summary>
    public IEnumerable<Ram> Rams => Sections.SelectMany(s => s.Items).OfType<Ram>();

    /// <summary>All modules that stand for methods.</summary>
    public IEnumerable<CoreInstance> Cores => Sections.SelectMany(s => s.Items).OfType<CoreInstance>();

    /// <summary>All wires.</summary>
    public IEnumerable<Wire> Wires => Sections.SelectMany(s => s.Items).OfType<Wire>();
}

/// <summary>A part of a design that has a subject: a stage, a FIFO, the registers.</summary>
/// <param name="title">The title, one line.</param>
/// <param name="kind">The title that it has in common with others, of parts alike; null for its own.</param>
public sealed class Section(string title, string? kind = null)
{
    /// <summary>The title, one line.</summary>
    public string Title { get; } = title;

    /// <summary>The title that it has in common with the same section of parts alike.</summary>
    public string Kind { get; } = kind ?? title;

    /// <summary>The lines of C# whose work is done there; empty for the layout's own sections.</summary>
    public string Lines { get; set; } = "";

    /// <summary>Flops, RAMs and wires, in order.</summary>
    public List<IDesignItem> Items { get; } = [];
}

/// <summary>
/// A named part of a design: a flop, a RAM or a wire. Names are Verilog identifiers, no two alike, ports included.
/// </summary>
public interface IDesignItem
{
    /// <summary>A Verilog identifier.</summary>
    string Name { get; }

    /// <summary>
    /// The item's meaning in C#, for people: a field's path or a line; null when there is nothing to say.
    /// </summary>
    string? Comment { get; }
}
