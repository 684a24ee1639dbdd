using System.Diagnostics;
using System.Net.Sockets;
using Emu.Hosting;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>
/// One side of a comparison: a device, and hosts around it that have no addresses,
/// so that nobody answers but who is measured.
/// </summary>
internal sealed class Side : IDisposable
{
    private const string HostInterface = "eth0";

    private static readonly TimeSpan s_patience = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_longestStart = TimeSpan.FromMinutes(1);

    private readonly TestNetwork _network = new();

    /// <summary>Connects the hosts, of these MAC addresses, to the device.</summary>
    public Side(params IEnumerable<MacAddress> hosts) =>
        Ports = [.. hosts.Select((mac, i) => _network.Connect(_network.AddHost($"h{i}", mac: mac)))];

    /// <summary>The device's interfaces, one for each host: port0, port1, …</summary>
    public IReadOnlyList<string> Ports { get; }

    public TestHost Device => _network.Device;

    private TestHost First => _network.Hosts[0];

    private TestHost Last => _network.Hosts[^1];

    /// <summary>Runs a service on all ports of the device, on its core.</summary>
    /// <param name="service">Its name.</param>
    /// <param name="options">Of <c>run</c>, for how long it looks for frames before it sleeps among them.</param>
    /// <param name="arguments">The service's own.</param>
    public void Serve(string service, IEnumerable<string> options, IEnumerable<string> arguments)
    {
        string[] command =
        [
            "dotnet",
            Places.Service(service),
            .. Ports.SelectMany(port => new[] { "--port", $"raw:{port}" }),
            .. options,
            "--",
            .. arguments,
        ];
        Device.Start(Pinned.Program, Pinned.Arguments(Pinned.ServiceCore, command)).WaitForLine("ready");
    }

    /// <summary>Starts a server of the kernel's sockets on the device, on its core.</summary>
    public void StartServer(params string[] command) =>
        Device.Start(Pinned.Program, Pinned.Arguments(Pinned.ServiceCore, command));

    /// <summary>Asks a server of the device over UDP, from the device, until it answers.</summary>
    /// <exception cref="CommandException">It has not within a minute.</exception>
    public void WaitForAnswer(string address, ushort port, byte[] request)
    {
        Do("ip", "link", "set", "lo", "up");
        using var client = Device.Inside(() => new UdpClient(address, port));
        client.Client.ReceiveTimeout = (int)s_patience.TotalMilliseconds;
        for (var start = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(start) < s_longestStart;)
        {
            try
            {
                client.Send(request);
                client.Client.Receive(new byte[ushort.MaxValue]);
                return;
            }
            catch (SocketException)
            {
                // Nobody listens yet.
                Thread.Sleep(s_patience);
            }
        }
        throw CommandException.Failure($"{address} does not answer at UDP port {port}");
    }

    /// <summary>
    /// Gives every port of the device this MAC address, and each the address at its place:
    /// the kernel as a host or router.
    /// </summary>
    public void Address(MacAddress mac, params IEnumerable<string> addresses)
    {
        foreach (var (port, address) in Ports.Zip(addresses))
        {
            Do("ip", "link", "set", port, "address", $"{mac}");
            Do("ip", "address", "add", $"{address}/24", "dev", port);
        }
        Set("net/ipv4/ip_forward", 1);
    }

    /// <summary>Tells the kernel of the device who is behind a port, so that nobody is asked.</summary>
    public void Know(int port, string address, MacAddress mac) =>
        Do("ip", "neighbor", "add", address, "lladdr", $"{mac}", "dev", Ports[port]);

    /// <summary>Writes to a file below /proc/sys, as the device sees it.</summary>
    public void Set(string name, int value) => Do("sh", "-c", $"echo {value} >/proc/sys/{name}");

    /// <summary>Runs a program on the device.</summary>
    public void Do(string program, params string[] arguments) => Device.Run(program, arguments).EnsureSuccess();

    /// <summary>Sends the frames of a file from the first host; those count that arrive at the last.</summary>
    public Load Send(Generator generator, string file) =>
        generator.RunFile(Device, file, [new Flow(First, HostInterface, Last, HostInterface)]);

    /// <summary>Sends one frame after the other from the first host, and waits for what comes back.</summary>
    public Delay Ask(RoundTrip client, Exchange exchange) => client.Run(First, Last, exchange);

    public void Dispose() => _network.Dispose();
}
