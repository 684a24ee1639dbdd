namespace Emu.Protocols.Tests;

public sealed class TcpTests
{
    [Fact]
    public void A_syn_is_read()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.TcpSyn).Payload);
        var tcp = View.Tcp(ip.Payload);
        Assert.Equal((1024, 80, 40, 64240), (tcp.SourcePort, tcp.DestinationPort, tcp.HeaderLength, tcp.Window));
        Assert.Equal((1u, 0u), (tcp.SequenceNumber, tcp.AcknowledgmentNumber));
        Assert.Equal(TcpFlags.Syn, tcp.Flags);
        Assert.True(tcp.IsSyn && !tcp.IsAck && !tcp.IsFin && !tcp.IsRst);
        Assert.Equal(0, tcp.Payload.Length);
        Assert.True(tcp.HasValidChecksum(ip));
    }

    [Fact]
    public void The_options_of_a_syn_are_read_in_order()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.TcpSyn).Payload);
        var tcp = View.Tcp(ip.Payload);
        var options = tcp.Options;
        Assert.True(options.MoveNext() && options.TryReadMaximumSegmentSize(out var size) && size == 1460);
        Assert.True(options.MoveNext() && options.IsSackPermitted);
        Assert.True(options.MoveNext() && options.TryReadTimestamps(out var value, out var echoReply)
            && value == 7 && echoReply == 0);
        Assert.True(options.MoveNext() && options.Kind == TcpOptionKind.NoOperation);
        Assert.True(options.MoveNext() && options.TryReadWindowScale(out var shift) && shift == 7);
        Assert.False(options.MoveNext());
        Assert.False(options.IsMalformed);
    }

    [Fact]
    public void An_option_is_not_taken_for_another_nor_read_at_a_wrong_length()
    {
        var options = WithOptions("0203aa 0304aaaa 040300 0806aaaaaaaa 00");
        var steps = 0;
        while (options.MoveNext())
        {
            steps++;
            Assert.False(options.TryReadMaximumSegmentSize(out _)
                || options.TryReadWindowScale(out _) || options.TryReadTimestamps(out _, out _));
            Assert.False(options.IsSackPermitted);
        }
        Assert.Equal(4, steps);
    }

    [Theory]
    [InlineData(TcpFlags.None, 0, 0)]
    [InlineData(TcpFlags.Syn, 0, 1)]
    [InlineData(TcpFlags.Fin | TcpFlags.Ack, 0, 1)]
    [InlineData(TcpFlags.Syn | TcpFlags.Fin | TcpFlags.Psh | TcpFlags.Urg, 3, 5)]
    [InlineData(TcpFlags.Rst | TcpFlags.Ack, 1, 1)]
    public void Data_SYN_and_FIN_take_sequence_numbers(TcpFlags flags, int data, int length)
    {
        Assert.True(Tcp.TryInitialize(new byte[24 + data], out var tcp, 24));
        tcp.Flags = flags;
        Assert.Equal(length, tcp.SegmentLength);
    }

    [Fact]
    public void The_checksum_is_written_as_it_is_verified()
    {
        var ip = View.IPv4(new Ethernet(KnownFrames.TcpSyn).Payload);
        var tcp = View.Tcp(ip.Payload);
        tcp.Flags |= TcpFlags.Ack;
        Assert.False(tcp.HasValidChecksum(ip));
        tcp.WriteChecksum(ip);
        Assert.True(tcp.HasValidChecksum(ip));
        Assert.Equal(0x34A5, tcp.Checksum);
    }

    [Theory]
    [InlineData("data offset 4", 0x40, 40)]
    [InlineData("data offset beyond the bytes", 0xB0, 40)]
    [InlineData("cut short", 0x50, 19)]
    public void A_segment_whose_header_does_not_fit_is_refused(string what, byte dataOffset, int length)
    {
        var segment = KnownFrames.TcpSyn[34..];
        segment[12] = dataOffset;
        Assert.False(Tcp.TryParse(segment.AsSpan(0, length), out _), what);
    }

    [Theory]
    [InlineData(16, 100)]
    [InlineData(22, 100)]
    [InlineData(64, 100)]
    [InlineData(24, 23)]
    public void A_header_is_not_begun_where_it_does_not_fit(int headerLength, int length) =>
        Assert.False(Tcp.TryInitialize(new byte[length], out _, headerLength));

    private static TcpOptions WithOptions(string options)
    {
        var bytes = KnownFrames.Hex(options);
        Assert.True(Tcp.TryInitialize(new byte[60], out var tcp, 60));
        bytes.CopyTo(tcp.OptionBytes);
        return tcp.Options;
    }
}
