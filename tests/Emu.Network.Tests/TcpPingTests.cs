using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text.RegularExpressions;
using Emu.Services;
using Emu.Testing;

namespace Emu.Network.Tests;

/// <summary>The field's probes find a TCP host in the service, and the same one as in the kernel.</summary>
public sealed partial class TcpPingTests(TcpPingTests.Networks networks) : IClassFixture<TcpPingTests.Networks>
{
    private const string Address = "10.0.0.77", Address6 = "fd00::77";
    private const int Open = 80, Closed = 81;
    private const ushort AskedFrom = 20_000;

    private static readonly MacAddress s_mac = MacAddress.Parse("02:00:00:00:00:77");

    public static TheoryData<PortKind> Kinds => [.. Enum.GetValues<PortKind>()];

    public static MatrixTheoryData<PortKind, string> KindsAndScans =>
        new(Enum.GetValues<PortKind>(), ["-sS", "-sA", "-sN", "-sX", "-sF", "-sM", "-sW"]);

    [Theory, MemberData(nameof(KindsAndScans))]
    public void A_scan_finds_what_it_finds_of_the_kernel(PortKind kind, string scan)
    {
        var service = Scan(networks.Over(kind, "nmap").Hosts[0], scan, Address);
        Assert.Equal(Scan(networks.Kernel.Hosts[0], scan, "10.0.0.2"), service);
        var (open, closed) = scan switch
        {
            "-sS" => ("open", "closed"),
            "-sA" => ("unfiltered", "unfiltered"),
            "-sN" or "-sX" or "-sF" => ("open|filtered", "closed"),
            _ => ("closed", "closed"), // a FIN with ACK is reset by both; the window of a reset is 0
        };
        Assert.Equal([$"80/tcp {open}", $"81/tcp {closed}"], service);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void A_scan_over_IPv6_finds_the_open_port(PortKind kind) =>
        Assert.Equal(
            ["80/tcp open", "81/tcp closed"], Scan(networks.Over(kind, "nmap").Hosts[0], "-sS", Address6, "-6"));

    [Theory, MemberData(nameof(Kinds))]
    public void A_scan_of_every_port_finds_one_open(PortKind kind)
    {
        var output = Do(networks.Over(kind, "nmap").Hosts[0], "nmap", "-n", "-Pn", "-sS", "-T5", "-p-", Address);
        Assert.Equal(["80/tcp open"], PortLine().Matches(output).Select(m => m.Value));
        Assert.Contains("65534 closed", output);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Nping_times_the_handshake(PortKind kind)
    {
        var output = Do(
            networks.Over(kind, "nping").Hosts[0], "nping", "--tcp", "--flags", "syn", "-c", "3", "--delay", "50ms",
            "-p", $"{Open}", Address);
        Assert.Equal(3, Regex.Count(output, @"RCVD .* TCP \[?10\.0\.0\.77:80 > .* SA ttl=64"));
        Assert.Contains("Lost: 0", output);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Hping3_times_the_handshake_and_the_reset(PortKind kind)
    {
        var host = networks.Over(kind, "hping3").Hosts[0];
        Assert.Equal(3, Regex.Count(Hping(Open), @"ttl=64 DF id=0 sport=80 flags=SA seq=\d win=0 rtt="));
        Assert.Equal(3, Regex.Count(Hping(Closed), @"ttl=64 DF id=0 sport=81 flags=RA seq=\d win=0 rtt="));
        string Hping(int port) => Do(host, "hping3", "-S", "-n", "-c", "3", "-i", "u50000", "-p", $"{port}", Address);
    }

    [Theory, MemberData(nameof(Kinds))]
    public void Tcptraceroute_arrives_in_one_hop(PortKind kind)
    {
        var host = networks.Over(kind, "tcptraceroute").Hosts[0];
        Assert.Matches(
            @"(?m)^ 1  10\.0\.0\.77 \[open\] ",
            Do(host, "tcptraceroute", "-n", "-m", "3", "-w", "2", "-q", "1", Address, $"{Open}"));
        Assert.Matches(
            @"(?m)^ 1  10\.0\.0\.77 \[closed\] ",
            Do(host, "tcptraceroute", "-n", "-m", "3", "-w", "2", "-q", "1", Address, $"{Closed}"));
    }

    [Theory, MemberData(nameof(Kinds))]
    public void The_kernel_connects_and_is_reset_then(PortKind kind)
    {
        var host = networks.Over(kind).Hosts[0];
        foreach (var address in new[] { Address, Address6 })
        {
            // which can only be where there was a connection
            Assert.Equal(SocketError.ConnectionReset, EndOf(address, Open));
            Assert.Equal(SocketError.ConnectionRefused, EndOf(address, Closed));
        }

        SocketError EndOf(string address, int port) => host.Inside(() =>
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp)
            {
                ReceiveTimeout = 60_000,
                SendTimeout = 60_000,
            };
            return Assert.Throws<SocketException>(() =>
            {
                socket.Connect(IPAddress.Parse(address), port);
                socket.Receive(new byte[1]);
            }).SocketErrorCode;
        });
    }

    [Theory, MemberData(nameof(Kinds))]
    public void The_kernel_connects_every_time_where_handshakes_are_completed(PortKind kind)
    {
        Needs.Network("curl");
        var service = new TcpPing(
            IPv4Address.Parse(Address), s_mac, IPv6Address.Parse(Address6), [Open], completeHandshakes: true);
        using var network = new ServiceNetwork(kind, service, 1);
        var host = network.Hosts[0];
        const int times = 20;
        foreach (var address in new[] { Address, Address6 })
        {
            for (var i = 0; i < times; i++) Assert.Equal(SocketError.Success, EndOf(address, Open, request: []));
            Assert.Equal(SocketError.ConnectionReset, EndOf(address, Open, "GET / HTTP/1.0\r\n\r\n"u8.ToArray()));
            Assert.Equal(SocketError.ConnectionRefused, EndOf(address, Closed, request: []));
        }
        const int refused = 7, receiveError = 56;
        Assert.Equal(receiveError, Curl(Open));
        Assert.Equal(refused, Curl(Closed));
        Assert.Equal(2UL * times + 3, network.Look().Counters["Handshakes"]);

        int Curl(int port) =>
            host.Run(
                "curl",
                ["-s", "-m", "20", $"http://{Address}:{port}/"],
                Until.Limit,
                TestContext.Current.CancellationToken).ExitCode;

        SocketError EndOf(string address, int port, byte[] request) => host.Inside(() =>
        {
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 5000 };
            try
            {
                socket.Connect(IPAddress.Parse(address), port);
                if (request.Length == 0) return SocketError.Success;
                socket.Send(request);
                socket.Receive(new byte[1]);
                return SocketError.Success;
            }
            catch (SocketException refusal)
            {
                return refusal.SocketErrorCode;
            }
        });
    }

    [Theory, MemberData(nameof(Kinds))]
    public void IP_options_and_extension_headers_are_answered_or_not_as_by_the_kernel(PortKind kind)
    {
        var client = networks.Over(kind).Hosts[0];
        var (asker, host) = (networks.Kernel.Hosts[0], networks.Kernel.Hosts[1]);
        byte[][] options =
        [
            [1, 1, 1, 1], [0, 0, 0, 0], [0x9E, 4, 5, 6], [1, 0x5E, 2, 1], [148, 4, 0, 0], [7, 7, 4, 0, 0, 0, 0, 1],
            [68, 8, 5, 0, 0, 0, 0, 0], [1, 131, 7, 8, 10, 0, 0, 9], [1, 137, 7, 8, 10, 0, 0, 9], [0x9E, 0, 0, 0],
            [0x9E, 1, 0, 0], [1, 0x9E, 4, 0], [1, 1, 1, 0x9E],
        ];
        foreach (var option in options)
        {
            var expected = IsAnswered(asker, host.Mac, Over4(asker, host.Mac, host.IPv4!.Value, option));
            var answered = IsAnswered(client, s_mac, Over4(client, s_mac, IPv4Address.Parse(Address), option));
            Assert.True(expected == answered, Convert.ToHexString(option));
        }
        (byte First, string Headers)[] extensions =
        [
            (0, "0600010400000000"), (0, "06001e0100 3e0100"), (0, "0600050200000100"), (60, "06001e0401020304"),
            (0, "06005e0400000000"), (0, "06009e0400000000"), (60, "0600de0400000000"), (0, "06001e0500000000"),
            (60, "0604010400000000"), (44, "0600000000000007"), (44, "0600000100000009"),
            (0, "2c00010400000000 3c00000000000007 0600010400000000"), (60, "0000010400000000 0600010400000000"),
            (43, "06020000 00000000 fd000000 00000000 00000000 00000009"),
            (43, "06020001 00000000 fd000000 00000000 00000000 00000009"),
            (51, "060400000000000100000001 000000000000000000000000"), (0, "fd00010400000000"),
        ];
        foreach (var (first, headers) in extensions)
        {
            var expected = IsAnswered(asker, host.Mac, Over6(asker, host.Mac, host.IPv6!.Value, first, headers));
            var answered = IsAnswered(client, s_mac, Over6(client, s_mac, IPv6Address.Parse(Address6), first, headers));
            Assert.True(expected == answered, $"{first}: {headers}");
        }
    }

    private static byte[] Over4(TestHost from, MacAddress mac, IPv4Address to, byte[] options) =>
        Packet.Ethernet(from.Mac, mac).IPv4(from.IPv4!.Value, to, options: options)
            .Tcp(AskedFrom, Closed, 7, flags: Packet.Syn).ToArray();

    private static byte[] Over6(TestHost from, MacAddress mac, IPv6Address to, byte first, string headers)
    {
        var inserted = Convert.FromHexString(headers.Replace(" ", "", StringComparison.Ordinal));
        var ethernet = Packet.Ethernet(from.Mac, mac);
        var whole = ethernet.IPv6(from.IPv6!.Value, to).Tcp(AskedFrom, Closed, 7, flags: Packet.Syn).ToArray();
        byte[] payload = [.. inserted, .. whole[54..]];
        return ethernet.IPv6(from.IPv6!.Value, to, nextHeader: first).Payload(payload).ToArray();
    }

    /// <summary>True if a SYN to the closed port is answered before another one behind it, which always is.</summary>
    private static bool IsAnswered(TestHost from, MacAddress mac, byte[] request)
    {
        const ushort behind = AskedFrom + 1;
        using var station = new Station(from);
        station.Send(request);
        var isIPv6 = request[12] == 0x86;
        var to = request.AsSpan(isIPv6 ? 38 : 30, isIPv6 ? 16 : 4);
        var ethernet = Packet.Ethernet(from.Mac, mac);
        var ip = isIPv6
            ? ethernet.IPv6(from.IPv6!.Value, new IPv6Address(BinaryPrimitives.ReadUInt128BigEndian(to)))
            : ethernet.IPv4(from.IPv4!.Value, new IPv4Address(BinaryPrimitives.ReadUInt32BigEndian(to)));
        station.Send(ip.Tcp(behind, Closed, 7, flags: Packet.Syn).ToArray());
        Until.Holds(() => station.Received.Any(frame => IsReset(frame, behind)), "the closed port answers");
        return station.Received.Any(frame => IsReset(frame, AskedFrom));

        bool IsReset(byte[] frame, ushort port)
        {
            var ports = isIPv6 ? 54 : 14 + 4 * (frame[14] & 15); // the kernel repeats routes and times
            return frame.Length >= ports + 20 && frame[isIPv6 ? 20 : 23] == 6
                && BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(ports)) == Closed
                && BinaryPrimitives.ReadUInt16BigEndian(frame.AsSpan(ports + 2)) == port;
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public void A_SYN_with_malformed_options_is_answered_as_by_the_kernel(PortKind kind)
    {
        var (client, kernel) = (networks.Over(kind).Hosts[0], networks.Kernel);
        foreach (var options in new byte[][] { [2, 0, 0, 0], [2, 1, 0, 0], [8, 10, 0, 0], [1, 1, 1, 8] })
        {
            foreach (var port in new ushort[] { Open, Closed })
            {
                var expected = Answer(kernel.Hosts[0], kernel.Hosts[1].Mac, kernel.Hosts[1].IPv4!.Value, port, options);
                Assert.Equal(port == Open ? Packet.Syn | Packet.Ack : Packet.Rst | Packet.Ack, expected);
                Assert.Equal(expected, Answer(client, s_mac, IPv4Address.Parse(Address), port, options));
            }
        }
    }

    /// <summary>The flags of what answers a SYN.</summary>
    private static byte Answer(TestHost from, MacAddress mac, IPv4Address address, ushort port, byte[] options)
    {
        const int ProtocolOffset = 23, PortsOffset = 34, FlagsOffset = 47;
        const ushort OwnPort = 20_000;
        using var station = new Station(from);
        station.Send(Packet.Ethernet(from.Mac, mac)
            .IPv4(from.IPv4!.Value, address).Tcp(OwnPort, port, 7, flags: Packet.Syn, options: options).ToArray());
        byte[]? answer = null;
        Until.Holds(() => (answer = station.Received.FirstOrDefault(IsAnswer)) is not null, $"port {port} answers");
        return answer![FlagsOffset];

        bool IsAnswer(byte[] frame) =>
            frame[ProtocolOffset] == 6 && frame[PortsOffset..(PortsOffset + 4)] is [var a, var b, var c, var d]
            && (a << 8 | b) == port && (c << 8 | d) == OwnPort;
    }

    private static string[] Scan(TestHost host, string scan, string address, params string[] options)
    {
        string[] limits = ["-p", $"{Open},{Closed}", "-T5", "--host-timeout", "30m"];
        var output = Do(host, "nmap", ["-n", "-Pn", scan, .. options, .. limits, address]);
        return [.. PortLine().Matches(output).Select(match => match.Value)];
    }

    /// <summary>Both outputs: hping3 counts its replies on standard error.</summary>
    private static string Do(TestHost host, string program, params string[] arguments)
    {
        var result = host.Run(program, arguments, Until.Limit, TestContext.Current.CancellationToken).EnsureSuccess();
        return result.Output + result.Error;
    }

    [GeneratedRegex(@"^\d+/tcp +[a-z|]+", RegexOptions.Multiline)]
    private static partial Regex PortLine();

    /// <summary>
    /// The service at one kernel host over each kind of port, and two kernel hosts, the second listening;
    /// made when a test first needs them.
    /// </summary>
    public sealed class Networks : IDisposable
    {
        private readonly Dictionary<PortKind, ServiceNetwork> _networks = [];
        private TestNetwork? _kernel;
        private Socket? _listener;

        internal TestNetwork Kernel
        {
            get
            {
                if (_kernel is not null) return _kernel;
                _kernel = new TestNetwork();
                var client = _kernel.AddHost("h1", "10.0.0.1/24", "fd00::1/64");
                _kernel.Connect(client, _kernel.AddHost("h2", "10.0.0.2/24", "fd00::2/64"));
                _listener = _kernel.Hosts[1].Inside(() =>
                {
                    var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                    socket.Bind(new IPEndPoint(IPAddress.Any, Open));
                    socket.Listen();
                    return socket;
                });
                return _kernel;
            }
        }

        public void Dispose()
        {
            _listener?.Dispose();
            _kernel?.Dispose();
            foreach (var network in _networks.Values) network.Dispose();
        }

        internal ServiceNetwork Over(PortKind kind, params string[] programs)
        {
            Needs.Network(programs);
            if (!_networks.TryGetValue(kind, out var network))
                _networks[kind] = network = new ServiceNetwork(kind, Host(), 1);
            return network;
        }

        private static TcpPing Host() =>
            new(IPv4Address.Parse(Address), s_mac, IPv6Address.Parse(Address6), [Open]);
    }
}
