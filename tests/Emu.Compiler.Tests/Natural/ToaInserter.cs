using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Tells servers behind a proxy which clients connect: TCP segments that open a connection from port 0 leave by port 1
/// with an option of the client's address and port (TOA of Linux's virtual servers: kind 254, 8 bytes).
/// </summary>
/// <remarks>
/// Such an option that the client has sent itself is overwritten by no-operations: it could name anyone. Segments whose
/// checksum is wrong are dropped, as a new one would look right. What comes by port 1 passes unchanged.
/// </remarks>
/// <param name="port">The TCP port of the servers; 0 for all.</param>
public sealed class ToaInserter(ushort port = 0) : Service
{
    private const byte Kind = 254, NoOperation = 1;
    private const int OptionLength = 8;
    private const int MostOptions = Tcp.MaxHeaderLength - Tcp.MinHeaderLength;

    private static readonly PortId s_clients = new(0), s_servers = new(1);

    /// <summary>Segments that got the option.</summary>
    public Counter Inserted { get; } = new();

    /// <summary>Options of clients that were overwritten.</summary>
    public Counter Forged { get; } = new();

    /// <summary>Segments that had no room for the option.</summary>
    public Counter Full { get; } = new();

    /// <summary>Segments dropped: damaged.</summary>
    public Counter Dropped { get; } = new();

    public override void Process(ref Frame frame)
    {
        if (frame.Ingress == s_servers)
        {
            frame.ForwardTo(s_clients);
            return;
        }
        if (frame.Ingress != s_clients) return;
        frame.ForwardTo(s_servers);
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Tcp || !Tcp.TryParse(ip.Payload, out var tcp) || !tcp.IsSyn || tcp.IsAck
            || port != 0 && tcp.DestinationPort != port)
            return;
        if (!ip.HasValidHeaderChecksum || !tcp.HasValidChecksum(ip) || !TryOverwrite(tcp))
        {
            Dropped.Increment();
            frame.Drop();
            return;
        }
        tcp.WriteChecksum(ip);
        if (tcp.OptionBytes.Length > MostOptions - OptionLength || ip.TotalLength > 1500 - OptionLength)
        {
            Full.Increment();
            return;
        }
        Insert(ref frame, ip.HeaderLength, ip.TotalLength + OptionLength);
        Inserted.Increment();
    }

    /// <summary>Makes no-operations of the options that only this service may put in.</summary>
    /// <returns>False if options are malformed.</returns>
    private bool TryOverwrite(Tcp tcp)
    {
        var options = tcp.OptionBytes;
        for (var at = 0; at < options.Length && options[at] != 0;)
        {
            if (options[at] == NoOperation)
            {
                at++;
                continue;
            }
            if (at + 1 >= options.Length) return false;
            int length = options[at + 1];
            if (length < 2 || at + length > options.Length) return false;
            if (options[at] == Kind)
            {
                options.Slice(at, length).Fill(NoOperation);
                Forged.Increment();
            }
            at += length;
        }
        return true;
    }

    private static void Insert(ref Frame frame, int ipHeader, int total)
    {
        frame.Insert(Ethernet.HeaderLength + ipHeader + Tcp.MinHeaderLength, OptionLength);
        // What was padding of a short frame is not needed any more.
        frame.Resize(Math.Max(Ethernet.HeaderLength + total, Ethernet.MinFrameLength));

        var packet = new Ethernet(frame).Payload;
        packet.SetUInt16(2, (ushort)total);
        packet[ipHeader + 12] += OptionLength / 4 << 4;
        if (!IPv4.TryParse(packet, out var ip) || !Tcp.TryParse(ip.Payload, out var tcp)) return;
        var option = tcp.OptionBytes;
        option[0] = Kind;
        option[1] = OptionLength;
        option.SetUInt16(2, tcp.SourcePort);
        option.SetIPv4Address(4, ip.Source);
        ip.WriteHeaderChecksum();
        tcp.WriteChecksum(ip);
    }
}
