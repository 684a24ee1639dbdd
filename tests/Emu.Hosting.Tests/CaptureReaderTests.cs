namespace Emu.Hosting.Tests;

public sealed class CaptureReaderTests
{
    private static readonly byte[] s_frame = Samples.Frame(1);

    internal static List<TimedFrame> Read(byte[] capture)
    {
        using var reader = CaptureReader.Open(new MemoryStream(capture), "in.pcap");
        var packets = new List<TimedFrame>();
        while (reader.TryRead(out var packet)) packets.Add(new TimedFrame(packet.Bytes.ToArray(), packet.Time));
        return packets;
    }

    [Theory]
    [InlineData(false, 0xA1B2C3D4, 1_000_000_007_000)]
    [InlineData(true, 0xA1B2C3D4, 1_000_000_007_000)]
    [InlineData(false, 0xA1B23C4D, 1_000_000_000_007)]
    [InlineData(true, 0xA1B23C4D, 1_000_000_000_007)]
    public void Pcap_is_read_in_both_byte_orders_and_resolutions(bool isBigEndian, uint magic, ulong time)
    {
        var capture = new CaptureBytes(isBigEndian).PcapHeader(magic).PcapRecord(1000, 7, s_frame).ToArray();
        Samples.AssertSame([new TimedFrame(s_frame, time)], Read(capture));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Pcapng_is_read_in_both_byte_orders_with_every_packet_block(bool isBigEndian)
    {
        var capture = new CaptureBytes(isBigEndian).Section()
            .Block(0x0BAD, b => b.U32(5))
            .Interface()
            .Interface(resolution: 9)
            .Packet(1_000_000, s_frame)
            .Packet(2_000_000_005, s_frame, number: 1, flags: 1)
            .Block(2, b =>
                b.U16(1).U16(0).U32(0).U32(77).U32((uint)s_frame.Length).U32((uint)s_frame.Length).Padded(s_frame))
            .Block(3, b => b.U32((uint)s_frame.Length).Padded(s_frame))
            .Block(5, b => b.U32(1).U32(0).U32(9).U16(3).U16(8).U32(0).U32(99).U16(0).U16(0))
            .Section()
            .Interface(resolution: 0)
            .Packet(3, s_frame)
            .ToArray();
        Samples.AssertSame(
            [
                new(s_frame, 1_000_000_000), new(s_frame, 2_000_000_005), new(s_frame, 77), new(s_frame, 77),
                new(s_frame, 3_000_000_000),
            ],
            Read(capture));
    }

    [Theory]
    [InlineData(3, null, 5UL, 5_000_000UL)]
    [InlineData(12, null, 1999UL, 1UL)]
    [InlineData(0x80 | 10, null, 1536UL, 1_500_000_000UL)]
    [InlineData(0x80 | 63, null, 1UL << 62, 500_000_000UL)]
    [InlineData(6, 100UL, 1UL, 100_000_001_000UL)]
    [InlineData(6, ulong.MaxValue, 1_000_001UL, 1000UL)]
    [InlineData(6, ulong.MaxValue, 1UL, 0UL)]
    [InlineData(0, null, ulong.MaxValue, ulong.MaxValue)]
    public void Pcapng_times_count_in_any_unit_from_any_offset(
        int resolution, ulong? offset, ulong timestamp, ulong time)
    {
        var capture = new CaptureBytes(false).Section()
            .Interface((byte)resolution, offset).Packet(timestamp, s_frame).ToArray();
        Assert.Equal(time, Assert.Single(Read(capture)).Time);
    }

    [Fact]
    public void The_end_of_a_recording_and_the_direction_of_packets_are_read()
    {
        var capture = new CaptureBytes(true).Section().Interface(9).Packet(5, s_frame, flags: 2)
            .Block(5, b => b.U32(0).U32(0).U32(9).U16(3).U16(8).U32(0).U32(99).U16(0).U16(0)).ToArray();
        using var reader = CaptureReader.Open(new MemoryStream(capture), "in.pcapng");
        Assert.True(reader.TryRead(out var packet));
        Assert.Equal(PacketDirection.Outbound, packet.Direction);
        Assert.False(reader.TryRead(out _));
        Assert.Equal(99UL, reader.EndTime);
    }

    [Fact]
    public void An_FCS_that_the_capture_says_is_there_is_left_out()
    {
        byte[] fcs = [1, 2, 3, 4];
        var pcap = new CaptureBytes(false)
            .PcapHeader(linkType: 1 | 1 << 26 | 2u << 28).PcapRecord(0, 0, [.. s_frame, .. fcs]).ToArray();
        Assert.Equal(s_frame, Assert.Single(Read(pcap)).Bytes);
        var pcapng = new CaptureBytes(false).Section().Interface()
            .Packet(0, [.. s_frame, .. fcs], flags: 4 << 5).ToArray();
        Assert.Equal(s_frame, Assert.Single(Read(pcapng)).Bytes);
    }

    [Theory]
    [InlineData("")]
    [InlineData("00")]
    [InlineData("0102030405060708")]
    [InlineData("A1B2CD3400000000")]
    public void What_is_no_capture_is_refused(string hex)
    {
        var error = Assert.Throws<CommandException>(() => Read(Convert.FromHexString(hex)));
        Assert.Equal(1, error.ExitCode);
        Assert.StartsWith("in.pcap: ", error.Message);
    }

    [Fact]
    public void Other_link_types_are_refused_by_number()
    {
        var pcap = new CaptureBytes(false).PcapHeader(linkType: 113).PcapRecord(0, 0, s_frame).ToArray();
        Assert.Contains("link type 113", Assert.Throws<CommandException>(() => Read(pcap)).Message);
        var pcapng = new CaptureBytes(false).Section().Interface(linkType: 276).Packet(0, s_frame).ToArray();
        Assert.Contains("link type 276", Assert.Throws<CommandException>(() => Read(pcapng)).Message);
    }

    public static TheoryData<string, byte[]> Absurd => new()
    {
        { "4 GiB packet", [.. new CaptureBytes(false).PcapHeader().U32(0).U32(0).U32(uint.MaxValue).U32(0).ToArray()] },
        { "4 GiB block", new CaptureBytes(false).Section().U32(6).U32(uint.MaxValue - 3).U32(0).ToArray() },
        { "4 GiB unknown block", new CaptureBytes(false).Section().U32(77).U32(uint.MaxValue - 3).U32(0).ToArray() },
        { "block of length 0", new CaptureBytes(false).Section().U32(6).U32(0).U32(0).ToArray() },
        { "block of odd length", new CaptureBytes(false).Section().U32(6).U32(13).U32(0).U32(0).ToArray() },
        { "two lengths", new CaptureBytes(false).Section().U32(77).U32(12).U32(16).ToArray() },
        { "packet without interface", new CaptureBytes(false).Section().Packet(0, s_frame).ToArray() },
        {
            "simple packet without interface",
            new CaptureBytes(false).Section().Block(3, b => b.U32(4).U32(0)).ToArray()
        },
        {
            "option out of block",
            new CaptureBytes(false).Section().Block(1, b => b.U16(1).U16(0).U32(0).U16(9).U16(60000)).ToArray()
        },
        { "resolution too fine", new CaptureBytes(false).Section().Interface(resolution: 20).ToArray() },
        { "captured more than block", new CaptureBytes(false).Section().Interface()
            .Block(6, b => b.U32(0).U32(0).U32(0).U32(64).U32(64).U32(0)).ToArray() },
        {
            "no byte-order magic",
            new CaptureBytes(false).Block(0x0A0D0D0A, b => b.U32(0).U16(1).U16(0).U64(0)).ToArray()
        },
        { "version", new CaptureBytes(false).Block(0x0A0D0D0A, b => b.U32(0x1A2B3C4D).U16(2).U16(0).U64(0)).ToArray() },
    };

    [Theory]
    [MemberData(nameof(Absurd))]
    public void Absurd_lengths_and_numbers_are_an_error_with_a_place(string what, byte[] capture)
    {
        var error = Assert.Throws<CommandException>(() => Read(capture));
        Assert.True(error.Message.Contains("byte"), $"{what}: {error.Message}");
    }

    /// <summary>A capture, and the lengths at which a whole packet ends.</summary>
    public static TheoryData<byte[], int[]> Whole
    {
        get
        {
            var (pcap, pcapEnds) = (new CaptureBytes(false).PcapHeader(), new List<int>());
            var (pcapng, pcapngEnds) = (new CaptureBytes(true).Section().Interface(9), new List<int>());
            for (var i = 0; i < 4; i++)
            {
                pcapEnds.Add(pcap.PcapRecord((uint)i, 0, Samples.Frame(i, 61 + i)).ToArray().Length);
                pcapngEnds.Add(pcapng.Packet((ulong)i, Samples.Frame(i, 61 + i), flags: 1).ToArray().Length);
                pcapng.Block(99, b => b.U32(1));
            }
            return new() { { pcap.ToArray(), [.. pcapEnds] }, { pcapng.ToArray(), [.. pcapngEnds] } };
        }
    }

    [Theory]
    [MemberData(nameof(Whole))]
    public void A_capture_cut_anywhere_gives_its_whole_packets_and_then_its_end_or_an_error(byte[] capture, int[] ends)
    {
        for (var length = 0; length <= capture.Length; length++)
        {
            var given = 0;
            try
            {
                using var reader = CaptureReader.Open(new MemoryStream(capture[..length]), "cut");
                while (reader.TryRead(out var packet)) Assert.Equal(given++, Samples.Number(packet.Bytes));
            }
            catch (CommandException e)
            {
                Assert.Equal(1, e.ExitCode);
                Assert.DoesNotContain(length, ends);
            }
            Assert.Equal(ends.Count(end => end <= length), given);
        }
    }

    [Theory]
    [MemberData(nameof(Whole))]
    public void A_capture_changed_at_random_never_does_worse_than_a_clear_error(byte[] capture, int[] ends)
    {
        var random = new Random(ends[0]);
        for (var round = 0; round < 20_000; round++)
        {
            var changed = (byte[])capture.Clone();
            for (var change = random.Next(1, 8); change > 0; change--)
            {
                changed[random.Next(changed.Length)] = random.Next(4) switch
                {
                    0 => 0,
                    1 => 255,
                    _ => (byte)random.Next(256),
                };
            }
            try
            {
                Assert.True(Read(changed).Count <= changed.Length / 12);
            }
            catch (CommandException e)
            {
                Assert.Equal(1, e.ExitCode);
            }
        }
    }

    [Fact]
    public void A_file_that_is_not_there_is_named()
    {
        var error = Assert.Throws<CommandException>(() => CaptureReader.Open("/nowhere/in.pcap"));
        Assert.Equal("/nowhere/in.pcap: there is no such file", error.Message);
    }
}
