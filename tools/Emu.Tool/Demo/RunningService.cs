using Emu.Hosting;

namespace Emu.Tool;

/// <summary>A service that runs on a thread of its own until it is disposed.</summary>
internal sealed class RunningService : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Service _service;
    private readonly IReadOnlyList<Port> _ports;
    private readonly ServiceRunner _runner;
    private readonly Task _run;

    /// <summary>Starts it.</summary>
    /// <param name="service">Constructed, and not run before.</param>
    /// <param name="ports">Open ports; they become the run's.</param>
    public RunningService(Service service, IReadOnlyList<Port> ports)
    {
        _service = service;
        _ports = ports;
        _runner = new ServiceRunner(service, ports);
        _run = Task.Factory.StartNew(() => _runner.Run(_stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
    }

    /// <summary>What runs where.</summary>
    public string Title => $"{_service.GetType().Name} on {string.Join(", ", _ports.Select(p => p.Name))}";

    /// <summary>Looks at it between two events.</summary>
    public RunSnapshot Look() => _runner.Between(() => RunSnapshot.Of(_service, _ports, _runner));

    /// <inheritdoc/>
    public void Dispose()
    {
        _stop.Cancel();
        _run.Wait();
        _runner.Dispose();
        foreach (var port in _ports) port.Dispose();
        _stop.Dispose();
    }
}
