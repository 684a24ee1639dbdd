using Emu.Compiler;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Simulation;

namespace Emu.Testing;

/// <summary>A service to be run on every rung, once.</summary>
/// <param name="construct">Makes the service anew: equal each time.</param>
/// <param name="ports">The number of ports of the device.</param>
internal sealed class Subject(Func<Service> construct, int ports = Subject.Ports)
{
    /// <summary>The number of ports of a device unless another is given.</summary>
    public const int Ports = HardwareOptions.DefaultPorts;

    /// <summary>The bytes that a frame may grow to.</summary>
    public const int Capacity = 1518;

    /// <summary>The subjects that keep circuits and simulators: those of a whole test run are gigabytes.</summary>
    private const int MostKept = 64;

    /// <summary>Those asked for last come first; what no subject has any longer is not kept for this list.</summary>
    private static readonly LinkedList<WeakReference<Made>> s_kept = new();

    private Made _made = new();
    private Lazy<ServiceCompilations> _compilations = new(() => new ServiceCompilations(construct()));
    private Lazy<Compilation> _optimised = new(() =>
    {
        var compilation = HardwareCompiler.Translate(construct(), ports, Capacity);
        compilation.Optimise();
        return compilation;
    });
    private (Service Service, Compilation Compilation)? _compiled;

    /// <summary>The number of ports of the device.</summary>
    public int PortCount => ports;

    /// <summary>The service that <see cref="Compilation"/> was made from: it has been compiled but not run.</summary>
    public Service Service => Compiled.Service;

    /// <summary>The IR as the front end made it, of <see cref="Service"/>.</summary>
    public Compilation Compilation => Compiled.Compilation;

    /// <summary>The IR through all passes, of a service of its own.</summary>
    public Compilation Optimised => _optimised.Value;

    private (Service Service, Compilation Compilation) Compiled => _compiled ??= Compile();

    /// <summary>The service's class.</summary>
    public string Name => construct().GetType().Name;

    /// <summary>The service anew, for another compilation.</summary>
    public Service Construct() => construct();

    /// <summary>The same service, to be run once more.</summary>
    public Subject Again() => new(construct, ports)
    {
        _made = _made,
        _compilations = _compilations,
        _optimised = _optimised,
    };

    /// <summary>The service as a circuit, made once for each device and layout.</summary>
    public CompiledService Circuit(HardwareOptions options, Layout? layout)
    {
        Keep();
        var circuits = _made.Circuits;
        if (circuits.TryGetValue((options, layout), out var circuit)) return circuit;
        circuit = HardwareCompiler.Compile(_compilations.Value, options, layout);
        return circuits[(options, layout)] = circuits[(options, circuit.Layout)] = circuit;
    }

    /// <summary>A simulator of a circuit of the service, at power-up; its machine code is made once.</summary>
    public ManagedSimulator Simulator(CompiledService circuit)
    {
        var simulators = _made.Simulators;
        if (!simulators.TryGetValue(circuit, out var first))
            simulators[circuit] = first = new ManagedSimulator(circuit.Circuit.Design);
        return first.Another();
    }

    /// <summary>Keeps its circuits, and no longer those of the subject that was asked for longest ago.</summary>
    private void Keep()
    {
        lock (s_kept)
        {
            for (LinkedListNode<WeakReference<Made>>? node = s_kept.First, next; node is not null; node = next)
            {
                next = node.Next;
                if (!node.Value.TryGetTarget(out var made) || made == _made) s_kept.Remove(node);
            }
            s_kept.AddFirst(new WeakReference<Made>(_made));
            if (s_kept.Count <= MostKept) return;
            if (s_kept.Last!.Value.TryGetTarget(out var last)) (last.Circuits, last.Simulators) = ([], []);
            s_kept.RemoveLast();
        }
    }

    private (Service Service, Compilation Compilation) Compile()
    {
        var service = construct();
        return (service, HardwareCompiler.Translate(service, ports, Capacity));
    }

    /// <summary>All that has been made of a subject; if it is let go of in use, it goes on with its own.</summary>
    private sealed class Made
    {
        public Dictionary<(HardwareOptions Options, Layout? Layout), CompiledService> Circuits { get; set; } = [];

        public Dictionary<CompiledService, ManagedSimulator> Simulators { get; set; } = [];
    }
}
