using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;

namespace Emu.Compiler;

/// <summary>
/// A service through the steps before its layout. They know nothing of the width of the bus, the clock, the interval
/// and the number of engines: what they make is made once for all circuits of the service.
/// </summary>
/// <param name="service">Constructed, and not run: its state now is its state after reset.</param>
/// <param name="observer">Told of each pass when it has run; null for nobody.</param>
internal sealed class ServiceCompilations(Service service, PassObserver? observer = null)
{
    private readonly Dictionary<(int Ports, int Capacity, object? Shared, bool FramesFollow), Compilation> _split = [];
    private readonly Dictionary<(int Ports, int Capacity, object? Shared), Compilation> _forEngine = [];

    /// <summary>The service's class.</summary>
    public string Name => service.GetType().Name;

    /// <summary>The same, for what is asked when the circuit is there: nobody is told of passes any more.</summary>
    public ServiceCompilations Unobserved => observer is null ? this : new(service);

    /// <summary>The service, split as for a pipeline.</summary>
    /// <param name="options">The device.</param>
    /// <param name="shared">The methods of which the slow path has one copy; null for none.</param>
    /// <param name="framesFollow">See <see cref="Compilation.FramesFollow"/>.</param>
    /// <exception cref="CompileException">The service uses what does not compile.</exception>
    public Compilation Split(HardwareOptions options, SharedMethods? shared = null, bool framesFollow = false)
    {
        var key = (options.Ports, options.Capacity, shared?.Key, framesFollow);
        if (!_split.TryGetValue(key, out var compilation))
        {
            _split[key] = compilation = Optimised(options, keepsFrameOperations: true, shared);
            compilation.FramesFollow = framesFollow;
            compilation.Split();
        }
        // The layout before this one, of another clock or interval, may have noted that they do.
        compilation.FramesFollow = framesFollow;
        return compilation;
    }

    /// <summary>The service as an engine does it: all of it, with its operators written out.</summary>
    /// <param name="options">The device.</param>
    /// <param name="shared">The methods of which it has one copy; null for none.</param>
    /// <exception cref="CompileException">The service uses what does not compile.</exception>
    public Compilation ForEngine(HardwareOptions options, SharedMethods? shared)
    {
        var key = (options.Ports, options.Capacity, shared?.Key);
        if (_forEngine.TryGetValue(key, out var compilation)) return compilation;
        compilation = Optimised(options, keepsFrameOperations: false, shared);
        compilation.Decompose();
        return _forEngine[key] = compilation;
    }

    private Compilation Optimised(HardwareOptions options, bool keepsFrameOperations, SharedMethods? shared)
    {
        var (ports, capacity) = (options.Ports, options.Capacity);
        var compilation = shared is null
            ? HardwareCompiler.Translate(service, ports, capacity, keepsFrameOperations, observer)
            : HardwareCompiler.Translate(service, ports, capacity, shared.Contains, keepsFrameOperations, observer);
        compilation.Optimise();
        return compilation;
    }
}

/// <summary>Methods that have one copy for all their calls.</summary>
/// <param name="Key">Equal for the same methods.</param>
/// <param name="Contains">Tells it of a method, by its type and name.</param>
internal sealed record SharedMethods(object Key, Predicate<string> Contains)
{
    /// <summary>Those that are asked for; null when none are.</summary>
    public static SharedMethods? Asked(HardwareOptions options) =>
        options.SharedCalls is { } asked ? new SharedMethods(asked, asked) : null;

    /// <summary>Some methods.</summary>
    public static SharedMethods Of(IReadOnlySet<string> methods) =>
        new(string.Join('\n', methods.Order(StringComparer.Ordinal)), methods.Contains);
}
