namespace Emu.Compiler;

/// <summary>The form that a service takes as a circuit.</summary>
public enum Layout
{
    /// <summary>A header pipeline beside a FIFO: a frame every few cycles.</summary>
    Pipeline,

    /// <summary>A state machine over a frame buffer: takes everything.</summary>
    Engine,
}

/// <summary>A service as a circuit, and what there is to say of it.</summary>
public sealed class CompiledService
{
    private CompiledService(Service service, HardwareOptions options, Layout layout, Circuit circuit, Compilation compilation, NoPipelineException? bound)
    {
        (Service, Options, Layout, Circuit, Compilation) = (service.GetType().Name, options, layout, circuit, compilation);
        _forPipeline = new Lazy<Compilation>(() => layout == Layout.Pipeline ? compilation : CompileForPipeline(service, options));
        _bounds = new Lazy<LayoutBounds>(() => new LayoutBounds(this, bound));
    }

    private readonly Lazy<Compilation> _forPipeline;
    private readonly Lazy<LayoutBounds> _bounds;
    private IReadOnlyList<Defer>? _slowPaths;

    /// <summary>The service as IR for a pipeline, whether one is made of it or not.</summary>
    internal Compilation ForPipeline => _forPipeline.Value;

    /// <summary>
    /// The causes that keep the interval from being shorter: the bus, a recurrence, or code that only an engine runs;
    /// in the service's words, at its lines.
    /// </summary>
    public IReadOnlyList<LayoutBound> Bounds => _bounds.Value.All;

    /// <summary>The least interval of a pipeline for frames of 60 bytes; null when there is no pipeline of this service, whatever its interval.</summary>
    public int? LeastInterval => _bounds.Value.LeastInterval;

    /// <summary>The service's class.</summary>
    public string Service { get; }

    /// <summary>The device that it is compiled for.</summary>
    public HardwareOptions Options { get; }

    /// <summary>The layout chosen.</summary>
    public Layout Layout { get; }

    /// <summary>The circuit.</summary>
    public Circuit Circuit { get; }

    /// <summary>The service as IR, through the passes.</summary>
    public Compilation Compilation { get; }

    /// <summary>True when the arrival time is divided, which takes long where the quotient changes.</summary>
    public bool DividesTime => TimeQuotient.Divisors(Compilation.Functions).Count > 0;

    /// <summary>The frames that the circuit leaves to its slow path, by the reasons and lines for which it does; empty when it has none.</summary>
    public IReadOnlyList<Defer> SlowPaths => _slowPaths ??= Layout == Layout.Engine || Compilation.Slow is null
        ? []
        : [.. Compilation.Fast!.Blocks().Select(block => block.Terminator).OfType<Defer>().DistinctBy(d => (d.Reason, d.Location?.Own))];

    /// <summary>The reason for which the circuit leaves a frame to its slow path; null when it does not.</summary>
    /// <param name="frame">The frame from the destination address to the last byte before the FCS.</param>
    /// <param name="time">The time of its arrival, in nanoseconds.</param>
    /// <remarks>Frames of a service with a slow path share nothing that this could depend on.</remarks>
    public Defer? WhyDeferred(ReadOnlySpan<byte> frame, ulong time)
    {
        if (SlowPaths.Count == 0 || frame.Length < EventRange.MinLength || frame.Length > Options.Capacity) return null;
        var memory = new byte[Options.Capacity];
        frame.CopyTo(memory);
        return new Interpreter().Run(Compilation.Fast!, memory, frame.Length, ingress: 0, time, new NoOutput()).Deferred;
    }

    /// <summary>Takes copies of frames of which only the path matters.</summary>
    private sealed class NoOutput : IFrameOutput
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
        {
        }
    }

    /// <summary>Compiles a service.</summary>
    /// <param name="service">Constructed, and not run: its state now is its state after reset.</param>
    /// <param name="options">The device.</param>
    /// <param name="layout">
    /// The layout; null for the fastest that keeps the rule: a pipeline of the least interval, from the one of the options on, or an engine.
    /// </param>
    /// <exception cref="CompileException">The service uses what does not compile, or not to this layout.</exception>
    public static CompiledService Of(Service service, HardwareOptions options, Layout? layout = null)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(options);
        if (layout == Compiler.Layout.Engine) return OfEngine(service, options, null);
        var compilation = CompileForPipeline(service, options);
        try
        {
            return OfPipeline(service, options, compilation);
        }
        catch (NoPipelineException exception)
        {
            var least = exception.IsRecurrence ? Pipeline.LeastInterval(compilation, options, options.Interval + 1) : null;
            if (layout is null || exception.IsCost)
                return least is { } interval ? OfPipeline(service, options with { Interval = interval }, compilation) : OfEngine(service, options, exception);
            if (least is null)
                throw new CompileException(
                    DiagnosticNumber.Layout, $"no pipeline: {exception.Message}; leave out --layout, and an engine is made", exception.Location);
            var reason = $"no frame every {options.Interval} cycles: {exception.Message}; --interval {least} is the nearest that can be met";
            throw new CompileException(DiagnosticNumber.Interval, reason, exception.Location);
        }
    }

    private static CompiledService OfPipeline(Service service, HardwareOptions options, Compilation compilation) => new(
        service, options, Compiler.Layout.Pipeline, Pipeline.Build(compilation, options, service.GetType().Name, options.Interval), compilation, null);

    private static CompiledService OfEngine(Service service, HardwareOptions options, NoPipelineException? bound)
    {
        var compilation = Compile(service, options, keepsWhole: false);
        return new CompiledService(service, options, Compiler.Layout.Engine, Engine.Build(compilation, options, service.GetType().Name), compilation, bound);
    }

    private static Compilation CompileForPipeline(Service service, HardwareOptions options)
    {
        var compilation = Compile(service, options, keepsWhole: true);
        compilation.Specialise();
        return compilation;
    }

    private static Compilation Compile(Service service, HardwareOptions options, bool keepsWhole)
    {
        var compilation = Compilation.Of(service, options.Ports, options.Capacity, keepsWhole);
        compilation.Optimise();
        return compilation;
    }
}
