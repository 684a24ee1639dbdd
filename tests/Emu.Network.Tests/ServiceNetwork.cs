using Emu.Hosting;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>A service in this process, on the device of a network, with one host at each of its ports.</summary>
internal sealed class ServiceNetwork : IDisposable
{
    private readonly TestNetwork _network = new();
    private readonly RunRecording? _recording;
    private readonly List<Station> _stations = [];
    private readonly RunningService _run;

    /// <summary>Connects the hosts and starts the service.</summary>
    /// <param name="kind">The kind of ports that connect the hosts to the service.</param>
    /// <param name="service">Constructed, and not run before.</param>
    /// <param name="hosts">The number of hosts: h1 is 10.0.0.1 and fd00::1, h2 is 10.0.0.2 and fd00::2, …</param>
    /// <param name="areSilent">True if the hosts have no addresses,
    /// so that nothing is sent that the test did not send.</param>
    /// <param name="recordTo">The pcapng file that the run is recorded in; null for none.</param>
    public ServiceNetwork(PortKind kind, Service service, int hosts, bool areSilent = false, string? recordTo = null)
    {
        try
        {
            for (var i = 1; i <= hosts; i++)
                _network.AddHost($"h{i}", areSilent ? null : $"10.0.0.{i}/24", areSilent ? null : $"fd00::{i}/64");
            List<Port> ports =
            [
                .. Hosts.Select((host, i) => kind == PortKind.Tap ? AddTap(host, $"emu{i}") : AddRaw(host)),
            ];
            _recording = recordTo is null ? null : new RunRecording(recordTo, ports.Select(port => port.Name));
            _run = new RunningService(service, ports, _recording);
        }
        catch
        {
            _network.Dispose();
            throw;
        }
    }

    public IReadOnlyList<TestHost> Hosts => _network.Hosts;

    /// <summary>The run between two events.</summary>
    public RunSnapshot Look() => _run.Look();

    /// <summary>A host's interface in the hands of the test.</summary>
    public Station StationAt(TestHost host)
    {
        var station = new Station(host);
        _stations.Add(station);
        return station;
    }

    public void Dispose()
    {
        try
        {
            foreach (var station in _stations) station.Dispose();
            _run.Dispose();
            _recording?.Dispose();
        }
        finally
        {
            _network.Dispose();
        }
    }

    private Port AddTap(TestHost host, string name)
    {
        var port = _network.Device.Inside(() => PortSpecification.Open($"tap:{name}"));
        _network.AdoptTap(host, name);
        return port;
    }

    private Port AddRaw(TestHost host)
    {
        var name = _network.Connect(host);
        return _network.Device.Inside(() => PortSpecification.Open($"raw:{name}"));
    }
}
