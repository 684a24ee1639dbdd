using Emu.Compiler.Rtl;

namespace Emu.Simulation;

/// <summary>
/// A design that is stepped cycle by cycle. Every kind of simulator gives the same outputs in the same cycles.
/// </summary>
public abstract class Simulator : IDisposable
{
    private readonly Dictionary<string, ulong[]> _inputs;
    private readonly Dictionary<string, ulong[]> _outputs;

    /// <summary>For a design, at power-up.</summary>
    protected Simulator(Design design)
    {
        ArgumentNullException.ThrowIfNull(design);
        Design = design;
        _inputs = design.Inputs.ToDictionary(p => p.Name, p => new ulong[(p.Width + 63) / 64]);
        foreach (var parameter in design.Parameters)
            _inputs[parameter.Name] = [(ulong)parameter.Number, .. parameter.Width > 64
                ? [(ulong)(parameter.Number >> 64)]
                : Array.Empty<ulong>()];
        _outputs = design.Outputs.ToDictionary(p => p.Name, p => new ulong[(p.Width + 63) / 64]);
    }

    /// <summary>The design that is simulated.</summary>
    public Design Design { get; }

    /// <summary>True if the reset is held in the next cycles; true at first.</summary>
    public bool IsInReset { get; set; } = true;

    /// <summary>The text printed at the last edge, or at power-up before the first.</summary>
    public string Printed { get; protected set; } = "";

    /// <summary>The rising edges so far.</summary>
    public long Cycle { get; private set; }

    /// <summary>
    /// The words of an input, the lowest 64 bits first; bits above the port's width are 0.
    /// A written word counts from the next <see cref="Step"/> on.
    /// </summary>
    public ulong[] Input(string port) => _inputs[port];

    /// <summary>The words of an output, the lowest 64 bits first, as they are after the last edge.</summary>
    public ulong[] Output(string port) => _outputs[port];

    /// <summary>Applies the inputs, takes one rising edge and shows the outputs after it.</summary>
    public void Step()
    {
        Edge();
        Cycle++;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Takes the ports, the reset and the cycle of another simulator of the same design.</summary>
    /// <param name="other">The other one.</param>
    private protected void TakePortsOf(Simulator other)
    {
        foreach (var (name, words) in other._inputs) words.CopyTo(_inputs[name], 0);
        foreach (var (name, words) in other._outputs) words.CopyTo(_outputs[name], 0);
        (IsInReset, Printed, Cycle) = (other.IsInReset, other.Printed, other.Cycle);
    }

    /// <summary>
    /// Does one rising edge: reads <see cref="Input"/> and <see cref="IsInReset"/>, fills <see cref="Output"/>.
    /// </summary>
    protected abstract void Edge();

    /// <summary>Ends what it runs on.</summary>
    protected virtual void Dispose(bool disposing)
    {
    }
}
