using Emu.Hosting;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>Sends frames from a host's interface as they are, and keeps all that arrive there.</summary>
internal sealed class Station(TestHost host) : IDisposable
{
    private readonly Port _port = host.Inside(() => PortSpecification.Open($"raw:{host.Interface}"));
    private readonly ReceivedFrame[] _batch = new ReceivedFrame[64];
    private readonly List<byte[]> _received = [];

    /// <summary>All that have arrived so far.</summary>
    public IReadOnlyList<byte[]> Received
    {
        get
        {
            for (var count = _port.Receive(_batch); count > 0; count = _port.Receive(_batch))
                _received.AddRange(_batch[..count].Select(frame => frame.Bytes.ToArray()));
            return _received;
        }
    }

    public void Send(ReadOnlySpan<byte> frame)
    {
        _port.Send(frame, 0);
        _port.Flush();
    }

    public void Dispose() => _port.Dispose();
}
