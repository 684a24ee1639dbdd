namespace Emu.Hosting.Tests;

public sealed class CapturePortTests
{
    private static readonly byte[] s_frame = Samples.Frame(1);

    [Fact]
    public void Frames_have_room_to_grow_to_the_MTU()
    {
        using var folder = new TemporaryFolder();
        var path = folder.Write(
            "in.pcap",
            new CaptureBytes(false).PcapHeader()
                .PcapRecord(1, 0, s_frame).PcapRecord(1, 1, Samples.Frame(2, 3000)).ToArray());
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
        var capture = new CaptureBytes(false).PcapHeader()
            .PcapRecord(5, 0, s_frame).PcapRecord(3, 0, s_frame).PcapRecord(6, 0, s_frame);
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
        var capture = new CaptureBytes(false).PcapHeader()
            .PcapRecord(1, 0, s_frame).PcapRecord(2, 0, s_frame).ToArray();
        using var port = new CapturePort(folder.Write("in.pcap", capture[..^1]), null);
        var batch = new ReceivedFrame[8];
        Assert.Equal(1, port.Receive(batch));
        for (var again = 0; again < 2; again++)
            Assert.Contains("after 1 packets", Assert.Throws<CommandException>(() => port.Receive(batch)).Message);
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
        Assert.Equal(
            2,
            Assert.Throws<CommandException>(
                () => new CapturePort(path, Path.Combine(Path.GetDirectoryName(path)!, ".", "in.pcap"))).ExitCode);
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
        var capture = new CaptureBytes(false).Section().Interface().Interface()
            .Packet(1, s_frame).Packet(2, s_frame, number: 1);
        var path = folder.Write("in.pcapng", capture.ToArray());
        using var port = PortSpecification.Open($"pcap:{path}#1");
        Assert.Equal(2000UL, Assert.Single(Samples.Drain(port)).Time);
    }

    [Theory]
    [InlineData(0, "it describes none")]
    [InlineData(1, "it has interface 0 only")]
    [InlineData(3, "it has interfaces 0 to 2")]
    public void An_interface_that_is_not_there_is_an_error_at_the_end(int count, string message)
    {
        using var folder = new TemporaryFolder();
        var capture = new CaptureBytes(false).Section();
        for (var i = 0; i < count; i++) capture = capture.Interface().Packet(1, s_frame, number: (uint)i);
        var path = folder.Write("in.pcapng", capture.Section().ToArray());
        using var port = PortSpecification.Open($"pcap:{path}#{count}");
        for (var again = 0; again < 2; again++)
        {
            var error = Assert.Throws<CommandException>(() => port.Receive(new ReceivedFrame[4]));
            Assert.Equal(1, error.ExitCode);
            Assert.StartsWith($"pcap:{path}#{count}: there is no interface {count} in the capture; ", error.Message);
            Assert.EndsWith(message, error.Message);
        }
    }

    [Fact]
    public void An_interface_may_be_described_late_or_have_no_packets()
    {
        using var folder = new TemporaryFolder();
        var late = new CaptureBytes(false).Section().Interface().Packet(1, s_frame)
            .Interface().Packet(2, s_frame, number: 1);
        using var port = PortSpecification.Open($"pcap:{folder.Write("late.pcapng", late.ToArray())}#1");
        Assert.Single(Samples.Drain(port));
        var silent = new CaptureBytes(false).Section().Interface().Packet(1, s_frame).Interface();
        using var other = PortSpecification.Open($"pcap:{folder.Write("silent.pcapng", silent.ToArray())}#1");
        Assert.Empty(Samples.Drain(other));
        var pcap = folder.Write("in.pcap", new CaptureBytes(false).PcapHeader().PcapRecord(1, 0, s_frame).ToArray());
        using var only = PortSpecification.Open($"pcap:{pcap}#0");
        Assert.Single(Samples.Drain(only));
        using var none = PortSpecification.Open($"pcap:{pcap}#1");
        var error = Assert.Throws<CommandException>(() => none.Receive(new ReceivedFrame[1]));
        Assert.Contains("interface 0 only", error.Message);
    }

    [Fact]
    public void A_file_that_is_written_is_no_other_ports_by_any_of_its_paths()
    {
        using var folder = new TemporaryFolder();
        var file = folder.Write("file.pcapng", []);
        Directory.CreateDirectory(folder["inner"]);
        Directory.CreateSymbolicLink(folder["inner/up"], "..");
        Directory.CreateSymbolicLink(folder["elsewhere"], "inner/up/inner");
        File.CreateSymbolicLink(folder["link.pcapng"], "inner/up/file.pcapng");
        File.CreateSymbolicLink(folder["loop"], "loop");
        var relative = Path.GetRelativePath(Directory.GetCurrentDirectory(), file);
        string[] spellings =
        [
            file, relative, $"./{relative}", folder["link.pcapng"], folder["inner/../file.pcapng"],
            folder["inner/up//./file.pcapng"],
            folder["elsewhere/../file.pcapng"], // the folder above the one that the link leads to
        ];
        foreach (var spelling in spellings)
        {
            AreRefused([$"pcap:in,{file}", $"pcap:,{spelling}"], null);
            AreRefused([$"pcap:,{spelling}", "pcap:in", $"pcap:{file}"], null);
            AreRefused([$"pcap:{spelling}#3", $"pcap:in,{file}"], null);
            AreRefused([$"pcap:in,{spelling}"], file);
            AreRefused([$"pcap:{spelling}#0"], file);
            Assert.Equal(2, Assert.Throws<CommandException>(() => new CapturePort(file, spelling)).ExitCode);
        }
        AreRefused(["pcap:in,new.pcap", "pcap:in,new.pcap"], null); // not there yet
        string[] right = [$"pcap:{file}#0,out0", $"pcap:{file}#1,out1", "pcap:,/dev/null", "pcap:,/dev/null"];
        PortSpecification.CheckTogether(right, folder["new.pcapng"]);
        PortSpecification.CheckTogether([$"pcap:{folder["loop/in"]}", $"pcap:,{folder["loop/out"]}"], null);

        static void AreRefused(string[] ports, string? recording)
        {
            var error = Assert.Throws<CommandException>(() => PortSpecification.CheckTogether(ports, recording));
            Assert.Equal(2, error.ExitCode);
            Assert.Contains("would overwrite", error.Message);
        }
    }

    [Fact]
    public void An_interface_is_one_port_of_a_run()
    {
        foreach (var port in new[] { "raw:eth0", "tap:emu0" })
        {
            string[] ports = [port, "raw:eth1", port];
            var error = Assert.Throws<CommandException>(() => PortSpecification.CheckTogether(ports));
            Assert.Equal(2, error.ExitCode);
            Assert.Contains($"{port} is given twice", error.Message);
        }
        PortSpecification.CheckTogether(["raw:eth0", "raw:eth1", "tap:emu0", "tap:emu1", "nonsense", "nonsense"]);
    }
}
