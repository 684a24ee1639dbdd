using System.Reflection;
using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Elaboration;
using Emu.Compiler.Engines;
using Emu.Compiler.Frontend;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Compiler.Pipelines;
using Emu.Compiler.Scheduling;

namespace Emu.Compiler;

/// <summary>
/// The compiler from top to bottom: a constructed service goes in, a circuit comes out. Each step is a folder, in which
/// nothing is known of those behind it.
/// </summary>
/// <remarks>
/// <list type="number">
/// <item>Elaborate: the objects that the constructor left become registers, memories and constants.</item>
/// <item>Translate: CIL becomes IR in SSA form, with every call in its place.</item>
/// <item>Optimise: the passes of <see cref="PassList"/>.</item>
/// <item>Split: rare paths that a pipeline cannot take leave it by a side exit to a slow path.</item>
/// <item>Schedule and lay out: operations go to stages or states, around them the units that move the frame.</item>
/// <item>Lower: what synthesis would make larger gets its form (<c>Rtl.OperationForms</c>).</item>
/// <item>Print: the design becomes Verilog (<see cref="CompiledService.Verilog"/>).</item>
/// </list>
/// </remarks>
public static class HardwareCompiler
{
    /// <summary>Every step from a service to Verilog, in order: the whole list.</summary>
    public static IReadOnlyList<CompilerStep> Steps { get; } =
    [
        new("elaborate", "elaboration", "objects that the constructor left become registers, memories and constants",
            "first: the translation asks what each field is"),
        new("translate", "translation", "CIL becomes IR in SSA form, with every call in its place",
            "after elaboration, since every receiver of a call is an object that is there"),
        .. PassList.Linking.Select(pass => new CompilerStep("optimise", pass.Name, pass.Does, pass.Place)),
        .. PassList.Optimisation.Select(pass => new CompilerStep("optimise", pass.Name, pass.Does, pass.Place)),
        .. PassList.Splitting.Select(pass => new CompilerStep("split", pass.Name, pass.Does, pass.Place)),
        new("lay out", "dataflow", "branches become choices between values, accesses to state one of each kind",
            "of a pipeline: its part has no loop any more"),
        new("lay out", "stage-schedule", "operations go to stages, by the levels of logic that the clock has time for",
            "after dataflow, of which it moves every value"),
        new(
            "lay out",
            "pipeline",
            "stages between header window and frame FIFO, beside them the slow path as an engine",
            "after the schedule, which says what each stage holds"),
        new(
            "lay out",
            "engine",
            "blocks become states of as many operations as the clock has time for, over a frame memory",
            "instead of the three before, where there is no pipeline or it is slower"),
        new(
            "lower",
            "lowering",
            "wide comparisons become carry chains, counts of bits trees, RAMs LUTs or blocks; what is false goes",
            "of a finished design, before the printer and the estimate of size, which follow it"),
        new(
            "print",
            "verilog",
            "the design becomes one module of Verilog",
            "last; it decides nothing about the circuit"),
    ];

    /// <summary>Compiles a service.</summary>
    /// <param name="service">Constructed, and not run: its state now is its state after reset.</param>
    /// <param name="options">The device, and the number of engines.</param>
    /// <param name="layout">
    /// The layout; null for the fastest that keeps the rule: a pipeline of the least interval, from the one of the
    /// options on, or an engine.
    /// </param>
    /// <param name="observer">
    /// Told of each pass when it has run, with the functions that it has left; null for nobody.
    /// </param>
    /// <exception cref="CompileException">The service uses what does not compile, or not to this layout.</exception>
    public static CompiledService Compile(
        Service service, HardwareOptions options, Layout? layout = null, PassObserver? observer = null)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(options);
        return Compile(new ServiceCompilations(service, observer), options, layout);
    }

    /// <summary>Makes one more circuit of a service.</summary>
    /// <param name="service">The service, with what was made of it for circuits before.</param>
    /// <param name="options">The device, and the number of engines.</param>
    /// <param name="layout">The layout; null for the fastest that keeps the rule.</param>
    /// <exception cref="CompileException">The service uses what does not compile, or not to this layout.</exception>
    internal static CompiledService Compile(
        ServiceCompilations service, HardwareOptions options, Layout? layout = null)
    {
        if (layout == Layout.Engine) return LayOutAsEngine(service, options, null, null);
        var compiled = LayOutSplit(service, options, layout);
        if (options.Engines == 1 || compiled.Layout == Layout.Engine) return compiled;
        var whyNot = compiled.Compilation.Slow is null
            ? ("the service is a pipeline without a slow path", null)
            : EngineGroup.WhyNotInSlowPath(compiled.Compilation);
        if (whyNot is not var (reason, location)) return compiled;
        throw new CompileException(
            DiagnosticNumber.Layout,
            $"no {options.Engines} engines: {reason}; leave out --engines, or add --layout engine", location);
    }

    /// <summary>
    /// A pipeline whose slow path does what deferred frames do; or the whole program with one copy of some methods, as
    /// an engine alone has it, where that is clearly smaller.
    /// </summary>
    private static CompiledService LayOutSplit(ServiceCompilations service, HardwareOptions options, Layout? layout)
    {
        var inlined = LayOutSplit(service, options, layout, SharedMethods.Asked(options));
        if (options.SharedCalls is not null || inlined.Layout != Layout.Pipeline
            || inlined.Compilation is { Slow: null } or { Interrupt: not null })
            return inlined;
        var sharing = CallSharing.InSlowPath(inlined.Circuit.Design);
        if (sharing.Methods.Count == 0) return inlined;
        try
        {
            var shared = LayOutSplit(service, options, layout, SharedMethods.Of(sharing.Methods));
            return shared.Layout == inlined.Layout && shared.Options.Interval == inlined.Options.Interval
                && sharing.Pays(shared.Circuit.Design)
                ? shared
                : inlined;
        }
        catch (CompileException)
        {
            // What a call is given may be clear only in its place.
            return inlined;
        }
    }

    private static CompiledService LayOutSplit(
        ServiceCompilations service, HardwareOptions options, Layout? layout, SharedMethods? shared)
    {
        var compilation = service.Split(options, shared);
        try
        {
            var compiled = LayOut(service, options, layout, compilation);
            if (!compilation.FramesFollow) return compiled;
        }
        catch (CompileException) when (compilation.FramesFollow)
        {
            // Split anew, there may be a pipeline.
        }
        return LayOut(service, options, layout, service.Split(options, shared, framesFollow: true));
    }

    private static CompiledService LayOut(
        ServiceCompilations service, HardwareOptions options, Layout? layout, Compilation compilation)
    {
        var attempt = Pipeline.Build(compilation, options, service.Name, options.Interval);
        return attempt.Succeeds(out var circuit, out var obstacle)
            ? AsPipeline(service, options, compilation, circuit)
            : LayOutSlower(service, options, compilation, layout, obstacle);
    }

    /// <summary>Constructs a service and translates it.</summary>
    /// <param name="type">Derived from <see cref="Service"/>.</param>
    /// <param name="ports">How many ports the device has.</param>
    /// <param name="capacity">The bytes that a frame may grow to.</param>
    /// <param name="arguments">Of the constructor; those that it has defaults for may be left out.</param>
    /// <exception cref="CompileException">
    /// The type is no service that can be constructed, or it uses what does not compile.
    /// </exception>
    public static Compilation Translate(Type type, int ports, int capacity, params object?[] arguments)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(arguments);
        return Translate(ServiceConstructor.Construct(type, arguments), ports, capacity);
    }

    /// <summary>Elaborates and translates a service.</summary>
    /// <param name="service">Constructed, and not run: its state now is its state after reset.</param>
    /// <param name="ports">How many ports the device has.</param>
    /// <param name="capacity">The bytes that a frame may grow to.</param>
    /// <exception cref="CompileException">The service uses what does not compile.</exception>
    public static Compilation Translate(Service service, int ports, int capacity) =>
        Translate(service, ports, capacity, keepsFrameOperations: false);

    /// <summary>
    /// Elaborates and translates a service; with <paramref name="keepsFrameOperations"/> checksums over the frame,
    /// moves in it and its clearing stay operations, for a layout that does them while the frame passes.
    /// </summary>
    internal static Compilation Translate(
        Service service, int ports, int capacity, bool keepsFrameOperations, PassObserver? observer = null) =>
        Translate(
            service, new StateMap(service, null, ComponentModule.Of), ports, capacity, keepsFrameOperations, null,
            observer);

    /// <summary>
    /// Elaborates and translates a service; some methods have one copy for all their calls, of a pipeline
    /// (<paramref name="keepsFrameOperations"/>) in its slow path.
    /// </summary>
    internal static Compilation Translate(
        Service service, int ports, int capacity, Predicate<string> isShared, bool keepsFrameOperations = false,
        PassObserver? observer = null)
    {
        var procedures = new ProcedureTable(isShared);
        for (StateMap? before = null; ;)
        {
            procedures.Begin();
            var state = new StateMap(service, before, ComponentModule.Of);
            var compilation = Translate(
                service, state, ports, capacity, keepsFrameOperations, procedures, observer);
            if (compilation.Interrupt is not null) procedures.InlineAll();
            procedures.End();
            if (!procedures.IsStale) return compilation;
            before ??= state;
        }
    }

    private static Compilation Translate(
        Service service, StateMap state, int ports, int capacity, bool keepsFrameOperations,
        ProcedureTable? procedures, PassObserver? observer)
    {
        Function Body(string name, ProcedureTable? callees) =>
            Translate(service, name, state, ports, capacity, keepsFrameOperations, callees);
        var interval = TickIntervalOf(service);
        // In the stages of a pipeline each call has its own copy.
        var process = Body(nameof(Service.Process), keepsFrameOperations ? null : procedures);
        var whole = keepsFrameOperations && procedures is not null ? Body(nameof(Service.Process), procedures) : null;
        var tick = interval == 0 ? null : Body(nameof(Service.Tick), procedures);
        List<Function> called = [.. procedures?.Functions ?? []];
        var waits = called.Append(process).Append(tick).Any(function => function?.Has(Opcode.Wait) == true);
        var interrupt = waits ? Body(nameof(Service.Interrupt), procedures) : null;
        if (state.UsedBesideCore() is { } used)
            throw new CompileException(
                DiagnosticNumber.VerilogCore,
                $"{used} is state of a Verilog module, and is used beside it; no one sees into a module: "
                + "let its method give what is asked for",
                null);
        return new Compilation(state, process, tick, interval, interrupt, ports, capacity)
        {
            Observer = observer,
            Procedures = called,
            Whole = whole,
        };
    }

    private static Function Translate(
        Service service, string name, StateMap state, int ports, int capacity, bool keepsFrameOperations,
        ProcedureTable? procedures)
    {
        var method = service.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.Public)!;
        return DeepStack.Run(() =>
        {
            var function = Translator.Translate(
                service, method, state, ports, capacity, keepsFrameOperations, procedures);
            Verifier.Verify(function, "the front end");
            return function;
        });
    }

    private static ulong TickIntervalOf(Service service)
    {
        try
        {
            return service.TickInterval;
        }
        catch (Exception exception)
        {
            throw new CompileException(
                DiagnosticNumber.FailedConstructor,
                $"TickInterval of {service.GetType().Name}"
                + $" threw {exception.GetType().Name}: {exception.Message}; "
                + "return a number that is known after construction",
                null, exception);
        }
    }

    private static CompiledService AsPipeline(
        ServiceCompilations service, HardwareOptions options, Compilation compilation, Circuit circuit,
        int? leastInterval = null)
    {
        LayoutBounds Bounds() => new(Layout.Pipeline, options, compilation, null, leastInterval, circuit);
        return new CompiledService(service.Name, options, Layout.Pipeline, circuit, compilation, Bounds);
    }

    /// <param name="service">The service.</param>
    /// <param name="options">The device.</param>
    /// <param name="split">The service, split as for a pipeline; null if it has not been.</param>
    /// <param name="bound">The reason for which it is no pipeline, if that is known.</param>
    private static CompiledService LayOutAsEngine(
        ServiceCompilations service, HardwareOptions options, Compilation? split, PipelineObstacle? bound)
    {
        var (compilation, circuit) = ChooseEngine(service, options with { Engines = 1 });
        if (options.Engines > 1) circuit = Engine.Build(compilation, options, service.Name);
        LayoutBounds Bounds() => new(Layout.Engine, options, split ?? service.Unobserved.Split(options), bound);
        return new CompiledService(service.Name, options, Layout.Engine, circuit, compilation, Bounds);
    }

    /// <summary>
    /// An engine with every call in its place, or with one copy of some methods, where that is clearly smaller.
    /// </summary>
    private static (Compilation Compilation, Circuit Circuit) ChooseEngine(
        ServiceCompilations service, HardwareOptions options)
    {
        if (SharedMethods.Asked(options) is { } asked) return MakeEngine(service, options, asked);
        var inlined = MakeEngine(service, options, null);
        var sharing = CallSharing.In(inlined.Circuit.Design);
        if (sharing.Methods.Count == 0 || inlined.Compilation.Interrupt is not null) return inlined;
        try
        {
            var shared = MakeEngine(service, options, SharedMethods.Of(sharing.Methods));
            return sharing.Pays(shared.Circuit.Design) ? shared : inlined;
        }
        catch (CompileException)
        {
            // What a call is given may be clear only in its place.
            return inlined;
        }
    }

    private static (Compilation Compilation, Circuit Circuit) MakeEngine(
        ServiceCompilations service, HardwareOptions options, SharedMethods? shared)
    {
        var compilation = service.ForEngine(options, shared);
        return (compilation, Engine.Build(compilation, options, service.Name));
    }

    /// <summary>
    /// A pipeline of a longer interval, or an engine, unless the user has asked for what there is not.
    /// </summary>
    private static CompiledService LayOutSlower(
        ServiceCompilations service,
        HardwareOptions options,
        Compilation compilation,
        Layout? layout,
        PipelineObstacle why)
    {
        var slower = why.IsRecurrence ? BuildSlower(compilation, options, service.Name) : null;
        if (layout is null || why.IsCost || slower?.Interval == options.Interval)
        {
            return slower is var (circuit, interval)
                ? AsPipeline(service, options with { Interval = interval }, compilation, circuit, interval)
                : LayOutAsEngine(service, options, compilation, why);
        }
        if (slower is null)
        {
            throw new CompileException(
                DiagnosticNumber.Layout, $"no pipeline: {why.Reason}; leave out --layout, and an engine is made",
                why.Location);
        }
        throw new CompileException(
            DiagnosticNumber.Interval,
            $"no frame every {options.Interval} cycles: {why.Reason}; "
            + $"--interval {slower.Value.Interval} is the nearest that can be met",
            why.Location);
    }

    /// <summary>
    /// A pipeline whose frames enter a cycle later than would be best; or else one in which they wait for rows that
    /// frames ahead may write, if that is faster for all others, or asked for.
    /// </summary>
    private static (Circuit Circuit, int Interval)? BuildSlower(
        Compilation compilation, HardwareOptions options, string service)
    {
        var next = options.Interval + 1;
        // What every frame keeps is better than what most do, up to twice the interval.
        for (var longer = next; longer <= 2 * options.Interval && !options.IsIntervalAsked; longer++)
        {
            if (Pipeline.Build(compilation, options, service, longer).Succeeds(out var later, out _))
                return (later, longer);
        }
        var interlocked = Pipeline.BuildFastest(compilation, options, service, options.Interval, interlocks: true);
        if (interlocked?.Interval == options.Interval) return interlocked;
        var fastest = Pipeline.BuildFastest(compilation, options, service, next);
        return interlocked is null || fastest?.Interval <= interlocked.Value.Interval ? fastest : interlocked;
    }
}
