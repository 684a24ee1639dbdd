using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Frames for services that keep something for each flow (<see cref="Flow"/>).</summary>
internal static class FlowTraffic
{
    /// <summary>The flows of a small table.</summary>
    public const int Flows = 16;

    private const ulong Start = 1_700_000_000_000_000_000;

    /// <summary>Frames of one beat and of more, of flows that meet in every way.</summary>
    public static List<IncomingFrame> Of(int count)
    {
        var random = new Random(1);
        // The same numbers modulo both sizes, and others that only meet in the small table.
        int[] few = [1, 2, 1 + Flows, 2 + 3 * Flows];
        int Few() => few[random.Next(few.Length)];
        int Any() => random.Next(1 << 12);
        var frames = new List<byte[]>();
        void Add(int? length, Func<int, (int To, int From)> flow) =>
            frames.AddRange(Enumerable.Range(0, count)
                .Select(i => Frame(flow(i).To, flow(i).From, length ?? random.Next(14, 100))));

        Add(14, _ => (1, 1));
        Add(60, _ => (1, 2));
        Add(14, i => (1 + i % 2, 2 - i % 2));
        // Every so many frames meet, the others are strangers.
        for (var apart = 2; apart <= 6; apart++) Add(14, i => i % apart == 0 ? (5, 6) : (Any(), Any()));
        Add(null, _ => (Few(), Few()));
        Add(null, i => (i % 3, (i + 1) % 3));

        var time = Start;
        return [.. frames.Select(frame =>
        {
            (frame[12], frame[13]) = ((byte)random.Next(5), (byte)random.Next(random.Next(2) == 0 ? 2 : 256));
            // A second passes now and then.
            time += random.Next(300) == 0 ? 1_000_000_000 : (ulong)random.Next(2000);
            return new IncomingFrame(random.Next(Subject.Ports), frame, time);
        })];
    }

    public static byte[] Frame(int to, int from, int length)
    {
        var frame = new byte[length];
        (frame[0], frame[4], frame[5]) = (2, (byte)(to >> 8), (byte)to);
        (frame[6], frame[10], frame[11]) = (2, (byte)(from >> 8), (byte)from);
        for (var i = 14; i < length; i++) frame[i] = (byte)(7 * to + from + length);
        return frame;
    }
}
