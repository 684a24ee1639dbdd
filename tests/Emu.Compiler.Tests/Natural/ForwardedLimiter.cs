using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Limits requests of HTTP that come by a proxy, for each client: its address is what X-Forwarded-For names first.
/// </summary>
public sealed class ForwardedLimiter(ushort port = 80, int rate = 1000, int burst = 50) : Service
{
    private readonly TokenBuckets _buckets = new(1024, rate, burst);
    private readonly H3Hash _hash = new(32, 10, 77);

    public Counter Requests { get; } = new();

    public Counter Limited { get; } = new();

    public Counter Unnamed { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp) || tcp.DestinationPort != port)
            return;
        var request = tcp.Payload;
        if (!request.StartsWith("GET "u8) && !request.StartsWith("POST "u8)) return;
        Requests.Increment();
        var name = "\r\nX-Forwarded-For: "u8;
        var start = request.IndexOf(name);
        if (start < 0)
        {
            Unnamed.Increment();
            return;
        }
        if (!TryReadAddress(request[(start + name.Length)..], out var client))
        {
            Malformed.Increment();
            frame.Drop();
            return;
        }
        if (_buckets.TryTake(_hash.Index(client.KeyBits), 1, frame.Time)) return;
        Limited.Increment();
        frame.Drop();
    }

    /// <summary>Reads an address in dotted decimal.</summary>
    private static bool TryReadAddress(ReadOnlySpan<byte> text, out IPv4Address address)
    {
        address = default;
        uint bits = 0, part = 0;
        int digits = 0, parts = 0;
        foreach (var c in text)
        {
            if (c is >= (byte)'0' and <= (byte)'9')
            {
                part = part * 10 + (uint)(c - '0');
                digits++;
                if (digits > 3 || part > 255) return false;
            }
            else
            {
                if (digits == 0) return false;
                bits = bits << 8 | part;
                parts++;
                part = 0;
                digits = 0;
                if (parts == 4) break;
                if (c != '.') return false;
            }
        }
        if (parts != 4) return false;
        address = new IPv4Address(bits);
        return true;
    }
}
