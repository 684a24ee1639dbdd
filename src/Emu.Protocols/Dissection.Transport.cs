namespace Emu.Protocols;

/// <content>The transport layer. A checksum is checked only where the pseudo-header is that of the IP
/// header itself.</content>
internal sealed partial class Dissection
{
    private void UdpDatagram(Span<byte> bytes, in IPv4 ip)
    {
        if (UdpHeader(bytes, out var udp)) UdpRest(udp, udp.HasValidChecksum(ip));
    }

    private void UdpDatagram(Span<byte> bytes, in IPv6 ip)
    {
        if (UdpHeader(bytes, out var udp)) UdpRest(udp, udp.HasValidChecksum(ip));
    }

    private bool UdpHeader(Span<byte> bytes, out Udp udp)
    {
        if (!Udp.TryParse(bytes, out udp))
        {
            Malformed("udp", "UDP", bytes);
            return false;
        }
        _line.Append($" UDP {udp.SourcePort} > {udp.DestinationPort} payload {udp.Payload.Length}");
        Add("udp.srcport", udp.SourcePort);
        Add("udp.dstport", udp.DestinationPort);
        Add("udp.length", udp.Length);
        return true;
    }

    private void UdpRest(in Udp udp, bool isValid)
    {
        AddChecksum("udp.checksum", udp.Checksum, isValid, udp.Checksum != 0);
        Payload("udp.payload", udp.Payload);
    }

    private void TcpSegment(Span<byte> bytes, in IPv4 ip)
    {
        if (TcpHeader(bytes, out var tcp)) TcpRest(tcp, tcp.HasValidChecksum(ip));
    }

    private void TcpSegment(Span<byte> bytes, in IPv6 ip)
    {
        if (TcpHeader(bytes, out var tcp)) TcpRest(tcp, tcp.HasValidChecksum(ip));
    }

    private bool TcpHeader(Span<byte> bytes, out Tcp tcp)
    {
        if (!Tcp.TryParse(bytes, out tcp))
        {
            Malformed("tcp", "TCP", bytes);
            return false;
        }
        _line.Append($" TCP {tcp.SourcePort} > {tcp.DestinationPort} [{tcp.Flags}] seq {tcp.SequenceNumber}");
        if (tcp.IsAck) _line.Append($" ack {tcp.AcknowledgmentNumber}");
        _line.Append($" win {tcp.Window} payload {tcp.Payload.Length}");
        Add("tcp.srcport", tcp.SourcePort);
        Add("tcp.dstport", tcp.DestinationPort);
        Add("tcp.seq_raw", tcp.SequenceNumber);
        Add("tcp.ack_raw", tcp.AcknowledgmentNumber);
        Add("tcp.hdr_len", tcp.HeaderLength);
        AddHex("tcp.flags", (uint)tcp.Reserved << 8 | (uint)tcp.Flags, 4);
        Add("tcp.window_size_value", tcp.Window);
        return true;
    }

    private void TcpRest(in Tcp tcp, bool isValid)
    {
        AddChecksum("tcp.checksum", tcp.Checksum, isValid);
        Add("tcp.urgent_pointer", tcp.UrgentPointer);
        TcpOptionList(tcp.Options);
        Payload("tcp.payload", tcp.Payload);
    }

    private void TcpOptionList(TcpOptions options)
    {
        while (options.MoveNext())
        {
            Add("tcp.option_kind", (byte)options.Kind);
            if (options.Kind != TcpOptionKind.NoOperation) Add("tcp.option_len", options.Length);
            if (options.TryReadMaximumSegmentSize(out var size)) Add("tcp.options.mss_val", size);
            else if (options.TryReadWindowScale(out var shift)) Add("tcp.options.wscale.shift", shift);
            else if (options.TryReadTimestamps(out var value, out var echoReply))
            {
                Add("tcp.options.timestamp.tsval", value);
                Add("tcp.options.timestamp.tsecr", echoReply);
            }
            else Payload("tcp.options.data", options.Data);
        }
        if (options.IsMalformed) _fields.Add(("_ws.malformed", "tcp.options"));
    }
}
