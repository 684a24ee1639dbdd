namespace Emu.Compiler.IR;

/// <summary>
/// A Verilog module that stands for a method, with the state of the object that the method is called on.
/// </summary>
/// <param name="name">The object's path from the service, and the method's name.</param>
/// <param name="module">The module's name.</param>
/// <param name="text">The Verilog that holds it.</param>
/// <param name="inputs">A port for each operand of a call.</param>
/// <param name="outputs">A port for each result.</param>
/// <param name="newModel">Makes what does the same by the C# that the module stands for.</param>
public sealed class VerilogCore(
    string name, string module, string text, IReadOnlyList<CorePort> inputs, IReadOnlyList<CorePort> outputs,
    Func<ICoreModel> newModel)
    : StateElement(name, outputs.Sum(port => port.Width))
{
    /// <summary>The module's name.</summary>
    public string Module { get; } = module;

    /// <summary>The Verilog that holds it.</summary>
    public string Text { get; } = text;

    /// <summary>The ports of the operands.</summary>
    public IReadOnlyList<CorePort> Inputs { get; } = inputs;

    /// <summary>The ports of the results, which are joined to one number, the first in the lowest bits.</summary>
    public IReadOnlyList<CorePort> Outputs { get; } = outputs;

    /// <summary>Cycles from a call to its results; 0 where the module says when they are there.</summary>
    public int Latency { get; init; }

    /// <summary>Cycles from a call to the next that it takes.</summary>
    public int Interval { get; init; } = 1;

    /// <summary>Cycles for which its reset has to last.</summary>
    public int ResetCycles { get; init; } = 1;

    /// <summary>The ports of the module that are no part of a call, and lead out of the circuit.</summary>
    public IReadOnlyList<CorePin> Pins { get; init; } = [];

    /// <summary>The module that stands at the pins in a simulation; null without pins.</summary>
    public PinModel? Model { get; init; }

    /// <summary>True if a call sees what calls before it have done.</summary>
    public bool HasState { get; init; }

    /// <summary>True if the module says when its results are there.</summary>
    public bool HasHandshake => Latency == 0;

    /// <summary>Makes what does the same by the C#, in the state that the constructor left.</summary>
    public ICoreModel NewModel() => newModel();
}

/// <summary>A port of a module for an operand or a result of a call.</summary>
/// <param name="Name">The name in Verilog.</param>
/// <param name="Width">The width in bits.</param>
public sealed record CorePort(string Name, int Width);

/// <summary>A port of a module that leads out of the circuit.</summary>
/// <param name="Name">The name in Verilog.</param>
/// <param name="Width">The width in bits.</param>
/// <param name="IsInput">True if the module reads it.</param>
public sealed record CorePin(string Name, int Width, bool IsInput);

/// <summary>A module that stands at pins in a simulation: it has a port of the same name for each.</summary>
/// <param name="Module">The module's name.</param>
/// <param name="Text">The Verilog that holds it.</param>
public sealed record PinModel(string Module, string Text);

/// <summary>Does what a core does by the C# that it stands for.</summary>
public interface ICoreModel
{
    /// <summary>Sets the state to what the constructor left.</summary>
    void Reset();

    /// <summary>Makes a call.</summary>
    /// <param name="operands">The operands, one for each of <see cref="VerilogCore.Inputs"/>.</param>
    /// <returns>The results, joined as in <see cref="VerilogCore.Outputs"/>.</returns>
    UInt128 Call(IReadOnlyList<UInt128> operands);

    /// <summary>The cycles from a call to its results, 1 or more.</summary>
    /// <param name="operands">The operands of the call.</param>
    int CyclesOf(IReadOnlyList<UInt128> operands);
}
