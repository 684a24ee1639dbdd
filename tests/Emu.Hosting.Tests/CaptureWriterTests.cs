namespace Emu.Hosting.Tests;

public sealed class CaptureWriterTests
{
    private static void Write(string path, IEnumerable<TimedFrame> frames)
    {
        using var writer = CaptureWriter.Create(path);
        writer.AddInterface("eth0");
        foreach (var frame in frames) writer.Write(0, frame.Bytes, frame.Time);
    }

    [Theory]
    [InlineData("out.pcap")]
    [InlineData("out.pcapng")]
    public void What_is_written_is_read_back(string name)
    {
        using var folder = new TemporaryFolder();
        TimedFrame[] frames =
        [
            .. Samples.Sequence(300),
            new([], Samples.Start),
            new(Samples.Frame(7, 200_000), Samples.Start),
        ];
        Write(folder[name], frames);
        Samples.AssertSame(frames, CaptureReaderTests.Read(File.ReadAllBytes(folder[name])));
    }

    [Theory]
    [InlineData("out.pcap")]
    [InlineData("out.pcapng")]
    public void Tshark_reads_what_is_written(string name)
    {
        using var folder = new TemporaryFolder();
        var frames = Samples.Sequence(20);
        Write(folder[name], frames);
        var lines = Tool.Run(
            "tshark", "-r", folder[name], "-T", "fields", "-e", "frame.time_epoch", "-e", "frame.len", "-e",
            "eth.type");
        var expected = frames.Select(f =>
            $"{f.Time / 1_000_000_000}.{f.Time % 1_000_000_000:D9}\t{f.Bytes.Length}\t0x88b5");
        Assert.Equal(expected, lines.TrimEnd().Split('\n'));
    }

    [Fact]
    public void Tcpdump_reads_what_is_written()
    {
        using var folder = new TemporaryFolder();
        Write(folder["out.pcap"], Samples.Sequence(20));
        Assert.Equal(
            20, Tool.Run("tcpdump", "-nn", "-r", folder["out.pcap"]).Split('\n').Count(line => line.Contains("88b5")));
    }

    [Theory]
    [InlineData("pcap")]
    [InlineData("nsecpcap")]
    [InlineData("pcapng")]
    public void What_editcap_makes_of_it_is_read(string format)
    {
        using var folder = new TemporaryFolder();
        var frames = Samples.Sequence(50, step: 1_000_000);
        Write(folder["in.pcapng"], frames);
        Tool.Run("editcap", "-F", format, folder["in.pcapng"], folder["out"]);
        var unit = format == "pcap" ? 1000UL : 1UL;
        Samples.AssertSame(
            [.. frames.Select(f => f with { Time = f.Time / unit * unit })],
            CaptureReaderTests.Read(File.ReadAllBytes(folder["out"])));
    }

    [Fact]
    public void What_scapy_writes_is_read()
    {
        using var folder = new TemporaryFolder();
        var packets = "[Ether(dst='02:00:00:00:00:02')/IP()/UDP()/bytes([i]) for i in range(5)]";
        Tool.Run("/usr/bin/python3", "-c", $"from scapy.all import *\nwrpcap('{folder["s.pcap"]}', {packets})");
        var frames = CaptureReaderTests.Read(File.ReadAllBytes(folder["s.pcap"]));
        Assert.Equal([0, 1, 2, 3, 4], frames.Select(f => f.Bytes[42]));
    }

    [Fact]
    public void Several_interfaces_have_names_directions_and_statistics()
    {
        using var folder = new TemporaryFolder();
        using (var writer = CaptureWriter.Create(folder["out.pcapng"]))
        {
            Assert.Equal(0, writer.AddInterface("tap:emu0"));
            Assert.Equal(1, writer.AddInterface("tap:emu1"));
            writer.Write(0, Samples.Frame(0), Samples.Start, PacketDirection.Inbound);
            writer.Write(1, Samples.Frame(0), Samples.Start, PacketDirection.Outbound);
            writer.SetStatistics(0, 1, 5);
            writer.SetEndTime(Samples.Start + 1000);
        }
        var lines = Tool.Run(
            "tshark", "-r", folder["out.pcapng"], "-T", "fields", "-e", "frame.interface_name", "-e",
            "frame.packet_flags_direction");
        Assert.Equal(["tap:emu0\t0x00000001", "tap:emu1\t0x00000002"], lines.TrimEnd().Split('\n'));
        Assert.Contains("tap:emu1", Tool.Run("capinfos", folder["out.pcapng"]));
        using var port = new CapturePort(folder["out.pcapng"], null);
        Assert.Single(Samples.Drain(port));
        Assert.Equal(Samples.Start + 1000, port.EndTime);
    }

    [Theory]
    [InlineData("out.pcap")]
    [InlineData("out.pcapng")]
    public void A_file_that_was_never_closed_reads_well_up_to_the_last_flush(string name)
    {
        using var folder = new TemporaryFolder();
        var frames = Samples.Sequence(3);
        using var writer = CaptureWriter.Create(folder[name]);
        writer.AddInterface("eth0");
        Assert.Empty(CaptureReaderTests.Read(File.ReadAllBytes(folder[name])));
        foreach (var frame in frames) writer.Write(0, frame.Bytes, frame.Time);
        writer.Flush();
        writer.Write(0, frames[0].Bytes, frames[0].Time);
        Samples.AssertSame(frames, CaptureReaderTests.Read(File.ReadAllBytes(folder[name])));
    }

    [Fact]
    public void A_full_disk_is_named()
    {
        if (!File.Exists("/dev/full")) Assert.Skip("/dev/full is missing");
        var error = Assert.Throws<CommandException>(() => CaptureWriter.Create("/dev/full"));
        Assert.StartsWith("/dev/full: it cannot be written: ", error.Message);
    }

    [Theory]
    [InlineData("x.pcap")]
    [InlineData("x.pcapng")]
    public void No_frame_allocates(string name)
    {
        using var folder = new TemporaryFolder();
        Write(folder["in." + name], Samples.Sequence(30_000));
        using var port = new CapturePort(folder["in." + name], folder["out." + name]);
        var (batch, passed) = (new ReceivedFrame[32], 0);
        Assert.Equal(0, Allocation.Of(() =>
        {
            for (var round = 0; round < 40; round++)
            {
                var count = port.Receive(batch);
                foreach (var frame in batch.AsSpan(0, count)) port.Send(frame.Bytes, frame.Time);
                passed += count;
            }
        }));
        Assert.True(passed >= 80 * batch.Length);
    }
}
