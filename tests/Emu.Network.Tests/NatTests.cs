using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;
using Emu.Hosting;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>Hosts inside reach hosts outside, which have no route to them, with the kernel's own protocols.</summary>
public sealed class NatTests(NatTests.Networks networks) : IClassFixture<NatTests.Networks>
{
    private const string Outside = "192.0.2.1";
    private const int Bytes = 3_000_000;

    public static TheoryData<PortKind> Kinds => [.. Enum.GetValues<PortKind>()];

    [Theory, MemberData(nameof(Kinds))]
    public void Both_hosts_inside_ping_both_outside_at_once_with_one_identifier(PortKind kind)
    {
        var network = networks.Over(kind, "ping");
        network.MeetServers();
        foreach (var (toA, toB) in new[]
        {
            (network.Near, network.Near), (network.Far, network.Near), (network.Near, network.Far),
            (network.Far, network.Far),
        })
        {
            using var first = Ping(network.A, toA);
            using var second = Ping(network.B, toB);
            foreach (var ping in new[] { first, second })
            {
                var stop = TestContext.Current.CancellationToken;
                var output = ping.WaitForExit(Until.Limit, stop).EnsureSuccess().Output;
                Assert.True(output.Contains(" 0% packet loss", StringComparison.Ordinal), output);
            }
        }

        static RunningCommand Ping(TestHost host, TestHost to) =>
            host.Start("ping", ["-n", "-c", "5", "-i", "0.05", "-W", "5", "-e", "4711", $"{to.IPv4}"]);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Both_hosts_inside_fetch_a_file_from_both_outside(PortKind kind)
    {
        var network = networks.Over(kind, "curl", "python3");
        using var folder = new TemporaryFolder();
        var content = new byte[Bytes];
        new Random(1).NextBytes(content);
        File.WriteAllBytes(folder["file"], content);
        foreach (var server in new[] { network.Near, network.Far })
        {
            using var http = Serve(server, 80, folder["."]);
            foreach (var client in new[] { network.A, network.B })
            {
                var got = folder[$"{client.Name}-{server.Name}"];
                client.Do(
                    "curl", "-sS", "--retry", "20", "--retry-connrefused", "--retry-delay", "1", "-m", "30", "-o", got,
                    $"http://{server.IPv4}/file");
                Assert.Equal(content, File.ReadAllBytes(got));
            }
            // whoever asked, that is who the server saw
            Assert.All(NatNetwork.Log(http), line => Assert.StartsWith(Outside + " ", line));
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Datagrams_of_two_hosts_with_one_port_are_told_apart(PortKind kind)
    {
        var network = networks.Over(kind, "ping");
        network.MeetServers();
        using var server = Udp(network.Near, 7000);
        using var a = Udp(network.A, 5000);
        using var b = Udp(network.B, 5000);
        foreach (var (client, text) in new[] { (a, "from a"), (b, "from b"), (a, "again a") })
        {
            client.SendTo(
                Encoding.ASCII.GetBytes(text), new IPEndPoint(IPAddress.Parse(network.Near.IPv4.ToString()!), 7000));
            EndPoint seen = new IPEndPoint(IPAddress.Any, 0);
            var buffer = new byte[100];
            var length = server.ReceiveFrom(buffer, ref seen);
            Assert.Equal(IPAddress.Parse(Outside), ((IPEndPoint)seen).Address);
            Assert.Equal(client == a, ((IPEndPoint)seen).Port == 5000);
            server.SendTo(buffer.AsSpan(0, length), seen);
            Assert.Equal(text, Encoding.ASCII.GetString(buffer, 0, client.Receive(buffer)));
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Nobody_there_is_what_the_sender_is_told(PortKind kind)
    {
        var network = networks.Over(kind, "ping");
        network.MeetServers();
        using var client = Udp(network.A, 5001);
        client.Connect(IPAddress.Parse(network.Near.IPv4.ToString()!), 9);
        client.Send("?"u8);
        // The kernel believes an ICMP error only if it quotes the very packet that it has sent.
        Assert.Equal(
            SocketError.ConnectionRefused,
            Assert.Throws<SocketException>(() => client.Receive(new byte[1])).SocketErrorCode);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void A_forward_is_reached_from_outside_and_from_inside_by_the_address_outside(PortKind kind)
    {
        var network = networks.Over(kind, "curl", "python3");
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder["file"], "inside");
        using var http = Serve(network.B, 8080, folder["."]);
        foreach (var client in new[] { network.Far, network.A })
            Assert.Equal(
                "inside",
                client.Do("curl", "-sS", "--retry", "20", "--retry-connrefused", "--retry-delay", "1", "-m", "30",
                    $"http://{Outside}:80/file").Trim());
    }

    [Theory, MemberData(nameof(Kinds))]
    public void It_answers_pings_and_is_seen_as_a_hop(PortKind kind)
    {
        var network = networks.Over(kind, "ping");
        network.MeetServers();
        foreach (var address in new[] { "10.0.0.254", Outside }) network.A.Ping(address, "-c", "3", "-i", "0.1");
        network.Near.Ping(Outside, "-c", "3", "-i", "0.1");
        // A route is traced by such errors: the kernel believes one only if it quotes what was sent.
        string[] options = ["-n", "-c", "1", "-W", "5", "-t", "1", $"{network.Near.IPv4}"];
        var output = network.A.Run("ping", options, Until.Limit, TestContext.Current.CancellationToken).Output;
        Assert.Contains("From 10.0.0.254 icmp_seq=1 Time to live exceeded", output);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Datagrams_longer_than_a_frame_pass_both_ways_in_parts(PortKind kind)
    {
        var network = networks.Over(kind, "ping");
        network.MeetServers();
        network.A.Ping($"{network.Near.IPv4}", "-c", "3", "-i", "0.2", "-s", "8000");
        using var server = Udp(network.Far, 7001);
        using var client = Udp(network.B, 5002);
        var datagram = new byte[20_000];
        new Random(1).NextBytes(datagram);
        client.SendTo(datagram, new IPEndPoint(IPAddress.Parse(network.Far.IPv4.ToString()!), 7001));
        EndPoint seen = new IPEndPoint(IPAddress.Any, 0);
        var buffer = new byte[datagram.Length + 1];
        Assert.Equal(datagram, buffer[..server.ReceiveFrom(buffer, ref seen)]);
        server.SendTo(datagram, seen);
        Assert.Equal(datagram, buffer[..client.Receive(buffer)]);
    }

    [Theory]
    [InlineData(PortKind.Raw)]
    [InlineData(PortKind.Raw, "-R")]
    [InlineData(PortKind.Raw, "-u", "-b", "20M")]
    [InlineData(PortKind.Tap)]
    [InlineData(PortKind.Tap, "-R")]
    public void Iperf3_runs_through_it(PortKind kind, params string[] options)
    {
        var network = networks.Over(kind, "iperf3");
        using var server = network.Near.Start("iperf3", ["-s", "-1", "--forceflush"]);
        server.WaitForLine("Server listening", Until.Limit, TestContext.Current.CancellationToken);
        var output = network.A.Do("iperf3", ["-c", network.Near.IPv4.ToString()!, "-t", "1", "-J", .. options]);
        var sum = JsonDocument.Parse(output).RootElement
            .GetProperty("end").GetProperty(options.Contains("-u") ? "sum" : "sum_received");
        Assert.InRange(sum.GetProperty("bytes").GetInt64(), 1_000_000, long.MaxValue);
        server.WaitForExit(Until.Limit, TestContext.Current.CancellationToken);
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Both_hosts_inside_ask_both_outside_for_a_name(PortKind kind)
    {
        var network = networks.Over(kind, "dig", "ping");
        network.MeetServers();
        foreach (var host in new[] { network.Near, network.Far })
        {
            using var server = Udp(host, 53);
            foreach (var client in new[] { network.A, network.B })
            {
                var answer = Task.Run(() => NameServer.AnswerOne(server), TestContext.Current.CancellationToken);
                var output = client.Do(
                    "dig", "+short", "+time=2", "+tries=5", $"@{host.IPv4}", "who.asks.example", "A");
                await answer;
                Assert.Equal(Outside, output.Trim());
            }
        }
    }

    [Theory]
    [InlineData(Filtering.EndpointIndependent, "Endpoint Independent Filtering")]
    [InlineData(Filtering.AddressDependent, "Address Dependent Filtering")]
    [InlineData(Filtering.AddressAndPortDependent, "Address and Port Dependent Filtering")]
    public void A_stun_client_finds_the_mapping_endpoint_independent_and_the_filtering_as_configured(
        Filtering filtering, string found)
    {
        Needs.Network("turnserver", "turnutils_natdiscovery", "ping", "ss");
        const string SecondAddress = "192.0.2.11";
        using var network = new NatNetwork(PortKind.Raw, filtering);
        using var folder = new TemporaryFolder();
        network.Near.Do("ip", "address", "add", $"{SecondAddress}/24", "dev", network.Near.Interface!);
        using var server = network.Near.Start("turnserver",
            [
            "-n", "--stun-only", "--no-auth", "--no-cli", "--no-tls", "--no-dtls", "--log-file", "stdout", "--pidfile",
            folder["pid"],
            "--db", folder["db"], "-L", $"{network.Near.IPv4}", "-L", SecondAddress]);
        Until.Holds(
            () => network.Near.Do("ss", "-Hlun").Contains($"{SecondAddress}:3479", StringComparison.Ordinal),
            "the server listens");
        network.MeetServers();
        network.A.Do("ping", "-n", "-c", "3", "-i", "0.2", SecondAddress);

        var mapping = network.A.Do("turnutils_natdiscovery", "-m", $"{network.Near.IPv4}");
        Assert.Contains("NAT with Endpoint Independent Mapping", mapping);
        Assert.Contains($"reflexive addr: {Outside}:", mapping);
        // From a port that has not written to the other address yet.
        var filter = network.B.Do("turnutils_natdiscovery", "-f", $"{network.Near.IPv4}");
        Assert.Contains($"NAT with {found}", filter);
    }

    private static RunningCommand Serve(TestHost host, int port, string folder)
    {
        var http = host.Start("python3", ["-u", "-m", "http.server", $"{port}", "--directory", folder]);
        http.WaitForLine("Serving HTTP", Until.Limit, TestContext.Current.CancellationToken);
        return http;
    }

    private static Socket Udp(TestHost host, int port) => host.Inside(() =>
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveTimeout = 60_000,
            SendTimeout = 60_000,
        };
        socket.Bind(new IPEndPoint(IPAddress.Any, port));
        return socket;
    });

    /// <summary>Two hosts on a bridge inside, two on a bridge outside, and the service between the bridges.</summary>
    internal sealed class NatNetwork : IDisposable
    {
        private readonly TestNetwork _network = new();
        private readonly RunningService _run;

        public NatNetwork(PortKind kind, Filtering filtering = Filtering.EndpointIndependent)
        {
            try
            {
                (A, B) = (_network.AddHost("a", "10.0.0.1/24"), _network.AddHost("b", "10.0.0.2/24"));
                (Near, Far) = (_network.AddHost("near", "192.0.2.9/24"), _network.AddHost("far", "192.0.2.10/24"));
                var ports = new[] { Bridge(kind, "in", A, B), Bridge(kind, "out", Near, Far) };
                foreach (var host in new[] { A, B }) host.Do("ip", "route", "add", "default", "via", "10.0.0.254");
                StaticForward[] forward = [StaticForward.Parse("tcp:80=10.0.0.2:8080")];
                var nat = new Nat(
                    IPv4Address.Parse("10.0.0.254"),
                    IPv4Address.Parse(Outside),
                    policy: new NatPolicy { Forward = forward, Filtering = filtering });
                _run = new RunningService(nat, ports, null);
            }
            catch
            {
                _network.Dispose();
                throw;
            }
        }

        public TestHost A { get; }

        public TestHost B { get; }

        public TestHost Near { get; }

        public TestHost Far { get; }

        /// <summary>The lines that a web server has logged so far.</summary>
        public static IEnumerable<string> Log(RunningCommand http) =>
            http.Error.Split('\n', StringSplitOptions.RemoveEmptyEntries);

        /// <summary>The first packet to a neighbour becomes the question for it: those are lost here.</summary>
        public void MeetServers()
        {
            foreach (var server in new[] { Near, Far }) A.Do("ping", "-n", "-c", "3", "-i", "0.2", $"{server.IPv4}");
        }

        public void Dispose()
        {
            try
            {
                _run.Dispose();
            }
            finally
            {
                _network.Dispose();
            }
        }

        /// <summary>A bridge with hosts, and the service's port on it.</summary>
        private Port Bridge(PortKind kind, string name, params TestHost[] hosts)
        {
            var device = _network.Device;
            device.Do("ip", "link", "add", $"br-{name}", "type", "bridge");
            device.Do("ip", "link", "set", $"br-{name}", "up");
            foreach (var host in hosts) device.Do("ip", "link", "set", _network.Connect(host), "master", $"br-{name}");
            if (kind == PortKind.Raw)
            {
                device.Do("ip", "link", "add", name, "type", "veth", "peer", "name", $"{name}-br");
                foreach (var end in new[] { name, $"{name}-br" })
                {
                    device.Do("ethtool", "-K", end, "tx", "off", "rx", "off", "tso", "off", "gso", "off", "gro", "off");
                    device.Do("ip", "link", "set", end, "up");
                }
            }
            var port = device.Inside(() => PortSpecification.Open($"{(kind == PortKind.Raw ? "raw" : "tap")}:{name}"));
            device.Do("ip", "link", "set", kind == PortKind.Raw ? $"{name}-br" : name, "master", $"br-{name}");
            return port;
        }
    }

    /// <summary>A network for each kind of port, made when a test first needs it.</summary>
    public sealed class Networks : IDisposable
    {
        private readonly Dictionary<PortKind, NatNetwork> _networks = [];

        public void Dispose()
        {
            foreach (var network in _networks.Values) network.Dispose();
        }

        internal NatNetwork Over(PortKind kind, params string[] programs)
        {
            Needs.Network(programs);
            if (!_networks.TryGetValue(kind, out var network)) _networks[kind] = network = new NatNetwork(kind);
            return network;
        }
    }
}
