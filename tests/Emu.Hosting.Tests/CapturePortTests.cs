namespace Emu.Hosting.Tests;

public sealed class CapturePortTests
{
    private static readonly byte[] s_frame = Samples.Frame(1);

    [Fact]
    public void Frames_have_room_to_grow_to_the_MTU()
    {
        using var folder = new TemporaryFolder();
        var path = folder.Write("in.pcap", new CaptureBytes(false).PcapHeader().PcapRecord(1, 0, s_frame).PcapRecord(1, 1, Samples.Frame(2, 3000)).ToArray());
        using var port = new CapturePort(path, null, mtu: 1500);
        var batch = new ReceivedFrame[4];
        Assert.Equal(2, port.Receive(batch));
        Assert.Equal(1518, batch[0].Memory.Length);
        Assert.Equal(3000, batch[1].Memory.Length);
        batch[0].Memory.Fill(0xFF);
        Assert.Equal(Samples.Frame(2, 3000), batch[1].Bytes.ToArray());
    }

    [Fact]
    public void Time_never_goes_back()
    {
        using var folder = new TemporaryFolder();
        var capture = new CaptureBytes(false).PcapHeader().PcapRecord(5, 0, s_frame).PcapRecord(3, 0, s_frame).PcapRecord(6, 0, s_frame);
        var path = folder.Write("in.pcap", capture.ToArray());
        using var port = new CapturePort(path, null);
        Assert.Equal([5_000_000_000UL, 5_000_000_000UL, 6_000_000_000UL], Samples.Drain(port).Select(f => f.Time));
    }

    [Fact]
    public void Cut_off_and_outbound_packets_are_passed_over()
    {
        using var folder = new TemporaryFolder();
        var path = folder.Write("in.pcapng", new CaptureBytes(false).Section().Interface()
            .Packet(1, s_frame, original: 1000).Packet(2, s_frame, flags: 2).Packet(3, s_frame, flags: 1).ToArray());
        using var port = new CapturePort(path, null);
        Assert.Equal(3000UL, Assert.Single(Samples.Drain(port, batchLength: 1)).Time);
        Assert.Equal(1UL, port.ReceiveDrops.Value);
    }

    [Fact]
    public void A_cut_capture_gives_its_whole_packets_and_then_the_error()
    {
        using var folder = new TemporaryFolder();
        var capture = new CaptureBytes(false).PcapHeader().PcapRecord(1, 0, s_frame).PcapRecord(2, 0, s_frame).ToArray();
        using var port = new CapturePort(folder.Write("in.pcap", capture[..^1]), null);
        var batch = new ReceivedFrame[8];
        Assert.Equal(1, port.Receive(batch));
        for (var again = 0; again < 2; again++) Assert.Contains("after 1 packets", Assert.Throws<CommandException>(() => port.Receive(batch)).Message);
    }

    [Fact]
    public void What_is_sent_is_written_with_the_time_of_its_event()
    {
        using var folder = new TemporaryFolder();
        var frames = Samples.Sequence(5);
        using (var port = new CapturePort(null, folder["out.pcap"]))
        {
            Assert.Equal(0, port.Receive(new ReceivedFrame[1]));
            foreach (var frame in frames) port.Send(frame.Bytes, frame.Time);
        }
        using var again = new CapturePort(folder["out.pcap"], null);
        Samples.AssertSame(frames, Samples.Drain(again));
    }

    [Fact]
    public void The_output_may_not_be_the_input_by_any_name()
    {
        using var folder = new TemporaryFolder();
        var path = folder.Write("in.pcap", new CaptureBytes(false).PcapHeader().ToArray());
        File.CreateSymbolicLink(folder["link.pcap"], path);
        Assert.Equal(2, Assert.Throws<CommandException>(() => new CapturePort(path, folder["link.pcap"])).ExitCode);
        Assert.Equal(2, Assert.Throws<CommandException>(() => new CapturePort(path, Path.Combine(Path.GetDirectoryName(path)!, ".", "in.pcap"))).ExitCode);
        Assert.Equal(24, new FileInfo(path).Length);
    }

    [Theory]
    [InlineData("", 2, "no port")]
    [InlineData("eth0", 2, "no port")]
    [InlineData("foo:eth0", 2, "no kind of port")]
    [InlineData("pcap:", 2, "no port")]
    [InlineData("pcap:,", 2, "pcap:IN,OUT")]
    [InlineData("pcap:a,b,c", 2, "pcap:IN,OUT")]
    [InlineData("pcap:/nowhere/a.pcap", 1, "no such file")]
    [InlineData("tap:a-name-that-is-too-long", 2, "15 bytes")]
    [InlineData("raw:a/b", 2, "15 bytes")]
    [InlineData("raw:emu-not-there", 1, "no such interface; 'ip link' shows")]
    public void Wrong_specifications_are_told_apart(string text, int exitCode, string message)
    {
        var error = Assert.Throws<CommandException>(() => PortSpecification.Open(text));
        Assert.Equal(exitCode, error.ExitCode);
        Assert.Contains(message, error.Message);
    }

    [Fact]
    public void One_interface_of_a_capture_can_be_asked_for()
    {
        using var folder = new TemporaryFolder();
        var capture = new CaptureBytes(false).Section().Interface().Interface().Packet(1, s_frame).Packet(2, s_frame, number: 1);
        var path = folder.Write("in.pcapng", capture.ToArray());
        using var port = PortSpecification.Open($"pcap:{path}#1");
        Assert.Equal(2000UL, Assert.Single(Samples.Drain(port)).Time);
    }
}
