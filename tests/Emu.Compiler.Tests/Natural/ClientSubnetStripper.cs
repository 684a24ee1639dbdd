using Emu.Protocols;

namespace Emu.Compiler.Tests;

/// <summary>
/// Takes the client subnet out of DNS queries (RFC 7871 §11.1: it tells servers where a user is), so that the option is
/// gone, and lengths and checksums are right again.
/// </summary>
/// <remarks>
/// Port 0 is the clients' side, port 1 that of the resolvers. Only queries of one question over UDP and IPv4 are looked
/// at; the OPT record has to be the first additional one, as resolvers write it.
/// </remarks>
/// <param name="dropMalformed">True if queries whose options do not fit into their record are dropped.</param>
public sealed class ClientSubnetStripper(bool dropMalformed = true) : Service
{
    private const ushort OptType = 41;
    private const ushort ClientSubnet = 8;
    private const int RecordHeader = 11; // a root name, type, class, TTL, length
    private const int LongestName = 255;

    /// <summary>Queries that lost the option.</summary>
    public Counter Stripped { get; } = new();

    /// <summary>Queries that did not have it.</summary>
    public Counter Plain { get; } = new();

    /// <summary>Queries whose names or options are broken.</summary>
    public Counter Malformed { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        frame.ForwardTo(new PortId(frame.Ingress.Index ^ 1));
        if (frame.Ingress.Index != 0) return;
        var ethernet = new Ethernet(frame);
        if (ethernet.EtherType != EtherType.IPv4 || !IPv4.TryParse(ethernet.Payload, out var ip) || ip.IsFragment
            || ip.Protocol != IPProtocol.Udp || !Udp.TryParse(ip.Payload, out var udp)
            || udp.DestinationPort != Dns.Port || !Dns.TryParse(udp.Payload, out var dns)
            || dns.IsResponse || dns.QuestionCount != 1)
            return;

        if (dns.AnswerCount != 0 || dns.AuthorityCount != 0 || dns.AdditionalCount == 0)
        {
            Plain.Increment();
            return;
        }
        if (!TryFind(dns.Payload, out var record, out var option, out var length))
        {
            Malformed.Increment();
            if (dropMalformed) frame.Drop();
        }
        else if (length == 0)
        {
            Plain.Increment();
        }
        else
        {
            var sections = Ethernet.HeaderLength + ip.HeaderLength + Udp.HeaderLength + Dns.HeaderLength;
            Strip(ref frame, sections + record, sections + option, length);
            Stripped.Increment();
        }
    }

    /// <summary>Finds the record of options behind the question, and the client subnet in it.</summary>
    /// <param name="sections">The sections of the message.</param>
    /// <param name="record">Where the OPT record begins.</param>
    /// <param name="option">Where the option begins.</param>
    /// <param name="length">The bytes of the option with its header; 0 if there is none.</param>
    /// <returns>False if the message is broken.</returns>
    private static bool TryFind(Span<byte> sections, out int record, out int option, out int length)
    {
        (record, option, length) = (0, 0, 0);
        var name = 0;
        while (name < sections.Length && sections[name] != 0)
        {
            if (sections[name] > 63 || name > LongestName) return false;
            name += 1 + sections[name];
        }
        record = name + 1 + 4;
        if (record + RecordHeader > sections.Length) return false;
        if (sections[record] != 0 || sections.GetUInt16(record + 1) != OptType) return true;

        var at = record + RecordHeader;
        var end = at + sections.GetUInt16(record + 9);
        if (end > sections.Length) return false;
        while (at < end)
        {
            if (at + 4 > end) return false;
            var size = 4 + sections.GetUInt16(at + 2);
            if (at + size > end) return false;
            if (sections.GetUInt16(at) == ClientSubnet)
            {
                (option, length) = (at, size);
                return true;
            }
            at += size;
        }
        return true;
    }

    private static void Strip(ref Frame frame, int record, int option, int length)
    {
        var bytes = frame.Bytes;
        bytes.SetUInt16(record + 9, (ushort)(bytes.GetUInt16(record + 9) - length));

        var ethernet = new Ethernet(frame);
        if (!IPv4.TryParse(ethernet.Payload, out var ip) || !Udp.TryParse(ip.Payload, out var udp)) return;
        ip.TotalLength = (ushort)(ip.TotalLength - length);
        udp.Length = (ushort)(udp.Length - length);
        ip.WriteHeaderChecksum();
        frame.Remove(option, length);
        if (frame.Length < Ethernet.MinFrameLength) frame.Resize(Ethernet.MinFrameLength);

        ethernet = new Ethernet(frame);
        if (IPv4.TryParse(ethernet.Payload, out ip) && Udp.TryParse(ip.Payload, out udp) && udp.Checksum != 0)
            udp.WriteChecksum(ip);
    }
}
