using Emu.Compiler;
using Emu.Hosting;

namespace Emu.Simulation;

/// <summary>
/// A compiled service in the managed simulator, on a thread of its own until it is disposed of: on a tap, for instance.
/// </summary>
public sealed class RunningDevice : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly IReadOnlyList<Port> _ports;
    private readonly Bench _bench;
    private readonly SimulatedDevice _device;
    private readonly Task _run;
    private bool _isDisposed;

    /// <summary>Starts it.</summary>
    /// <param name="compiled">For as many ports as there are.</param>
    /// <param name="ports">Open ports; they become the device's.</param>
    public RunningDevice(CompiledService compiled, IReadOnlyList<Port> ports)
    {
        ArgumentNullException.ThrowIfNull(compiled);
        _ports = ports;
        _bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        _device = new SimulatedDevice(_bench, compiled.Circuit.Registers, ports, compiled.Compilation.TickInterval);
        _run = Task.Factory.StartNew(
            () => _device.Run(_stop.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
    }

    /// <inheritdoc cref="SimulatedDevice.Latencies"/>
    public CycleCounts Latencies => _device.Latencies;

    /// <summary>Waits until every capture has ended.</summary>
    /// <exception cref="AggregateException">The run has failed.</exception>
    public void Wait() => _run.Wait();

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
            _bench.Dispose();
            foreach (var port in _ports) port.Dispose();
            _stop.Dispose();
        }
    }
}
