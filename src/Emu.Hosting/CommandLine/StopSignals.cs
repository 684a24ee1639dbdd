using System.Runtime.InteropServices;

namespace Emu.Hosting;

/// <summary>
/// Ctrl-C and SIGTERM ask for an end instead of ending the process,
/// so that captures are written whole and interfaces are given back.
/// </summary>
public sealed class StopSignals : IDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly PosixSignalRegistration _interrupt;
    private readonly PosixSignalRegistration _terminate;

    /// <summary>Listens until it is disposed.</summary>
    public StopSignals()
    {
        _interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
        _terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
    }

    /// <summary>Cancelled by the first of them.</summary>
    public CancellationToken Token => _stop.Token;

    /// <inheritdoc/>
    public void Dispose()
    {
        _interrupt.Dispose();
        _terminate.Dispose();
        _stop.Dispose();
    }

    private void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        _stop.Cancel();
    }
}
