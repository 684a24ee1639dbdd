using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// A SYN proxy: it answers a SYN with a cookie, a keyed hash of the connection, and lets a connection pass once the
/// client has sent the cookie back.
/// </summary>
internal sealed class SynProxy : Service
{
    private const int Slots = 1024;
    public static UInt128 Key { get; } = new(0x0001_0203_0405_0607, 0x0809_0A0B_0C0D_0E0F);

    private readonly ulong[] _allowed = new ulong[Slots];

    /// <summary>SYNs that were answered.</summary>
    public Counter Answered { get; } = new();

    /// <summary>Connections that were let through.</summary>
    public Counter Opened { get; } = new();

    /// <summary>Segments of connections that are not known.</summary>
    public Counter Refused { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (!Ethernet.TryParse(frame.Bytes, out var ethernet)) return;
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip)) return;
        if (ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp)) return;
        if (Allowed(ip, tcp))
        {
            frame.Flood();
        }
        else if (tcp.Flags == TcpFlags.Syn)
        {
            Answer(ref frame, ethernet, ip, tcp);
        }
        else if (IsCookie(ip, tcp, (uint)frame.Seconds))
        {
            Allow(ip, tcp);
            Opened.Increment();
        }
        else
        {
            Refused.Increment();
        }
    }

    private bool Allowed(IPv4 ip, Tcp tcp)
    {
        var tag = Hash(ip, tcp, 0);
        return _allowed[tag % Slots] == tag;
    }

    private void Allow(IPv4 ip, Tcp tcp)
    {
        var tag = Hash(ip, tcp, 0);
        _allowed[tag % Slots] = tag;
    }

    private static bool IsCookie(IPv4 ip, Tcp tcp, uint seconds)
    {
        var minute = seconds / 64;
        var cookie = tcp.AcknowledgmentNumber - 1;
        return cookie == (uint)Hash(ip, tcp, minute) || minute > 0 && cookie == (uint)Hash(ip, tcp, minute - 1);
    }

    private void Answer(ref Frame frame, Ethernet ethernet, IPv4 ip, Tcp tcp)
    {
        var cookie = (uint)Hash(ip, tcp, (uint)(frame.Seconds / 64));
        (ethernet.Source, ethernet.Destination) = (ethernet.Destination, ethernet.Source);
        (ip.Source, ip.Destination) = (ip.Destination, ip.Source);
        (tcp.SourcePort, tcp.DestinationPort) = (tcp.DestinationPort, tcp.SourcePort);
        tcp.AcknowledgmentNumber = tcp.SequenceNumber + 1;
        tcp.SequenceNumber = cookie;
        tcp.Flags = TcpFlags.Syn | TcpFlags.Ack;
        Answered.Increment();
        frame.Reply();
    }

    private static ulong Hash(IPv4 ip, Tcp tcp, uint minute)
    {
        var addresses = (ulong)ip.Source.Bits << 32 | ip.Destination.Bits;
        var ports = (ulong)tcp.SourcePort << 48 | (ulong)tcp.DestinationPort << 32 | minute;
        return SipHash.Of(Key, addresses, ports);
    }
}
