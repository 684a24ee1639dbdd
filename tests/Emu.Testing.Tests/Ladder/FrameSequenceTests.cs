namespace Emu.Testing.Tests;

public class FrameSequenceTests
{
    [Fact]
    public void Equal_seeds_give_equal_frames_and_others_do_not()
    {
        static IEnumerable<string> Texts(ulong seed) =>
            FrameSequence.Random(50, seed).Select(f => $"{f.Port} {f.Time} {Convert.ToHexString(f.Bytes)}");
        Assert.Equal(Texts(1), Texts(1));
        Assert.NotEqual(Texts(1), Texts(2));
    }

    [Fact]
    public void Random_frames_are_of_many_kinds_at_all_ports()
    {
        var frames = FrameSequence.Random(400, ports: 3);
        Assert.Equal([0, 1, 2], frames.Select(f => f.Port).Distinct().Order());
        var texts = frames.Select(f => PacketAssert.Describe(f.Bytes)).ToList();
        foreach (var layer in new[] { "arp.", "icmp.", "icmpv6.", "udp.", "tcp.", "vlan." })
            Assert.InRange(texts.Count(t => t.Contains(layer, StringComparison.Ordinal)), 10, 390);
        Assert.InRange(frames.Count(f => f.Bytes.Length < 14), 5, 80);
        Assert.InRange(frames.Count(f => f.Bytes.Length > 200), 5, 80);
        Assert.True(frames.Zip(frames.Skip(1)).All(pair => pair.First.Time <= pair.Second.Time));
    }

    [Fact]
    public void Half_of_the_frames_made_from_a_sample_are_it()
    {
        var sample = new byte[200];
        var frames = FrameSequence.Like([sample], 400);
        Assert.InRange(frames.Count(f => f.Bytes.AsSpan().SequenceEqual(sample)), 170, 230);
        Assert.InRange(frames.Count(f => f.Bytes.Length < 200), 70, 130);
        Assert.InRange(frames.Count(f => f.Bytes.Length == 200 && f.Bytes.Any(b => b != 0)), 70, 130);
    }

    [Fact]
    public void A_capture_is_read_with_its_times()
    {
        var file = Path.Combine(Path.GetTempPath(), $"emu-{Guid.NewGuid()}.pcap");
        try
        {
            using (var writer = Hosting.CaptureWriter.Create(file)) writer.Write(0, [1, 2, 3], 5_000);
            var frame = Assert.Single(FrameSequence.ReadCapture(file, port: 3));
            Assert.Equal((3, 5_000UL), (frame.Port, frame.Time));
            Assert.Equal([1, 2, 3], frame.Bytes);
        }
        finally
        {
            File.Delete(file);
        }
    }
}
