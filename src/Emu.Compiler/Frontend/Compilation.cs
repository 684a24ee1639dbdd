using System.Reflection;

namespace Emu.Compiler;

/// <summary>A service as IR: what it does with a frame, what it does at a tick, and the state between.</summary>
public sealed class Compilation
{
    private readonly int _ports;

    private Compilation(StateMap state, Function process, Function? tick, ulong tickInterval, int ports, int capacity) =>
        (State, Process, Tick, TickInterval, _ports, Capacity) = (state, process, tick, tickInterval, ports, capacity);

    /// <summary>The state that the functions share.</summary>
    public StateMap State { get; }

    /// <summary>The function that handles a frame.</summary>
    public Function Process { get; }

    /// <summary>The function that runs at a tick; null when the service has none.</summary>
    public Function? Tick { get; }

    /// <summary>Nanoseconds from one tick to the next; 0 when it has none.</summary>
    public ulong TickInterval { get; }

    /// <summary>The most bytes of a frame.</summary>
    internal int Capacity { get; }

    /// <summary>The functions there are.</summary>
    public IReadOnlyList<Function> Functions => Tick is null ? [Process] : [Process, Tick];

    private IReadOnlyList<(Function Function, EventRange Events)> Events => Tick is null
        ? [(Process, EventRange.Frame(_ports, Capacity))]
        : [(Process, EventRange.Frame(_ports, Capacity)), (Tick, EventRange.Tick)];

    /// <summary>Runs the passes.</summary>
    public void Optimise() => OnDeepStack(() => PassList.Run(Events));

    /// <summary>The ranges of the values of its functions and of its state.</summary>
    internal Ranges Ranges() => new(Events);

    /// <summary>The ranges of values at each place of one of its functions.</summary>
    internal Facts FactsOf(Function function) => new(function, Events.First(e => e.Function == function).Events, Ranges());

    /// <summary>Makes of what it does with a frame what a pipeline can do, and leaves the rest to another.</summary>
    internal void Specialise() => OnDeepStack(() =>
    {
        Specialisation.Run(this);
        Fast = ServicePaths.Fast(Process);
        Slow = ServicePaths.Slow(Process);
        PassList.RunOnParts(Fast, Slow, Events[0].Events);
    });

    /// <summary>The part of <see cref="Process"/> that a pipeline does; known when it is specialised.</summary>
    internal Function? Fast { get; private set; }

    /// <summary>The function for frames that a pipeline leaves alone; null when there is none.</summary>
    internal Function? Slow { get; private set; }

    /// <summary>The functions of both; known when it is specialised.</summary>
    internal IReadOnlyList<Function> Parts => Slow is null ? [Fast!] : [Fast!, Slow];

    /// <summary>Constructs a service and translates it.</summary>
    /// <param name="type">Derived from <see cref="Service"/>.</param>
    /// <param name="ports">The number of ports of the device.</param>
    /// <param name="capacity">The bytes that a frame may grow to.</param>
    /// <param name="arguments">The arguments of the constructor;
    /// those that it has defaults for may be left out.</param>
    /// <exception cref="CompileException">The type is no service that can be constructed, or it uses what does not compile.</exception>
    public static Compilation Of(Type type, int ports, int capacity, params object?[] arguments)
    {
        ArgumentNullException.ThrowIfNull(type);
        ArgumentNullException.ThrowIfNull(arguments);
        return Of(ServiceConstructor.Construct(type, arguments), ports, capacity);
    }

    /// <summary>Translates a service.</summary>
    /// <param name="service">Constructed, and not run: its state now is its state after reset.</param>
    /// <param name="ports">The number of ports of the device.</param>
    /// <param name="capacity">The bytes that a frame may grow to.</param>
    /// <exception cref="CompileException">The service uses what does not compile.</exception>
    public static Compilation Of(Service service, int ports, int capacity) => Of(service, ports, capacity, keepsWhole: false);

    /// <summary>
    /// Translates a service; with <paramref name="keepsWhole"/> checksums over the frame, moves in it and its clearing stay operations, for a layout that does
    /// them while the frame passes.
    /// </summary>
    internal static Compilation Of(Service service, int ports, int capacity, bool keepsWhole)
    {
        ArgumentNullException.ThrowIfNull(service);
        var state = new StateMap(service);
        var process = Translate(service, nameof(Service.Process), state, ports, capacity, keepsWhole);
        var interval = TickIntervalOf(service);
        var tick = interval == 0 ? null : Translate(service, nameof(Service.Tick), state, ports, capacity, keepsWhole);
        return new Compilation(state, process, tick, interval, ports, capacity);
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
                + $" threw {exception.GetType().Name}: {exception.Message}; return a number that is known after construction",
                null, exception);
        }
    }

    private static Function Translate(Service service, string name, StateMap state, int ports, int capacity, bool keepsWhole)
    {
        var method = service.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.Public)!;
        return OnDeepStack(() =>
        {
            var function = Translator.Translate(service, method, state, ports, capacity, keepsWhole);
            Verifier.Verify(function, "the front end");
            return function;
        });
    }

    private static void OnDeepStack(Action action) => _ = OnDeepStack(() =>
    {
        action();
        return true;
    });

    /// <summary>Values are looked for along all the blocks of a program: deep recursion needs a deep stack.</summary>
    private static T OnDeepStack<T>(Func<T> work)
    {
        T result = default!;
        Exception? failure = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    result = work();
                }
                catch (Exception exception)
                {
                    failure = exception as CompileException ?? Translator.Failed(exception, null);
                }
            },
            maxStackSize: 256 << 20);
        thread.Start();
        thread.Join();
        if (failure is not null) System.Runtime.ExceptionServices.ExceptionDispatchInfo.Capture(failure).Throw();
        return result;
    }
}
