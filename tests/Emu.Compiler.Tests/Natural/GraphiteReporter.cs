using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Joins its ports as a hub does, and reports packets and bytes of each port in turn to a Graphite server, in the
/// plaintext protocol: lines of a path, a value and the time in seconds, separated by blanks.
/// </summary>
/// <param name="mac">Whom the reports are from.</param>
/// <param name="address">The same as an IP address.</param>
/// <param name="serverMac">The server.</param>
/// <param name="server">Its address.</param>
/// <param name="serverPort">The port of the server.</param>
/// <param name="intervalMilliseconds">The time between two reports.</param>
/// <param name="prefix">What the paths begin with.</param>
public sealed class GraphiteReporter(
    MacAddress mac, IPv4Address address, MacAddress serverMac, IPv4Address server, int serverPort = 3,
    int intervalMilliseconds = 1000, string prefix = "emu.hub") : Service
{
    private const ushort Port = 2003;
    private const int Ports = 4;
    private const int TextOffset = Ethernet.HeaderLength + IPv4.MinHeaderLength + Udp.HeaderLength;
    private const int MaxText = 256;

    private readonly byte[] _prefix = System.Text.Encoding.ASCII.GetBytes(prefix + ".port");
    private readonly ulong[] _packets = new ulong[Ports];
    private readonly ulong[] _bytes = new ulong[Ports];
    private int _port;

    /// <inheritdoc/>
    public override ulong TickInterval => (ulong)intervalMilliseconds * 1_000_000;

    /// <summary>Frames that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Reports sent.</summary>
    public Counter Reports { get; } = new();

    /// <summary>Ticks at which there was nothing to report.</summary>
    public Counter Idle { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        var port = frame.Ingress.Index;
        if (port < Ports)
        {
            _packets[port]++;
            _bytes[port] += (ulong)frame.Length;
        }
        Passed.Increment();
        frame.Flood();
    }

    /// <inheritdoc/>
    public override void Tick(ref Frame frame)
    {
        var port = _port;
        _port = (_port + 1) % Ports;
        if (_packets[port] == 0)
        {
            Idle.Increment();
            return;
        }

        frame.Resize(TextOffset + MaxText);
        var text = frame.Bytes[TextOffset..];
        var length = WriteLine(text, 0, port, ".packets "u8, _packets[port], frame.Seconds);
        length = WriteLine(text, length, port, ".bytes "u8, _bytes[port], frame.Seconds);
        _packets[port] = 0;
        _bytes[port] = 0;

        frame.Resize(TextOffset + length);
        WriteHeaders(ref frame);
        frame.Send(PortSet.Of(new PortId(serverPort)));
        Reports.Increment();
    }

    private int WriteLine(Span<byte> text, int at, int port, ReadOnlySpan<byte> name, ulong value, ulong seconds)
    {
        _prefix.CopyTo(text[at..]);
        at += _prefix.Length;
        text[at++] = (byte)('0' + port);
        name.CopyTo(text[at..]);
        at = WriteNumber(text, at + name.Length, value);
        text[at++] = (byte)' ';
        at = WriteNumber(text, at, seconds);
        text[at++] = (byte)'\n';
        return at;
    }

    /// <summary>Writes a number in decimal.</summary>
    /// <returns>The offset behind it.</returns>
    private static int WriteNumber(Span<byte> text, int at, ulong value)
    {
        var digits = 1;
        for (var rest = value; rest >= 10; rest /= 10) digits++;
        for (var i = digits - 1; i >= 0; i--)
        {
            text[at + i] = (byte)('0' + value % 10);
            value /= 10;
        }
        return at + digits;
    }

    private void WriteHeaders(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        ethernet.Destination = serverMac;
        ethernet.Source = mac;
        ethernet.EtherType = EtherType.IPv4;
        if (!IPv4.TryInitialize(ethernet.Payload, out var ip)) return;
        ip.Ttl = IPv4.DefaultTtl;
        ip.Protocol = IPProtocol.Udp;
        ip.Source = address;
        ip.Destination = server;
        ip.WriteHeaderChecksum();
        if (!Udp.TryInitialize(ip.Payload, out var udp)) return;
        udp.SourcePort = Port;
        udp.DestinationPort = Port;
        udp.WriteChecksum(ip);
    }
}
