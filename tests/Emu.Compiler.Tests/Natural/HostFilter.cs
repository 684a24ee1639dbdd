using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Lets requests of HTTP pass to one host alone, and none whose URL is too long; the segments have options, as most do.
/// </summary>
public sealed class HostFilter(int longest = 100) : Service
{
    private const ushort Port = 80;

    public Counter OtherHosts { get; } = new();

    public Counter TooLong { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType == EtherType.IPv4 && IPv4.TryParse(ethernet.Payload, out var ip)
            && ip.Protocol == IPProtocol.Tcp && Tcp.TryParse(ip.Payload, out var tcp) && tcp.DestinationPort == Port
            && tcp.Payload.StartsWith("GET "u8) && !IsAllowed(tcp.Payload[4..]))
            return;
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
    }

    private bool IsAllowed(ReadOnlySpan<byte> request)
    {
        var end = request.IndexOf((byte)' ');
        if (end < 0 || end > longest)
        {
            TooLong.Increment();
            return false;
        }
        if (request.IndexOf("\r\nHost: www.example.org\r\n"u8) >= 0) return true;
        OtherHosts.Increment();
        return false;
    }
}
