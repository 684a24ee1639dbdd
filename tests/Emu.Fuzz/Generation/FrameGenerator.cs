namespace Emu.Fuzz;

/// <summary>
/// Random frames between few stations, so that their state meets. For programs shaped to become pipelines
/// most are minimal and come at once, several of a flow back to back: what the one wrote the next one reads
/// a cycle or two later.
/// </summary>
internal static class FrameGenerator
{
    private const ulong Start = 1_700_000_000_000_000_000;

    /// <summary>Frames with the times at which they arrive: equal for equal seeds.</summary>
    public static List<IncomingFrame> Generate(ulong seed, int count)
    {
        var random = new Random(unchecked((int)SplitMix64.Draw(seed, 1)));
        var isDense = ProgramGenerator.IsHeaderWork(seed);
        var flows = Enumerable.Range(0, 4).Select(_ => Header(random)).ToArray();
        var frames = new List<IncomingFrame>();
        var (time, flow, left, port) = (Start, flows[0], 0, 0);
        for (var i = 0; i < count; i++)
        {
            if (left-- == 0)
                (flow, left, port) =
                    (flows[random.Next(flows.Length)], isDense ? random.Next(6) : 0, random.Next(Subject.Ports));
            var frame = new byte[isDense ? ShortLength(random) : Length(random)];
            flow.CopyTo(frame, 0);
            if (random.Next(2) == 0) random.NextBytes(frame.AsSpan(14));
            else
                for (var at = 14; at < frame.Length; at++) frame[at] = (byte)random.Next(random.Next(2) == 0 ? 4 : 256);
            if (random.Next(8) == 0) frame[random.Next(frame.Length)] ^= (byte)(1 << random.Next(8));
            // The pipeline stops once for a new second: mostly there is none.
            time += (ulong)(isDense && random.Next(30) != 0 ? random.Next(100) : random.NextInt64(1_200_000_000));
            frames.Add(
                new IncomingFrame(isDense && random.Next(8) != 0 ? port : random.Next(Subject.Ports), frame, time));
        }
        return frames;
    }

    private static byte[] Header(Random random) =>
    [
        2, 0, 0, 0, 0, (byte)random.Next(4), 2, 0, 0, 0, 0, (byte)random.Next(4),
        .. random.Next(3) switch { 0 => new byte[] { 8, 0 }, 1 => [0x81, 0], _ => [0x86, 0xDD] },
    ];

    private static int Length(Random random) => random.Next(20) switch
    {
        0 => random.Next(200, 1515),
        1 => 14,
        2 or 3 => 60,
        _ => random.Next(14, 201),
    };

    private static int ShortLength(Random random) => random.Next(40) switch
    {
        0 => random.Next(65, 1515),
        1 => 14,
        < 8 => random.Next(14, 130),
        _ => 60,
    };
}
