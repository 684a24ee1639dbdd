using Emu.Compiler;

namespace Emu.Fuzz;

/// <summary>A service to be run on every rung, once.</summary>
/// <param name="construct">Makes the service anew: equal each time.</param>
internal sealed class Subject(Func<Service> construct)
{
    /// <summary>How many ports the device has.</summary>
    public const int Ports = 4;

    /// <summary>The bytes that a frame may grow to.</summary>
    public const int Capacity = 1518;

    private (Service Service, Compilation Compilation)? _compiled;

    /// <summary>The service that <see cref="Compilation"/> was made from: it has been compiled but not run.</summary>
    public Service Service => Compiled.Service;

    /// <summary>The IR as the front end made it, of <see cref="Service"/>; for rungs that do not change it.</summary>
    public Compilation Compilation => Compiled.Compilation;

    private (Service Service, Compilation Compilation) Compiled => _compiled ??= Compile();

    /// <summary>Another service and its IR, for a rung that changes it.</summary>
    public (Service Service, Compilation Compilation) Compile()
    {
        var service = construct();
        return (service, Compilation.Of(service, Ports, Capacity));
    }
}
