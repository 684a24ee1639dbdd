using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A firewall's helper for FTP (RFC 959): what a client inside says by PORT opens a way for the data connection to it,
/// for a minute; no others come in.
/// </summary>
public sealed class FtpHelper : Service
{
    private const ushort Control = 21, Data = 20;

    private readonly record struct Hole(IPv4Address Client, ushort Port) : ITableKey<Hole>
    {
        public static int Width => 48;

        public UInt128 KeyBits => (UInt128)Client.Bits << 16 | Port;
    }

    private readonly AgeingTable<Hole, byte> _holes = new(512, 60, 9);

    public Counter Opened { get; } = new();

    public Counter Refused { get; } = new();

    public Counter Malformed { get; } = new();

    public override void Process(ref Frame frame)
    {
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp))
            return;
        if (frame.Ingress.Index == 0)
        {
            // From inside everything goes out.
            if (tcp.DestinationPort == Control && tcp.Payload.StartsWith("PORT "u8))
            {
                if (!TryParse(tcp.Payload[5..], out var address, out var port) || address != ip.Source)
                {
                    Malformed.Increment();
                    return;
                }
                _holes.Set(new Hole(address, port), 1, frame.Seconds);
                Opened.Increment();
            }
            frame.ForwardTo(new PortId(1));
            return;
        }
        if (tcp.SourcePort == Data && tcp.IsSyn
            && !_holes.TryGet(new Hole(ip.Destination, tcp.DestinationPort), frame.Seconds, out _))
        {
            Refused.Increment();
            return;
        }
        frame.ForwardTo(new PortId(0));
    }

    /// <summary>Reads h1,h2,h3,h4,p1,p2 and the end of the line.</summary>
    private static bool TryParse(ReadOnlySpan<byte> text, out IPv4Address address, out ushort port)
    {
        address = default;
        port = 0;
        ulong all = 0;
        var at = 0;
        for (var i = 0; i < 6; i++)
        {
            if (!TryReadByte(text, ref at, out var number)) return false;
            all = all << 8 | number;
            if (at >= text.Length || text[at] != (i < 5 ? (byte)',' : (byte)'\r')) return false;
            at++;
        }
        address = new IPv4Address((uint)(all >> 16));
        port = (ushort)all;
        return true;
    }

    private static bool TryReadByte(ReadOnlySpan<byte> text, ref int at, out byte number)
    {
        number = 0;
        var value = 0;
        var first = at;
        while (at < text.Length && text[at] is >= (byte)'0' and <= (byte)'9')
        {
            value = value * 10 + text[at] - '0';
            if (value > 255) return false;
            at++;
        }
        number = (byte)value;
        return at > first;
    }
}
