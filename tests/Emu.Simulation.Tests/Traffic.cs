namespace Emu.Simulation.Tests;

/// <summary>Frames for these tests.</summary>
internal static class Traffic
{
    public static byte[] Bytes(int length, int seed)
    {
        var bytes = new byte[length];
        for (var i = 0; i < length; i++) bytes[i] = (byte)SplitMix64.Draw((ulong)seed, (ulong)i);
        return bytes;
    }

    /// <summary>Sends a frame of each length, from all ports, at times that tell them apart.</summary>
    public static List<SourceFrame> SendLengths(this Bench bench, int from, int to) =>
        [.. Enumerable.Range(from, to - from + 1)
            .Select(n => bench.Send(Bytes(n, n), new PortId((byte)(n % 4)), 0xFFFF_FFFF_0000UL + 1_000 * (ulong)n))];

    /// <summary>Asserts that the frames that came out are those that went in, in order.</summary>
    public static void AssertPassed(this Bench bench, IReadOnlyList<SourceFrame> sent)
    {
        Assert.Equal(sent.Count, bench.Received.Count);
        foreach (var (before, after) in sent.Zip(bench.Received))
        {
            Assert.Equal(before.Bytes.ToArray(), after.Bytes.ToArray());
            Assert.Equal(
                (before.Time, PortSet.Of(before.Ingress), before.Bytes.Length),
                (after.Time, after.Sources, after.User.Length));
        }
    }
}
