using Emu.Compiler.IR;

namespace Emu.Compiler.Rtl;

/// <summary>
/// A module that stands for a method, in a circuit: its outputs, of which none depends on an input of the same cycle.
/// Above the results is the bit <c>done</c> if the module has a handshake.
/// </summary>
/// <param name="name">A Verilog identifier.</param>
/// <param name="core">The core.</param>
/// <remarks>
/// While <see cref="Valid"/> is 1 a call is made; its results are there so many cycles later as the core says, for one
/// cycle. In all other cycles the outputs are 0, and so they are behind a cycle of reset.
/// </remarks>
public sealed class CoreInstance(string name, VerilogCore core)
    : Value(core.Width + (core.HasHandshake ? 1 : 0)), IDesignItem
{
    /// <inheritdoc/>
    public string Name { get; } = name;

    /// <inheritdoc/>
    public string? Comment => core.Name;

    /// <summary>The core.</summary>
    public VerilogCore Core => core;

    /// <summary>1 in the cycle of a call.</summary>
    public Value Valid { get; internal set; } = new Constant(1, 0);

    /// <summary>1 while the state is set to what the constructor left, as at reset.</summary>
    public Value Clear { get; internal set; } = new Constant(1, 0);

    /// <summary>The operands of the call, in the order of the ports.</summary>
    public IReadOnlyList<Value> Operands { get; internal set; } =
        [.. core.Inputs.Select(port => new Constant(port.Width, 0))];

    /// <summary>All that goes in.</summary>
    public IReadOnlyList<Value> Inputs => [Valid, Clear, .. Operands];
}
