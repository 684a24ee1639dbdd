using Emu.Hosting;

namespace Emu.Testing;

/// <summary>
/// A service that runs on a thread of its own until it is disposed:
/// on the ports of a <see cref="TestNetwork"/>, for instance.
/// </summary>
public sealed class RunningService : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly Service _service;
    private readonly IReadOnlyList<Port> _ports;
    private readonly ServiceRunner _runner;
    private readonly Task _run;
    private bool _isDisposed;

    /// <summary>Starts it.</summary>
    /// <param name="service">Constructed, and not run before.</param>
    /// <param name="ports">Open ports; they become the run's.</param>
    /// <param name="recording">The recording of the run, or null; it stays the caller's.</param>
    public RunningService(Service service, IReadOnlyList<Port> ports, RunRecording? recording = null)
    {
        ArgumentNullException.ThrowIfNull(service);
        _service = service;
        _ports = ports;
        _runner = new ServiceRunner(service, ports, recording: recording);
        _run = Task.Factory.StartNew(
            () => _runner.Run(_stop.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
    }

    /// <summary>The service and its ports, as a title.</summary>
    public string Title => $"{_service.GetType().Name} on {string.Join(", ", _ports.Select(p => p.Name))}";

    /// <summary>Looks at it between two events.</summary>
    public RunSnapshot Look() => _runner.Between(() => RunSnapshot.Of(_service, _ports, _runner));

    /// <summary>Stops it and closes the ports.</summary>
    /// <exception cref="AggregateException">The run has failed.</exception>
    public void Dispose()
    {
        if (_isDisposed) return;
        _isDisposed = true;
        _stop.Cancel();
        try
        {
            _run.Wait();
        }
        finally
        {
            _runner.Dispose();
            foreach (var port in _ports) port.Dispose();
            _stop.Dispose();
        }
    }
}
