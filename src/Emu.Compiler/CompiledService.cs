using Emu.Compiler.Engines;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Verilog;

namespace Emu.Compiler;

/// <summary>A service as a circuit, with all that a report says of it.</summary>
public sealed class CompiledService
{
    private readonly Lazy<LayoutBounds> _bounds;
    private IReadOnlyList<SideExit>? _slowPaths;

    internal CompiledService(
        string service, HardwareOptions options, Layout layout, Circuit circuit, Compilation compilation,
        Func<LayoutBounds> bounds)
    {
        (Service, Options, Layout, Circuit, Compilation) = (service, options, layout, circuit, compilation);
        _bounds = new Lazy<LayoutBounds>(bounds);
    }

    /// <summary>
    /// The causes that keep the interval from being shorter: the bus, a recurrence, or code that only an engine runs;
    /// in the service's words, at its lines.
    /// </summary>
    public IReadOnlyList<LayoutBound> Bounds => _bounds.Value.All;

    /// <summary>
    /// The least interval of a pipeline for frames of 60 bytes; null when there is no pipeline of this service,
    /// whatever its interval.
    /// </summary>
    public int? LeastInterval => _bounds.Value.LeastInterval;

    /// <summary>The service's class.</summary>
    public string Service { get; }

    /// <summary>The device that it is compiled for.</summary>
    public HardwareOptions Options { get; }

    /// <summary>The layout chosen.</summary>
    public Layout Layout { get; }

    /// <summary>The circuit.</summary>
    public Circuit Circuit { get; }

    /// <summary>The circuit as Verilog-2001: one module, named after the service.</summary>
    public string Verilog => VerilogPrinter.Print(Circuit.Design);

    /// <summary>The service as IR, through the passes.</summary>
    public Compilation Compilation { get; }

    /// <summary>
    /// The reason why several engines would not do what one does, with the C# of it; null where they would, and of a
    /// pipeline.
    /// </summary>
    public LayoutBound? EngineObstacle =>
        Layout == Layout.Engine && EngineGroup.WhyNot(Compilation) is var (reason, location)
            ? new LayoutBound($"one engine: {reason}", location)
            : null;

    /// <summary>True when the arrival time is divided, which takes long where the quotient changes.</summary>
    public bool DividesTime => TimeDivision.Divisors(Compilation.Functions).Count > 0;

    /// <summary>
    /// The frames that the circuit leaves to its slow path, by the reasons and lines for which it does;
    /// empty when it has none.
    /// </summary>
    public IReadOnlyList<SideExit> SlowPaths => _slowPaths ??= Layout == Layout.Engine || Compilation.Slow is null
        ? []
        : [.. Compilation.Fast!.Blocks()
            .Select(block => block.Terminator).OfType<SideExit>().DistinctBy(d => (d.Reason, d.Location?.Own))];
}
