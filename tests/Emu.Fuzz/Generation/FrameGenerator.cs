namespace Emu.Fuzz;

/// <summary>Random frames between few stations, so that their state meets: most of 14 to 200 bytes, some up to 1514.</summary>
internal static class FrameGenerator
{
    /// <summary>Frames with the times at which they arrive: equal for equal seeds.</summary>
    public static List<ReceivedFrame> Generate(ulong seed, int count)
    {
        var random = new Random(unchecked((int)SplitMix64.Draw(seed, 1)));
        var flows = Enumerable.Range(0, 4).Select(_ => Header(random)).ToArray();
        var frames = new List<ReceivedFrame>();
        var time = 1_700_000_000_000_000_000UL;
        for (var i = 0; i < count; i++)
        {
            var frame = new byte[Length(random)];
            flows[random.Next(flows.Length)].CopyTo(frame, 0);
            if (random.Next(2) == 0) random.NextBytes(frame.AsSpan(14));
            else for (var at = 14; at < frame.Length; at++) frame[at] = (byte)random.Next(random.Next(2) == 0 ? 4 : 256);
            if (random.Next(8) == 0) frame[random.Next(frame.Length)] ^= (byte)(1 << random.Next(8));
            time += (ulong)random.NextInt64(1_200_000_000);
            frames.Add(new ReceivedFrame(random.Next(Subject.Ports), frame, time));
        }
        return frames;
    }

    private static byte[] Header(Random random) =>
        [2, 0, 0, 0, 0, (byte)random.Next(4), 2, 0, 0, 0, 0, (byte)random.Next(4), .. random.Next(3) switch { 0 => new byte[] { 8, 0 }, 1 => [0x81, 0], _ => [0x86, 0xDD] }];

    private static int Length(Random random) => random.Next(20) switch
    {
        0 => random.Next(200, 1515),
        1 => 14,
        2 or 3 => 60,
        _ => random.Next(14, 201),
    };
}
