using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Spreads requests of a text protocol over servers by the key that they name, "get key" or "set key …", hashed as
/// their clients hash it (FNV-1a, 32 bits).
/// </summary>
public sealed class HashSharder(ushort port = 11211, int servers = 3) : Service
{
    private const uint Basis = 2166136261, Prime = 16777619;

    public Counter Requests { get; } = new();

    public Counter Other { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp))
            return;
        if (frame.Ingress.Index != 0)
        {
            frame.ForwardTo(new PortId(0));
            return;
        }
        var text = udp.Payload;
        if (udp.DestinationPort != port || text.Length < 5 || !(text.StartsWith("get "u8) || text.StartsWith("set "u8)))
        {
            Other.Increment();
            return;
        }
        var hash = Basis;
        foreach (var octet in text[4..])
        {
            if (octet is (byte)' ' or (byte)'\r') break;
            hash = (hash ^ octet) * Prime;
        }
        Requests.Increment();
        frame.ForwardTo(new PortId(1 + (int)(hash % (uint)servers)));
    }
}
