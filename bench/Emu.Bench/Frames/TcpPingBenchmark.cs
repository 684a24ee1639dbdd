using System.Net;
using System.Net.Sockets;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>
/// TcpPing on a packet socket, beside a host of the kernel with a port that listens,
/// on equal pairs of virtual interfaces.
/// </summary>
internal static class TcpPingBenchmark
{
    private const int SourcePorts = 4096;
    private const int FirstSourcePort = 20000;
    private const uint Sequence = 0x0102_0304;
    private const ushort Open = 80;
    private const ushort Closed = 81;
    private const string Client = "10.0.0.1";
    private const string Host = "10.0.0.2";

    private static readonly MacAddress s_clientMac = MacAddress.Parse("02:00:00:00:00:01");
    private static readonly MacAddress s_hostMac = MacAddress.Parse("02:00:00:00:00:fe");

    public static IEnumerable<Ratio> Run(int rounds, double seconds)
    {
        using var kernel = new Side(s_clientMac);
        using var emu = new Side(s_clientMac);
        using var spinning = new Side(s_clientMac);
        using var listening = Listen(kernel);
        string[] arguments = ["--address", Host, "--mac", $"{s_hostMac}", "--listen", $"{Open}"];
        emu.Serve("TcpPing", [], arguments);
        spinning.Serve("TcpPing", Comparison.Spin, arguments);

        var comparison = new Comparison(rounds, seconds, 1, emu, spinning, ("kernel", kernel));
        foreach (var (port, name, flags) in new[]
        {
            (Open, "an open", Packet.Syn | Packet.Ack),
            (Closed, "a closed", Packet.Rst | Packet.Ack),
        })
        {
            var syns = Enumerable.Range(FirstSourcePort, SourcePorts).Select(from => Syn((ushort)from, port));
            var exchange = new Exchange(Syn(FirstSourcePort, port), Answer(port, flags));
            foreach (var ratio in comparison.Rates($"TCP, SYN to {name} port", syns)) yield return ratio;
            foreach (var ratio in comparison.Delays($"TCP, SYN to {name} port", exchange)) yield return ratio;
        }
    }

    /// <summary>
    /// The kernel at its best: cookies for every SYN (tcp(7)), so that it keeps nothing of a connection
    /// that nobody completes.
    /// </summary>
    private static Socket Listen(Side side)
    {
        side.Address(s_hostMac, Host);
        side.Know(0, Client, s_clientMac);
        side.Set("net/core/somaxconn", SourcePorts);
        side.Set("net/ipv4/tcp_max_syn_backlog", SourcePorts);
        side.Set("net/ipv4/tcp_syncookies", 2);
        return side.Device.Inside(() =>
        {
            var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            socket.Bind(new IPEndPoint(IPAddress.Any, Open));
            socket.Listen(SourcePorts);
            return socket;
        });
    }

    private static byte[] Syn(ushort from, ushort to) => Packet.Ethernet(s_clientMac, s_hostMac)
        .IPv4(IPv4Address.Parse(Client), IPv4Address.Parse(Host))
        .Tcp(from, to, Sequence, flags: Packet.Syn).PaddedTo(60);

    /// <summary>Any sequence number and header length; the SYN acknowledged, and these flags.</summary>
    private static string Answer(ushort port, int flags) => Exchange.Form(
        $"{s_clientMac.Bits:x12}{s_hostMac.Bits:x12}", 6, Host, Client,
        $"{port:x4}{FirstSourcePort:x4}........{Sequence + 1:x8}..{flags:x2}");
}
