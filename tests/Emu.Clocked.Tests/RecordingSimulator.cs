using Emu.Simulation;

namespace Emu.Clocked.Tests;

/// <summary>A simulator that keeps the inputs of each cycle outside reset.</summary>
internal sealed class RecordingSimulator : Simulator
{
    private readonly Simulator _inner;

    public RecordingSimulator(Simulator inner) : base(inner.Design)
    {
        _inner = inner;
        foreach (var port in Design.Outputs) inner.Output(port.Name).CopyTo(Output(port.Name), 0);
    }

    /// <summary>The inputs by cycle, then by port.</summary>
    public List<Dictionary<string, ulong>> Inputs { get; } = [];

    protected override void Edge()
    {
        _inner.IsInReset = IsInReset;
        foreach (var port in Design.Inputs) Input(port.Name).CopyTo(_inner.Input(port.Name), 0);
        if (!IsInReset) Inputs.Add(Design.Inputs.ToDictionary(port => port.Name, port => Input(port.Name)[0]));
        _inner.Step();
        foreach (var port in Design.Outputs) _inner.Output(port.Name).CopyTo(Output(port.Name), 0);
    }
}
