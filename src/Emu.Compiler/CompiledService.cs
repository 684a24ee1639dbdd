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

    /// <summary>The reason for which the circuit leaves a frame to its slow path; null when it does not.</summary>
    /// <param name="frame">From the destination address to the last byte before the FCS.</param>
    /// <param name="time">When it arrives, in nanoseconds.</param>
    /// <remarks>Frames of a service with a slow path share nothing that this could depend on.</remarks>
    public SideExit? WhyDeferred(ReadOnlySpan<byte> frame, ulong time)
    {
        if (SlowPaths.Count == 0 || frame.Length < FrameLength.Header || frame.Length > Options.Capacity) return null;
        var memory = new byte[Options.Capacity];
        frame.CopyTo(memory);
        return new Interpreter()
            .Run(Compilation.Fast!, memory, frame.Length, ingress: 0, time, new NoHost()).Deferred;
    }

    /// <summary>The host of frames of which only the path matters.</summary>
    private sealed class NoHost : IEventHost
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
        {
        }

        public void WaitForFrame()
        {
        }

        public bool TryHold(ReadOnlySpan<byte> bytes, PortId ingress, ulong time, int capacity) => false;
    }
}
