namespace Emu.Protocols.Tests;

/// <summary>
/// After its check, no accessor of a view can fail, whatever the bytes are;
/// and nothing is read but the bytes that the view was given.
/// </summary>
public sealed class HostileBytesTests
{
    private const int Seed = 20240603;
    private const int RandomFrameCount = 400_000;
    private const int ChangedFrameCount = 400_000;
    private const int CutFrameCount = 400_000;
    private const int LongestRandomFrame = 160;
    private const int Guard = 16;

    [Fact]
    public void Random_bytes_are_read_without_fault_and_without_looking_outside()
    {
        ReadAll(RandomFrames(new Random(Seed)).Take(RandomFrameCount));
    }

    [Fact]
    public void Valid_packets_with_some_bytes_changed_are_read_without_fault_and_without_looking_outside()
    {
        var random = new Random(Seed + 1);
        var valid = ValidFrames();
        ReadAll(Enumerable.Range(0, ChangedFrameCount).Select(_ =>
        {
            var frame = (byte[])valid[random.Next(valid.Length)].Clone();
            for (var i = random.Next(1, 6); i > 0; i--)
                frame[random.Next(Math.Min(frame.Length, 120))] = Hostile(random);
            return frame;
        }));
    }

    [Fact]
    public void Valid_packets_cut_short_are_read_without_fault_and_without_looking_outside()
    {
        var random = new Random(Seed + 2);
        var valid = ValidFrames();
        ReadAll(Enumerable.Range(0, CutFrameCount).Select(_ =>
        {
            var frame = valid[random.Next(valid.Length)];
            return frame[..random.Next(frame.Length)];
        }));
    }

    [Fact]
    public void A_view_stays_safe_when_all_its_bytes_change_under_it()
    {
        var random = new Random(Seed + 3);
        foreach (var valid in ValidFrames().SelectMany(frame => Enumerable.Repeat(frame, 20)))
            ReadScrambled(random, (byte[])valid.Clone());
    }

    [Fact]
    public void Reading_allocates_nothing()
    {
        var frames = ValidFrames();
        foreach (var frame in frames) EveryAccessor.Read(frame);
        var before = GC.GetAllocatedBytesForCurrentThread();
        foreach (var frame in frames) EveryAccessor.Read(frame);
        Assert.Equal(before, GC.GetAllocatedBytesForCurrentThread());
    }

    [Fact]
    public void Text_is_made_of_any_bytes()
    {
        var random = new Random(Seed + 4);
        foreach (var frame in ValidFrames()
            .Select(valid => valid[..random.Next(valid.Length + 1)]).Concat(RandomFrames(random).Take(20_000)))
        {
            if (frame.Length > 0) frame[random.Next(Math.Min(frame.Length, 80))] = Hostile(random);
            Assert.EndsWith($"{frame.Length} bytes", PacketText.Describe(frame));
            Assert.All(PacketText.Fields(frame), field => Assert.NotEmpty(field.Value));
        }
    }

    private static IEnumerable<byte[]> RandomFrames(Random random)
    {
        while (true)
        {
            var frame = new byte[random.Next(LongestRandomFrame)];
            random.NextBytes(frame);
            LetChecksPass(random, frame);
            yield return frame;
        }
    }

    private static byte[][] ValidFrames()
    {
        var generator = new PacketGenerator(Seed);
        return Enumerable.Range(0, 2000).Select(_ => generator.Next()).ToArray();
    }

    /// <summary>
    /// Lengths are where views break, so the values at their limits are more frequent than chance has them.
    /// </summary>
    private static byte Hostile(Random random) => random.Next(3) switch
    {
        0 => 0,
        1 => 0xFF,
        _ => (byte)random.Next(256),
    };

    /// <summary>
    /// Random bytes would seldom come past a version and a length; write those of IP into most frames.
    /// </summary>
    private static void LetChecksPass(Random random, Span<byte> frame)
    {
        if (frame.Length < 20) return;
        var ip = frame[14..];
        if (random.Next(3) == 0)
        {
            ip[0] = (byte)(0x40 | random.Next(16));
            ip[2] = 0;
            ip[3] = (byte)random.Next(ip.Length + 2);
        }
        else
        {
            ip[0] = 0x60;
            ip[4] = 0;
            ip[5] = (byte)random.Next(Math.Max(1, ip.Length - 38));
        }
    }

    private static void ReadAll(IEnumerable<byte[]> frames)
    {
        var memory = new byte[Guard + 1024 + Guard];
        foreach (var (i, frame) in frames.Index())
        {
            try
            {
                var amongZeros = ReadAmong(0x00, memory, frame);
                var amongOnes = ReadAmong(0xFF, memory, frame);
                if (amongZeros != amongOnes) Assert.Fail("What is read depends on bytes outside the frame.");
            }
            catch (Exception exception)
            {
                throw new InvalidOperationException($"Seed {Seed}, frame {i}, {Convert.ToHexString(frame)}", exception);
            }
        }
    }

    private static ulong ReadAmong(byte guard, byte[] memory, byte[] frame)
    {
        var around = memory.AsSpan(0, Guard + frame.Length + Guard);
        around.Fill(guard);
        var bytes = around.Slice(Guard, frame.Length);
        frame.CopyTo(bytes);
        return EveryAccessor.Read(bytes);
    }

    private static void ReadScrambled(Random random, byte[] frame)
    {
        var ethernet = new Ethernet(frame);
        var isIPv4 = IPv4.TryParse(ethernet.Payload, out var ip4);
        var isIPv6 = IPv6.TryParse(ethernet.Payload, out var ip6);
        var upper = isIPv4 ? ip4.Payload : isIPv6 ? ip6.Payload : ethernet.Payload;
        var isLlc = Llc.TryParse(ethernet.Payload, ethernet.Length, out var llc);
        var isUdp = Udp.TryParse(upper, out var udp);
        var isTcp = Tcp.TryParse(upper, out var tcp);
        NeighborSolicitation solicitation = default;
        var isSolicitation = Icmpv6.TryParse(upper, out var icmp)
            && NeighborSolicitation.TryParse(icmp, out solicitation);

        random.NextBytes(frame);
        EveryAccessor.Read(ethernet);
        if (isIPv4) EveryAccessor.Read(ip4);
        if (isIPv6) EveryAccessor.Read(ip6);
        if (isLlc) EveryAccessor.Read(llc);
        if (isUdp) EveryAccessor.Read(udp);
        if (isTcp) EveryAccessor.Read(tcp);
        if (isSolicitation) EveryAccessor.Read(solicitation);
        if (isIPv4 && isTcp) tcp.WriteChecksum(ip4);
        if (isIPv6 && isUdp) udp.WriteChecksum(ip6);
    }
}
