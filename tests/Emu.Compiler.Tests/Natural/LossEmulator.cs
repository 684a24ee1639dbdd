namespace Emu.Compiler.Tests;

/// <summary>
/// A line for tests that loses frames in bursts, as radio does: the Gilbert-Elliott model in the form with a good and a
/// bad state (Hohlfeld et al. 2008, "Packet loss in real-time services: Markovian models"; Salsano et al. 2012,
/// "Definition of a general and intuitive loss model"), for each direction of its own; besides it changes single bits
/// and sends some frames twice, as RFC 2544 testers and Linux netem do.
/// </summary>
/// <remarks>Between ports 0 and 1, and 2 and 3. All odds are in parts of a million.</remarks>
/// <param name="toBad">The odds that a good line turns bad (p).</param>
/// <param name="toGood">The odds that a bad line turns good (r).</param>
/// <param name="lossInGood">The odds that a good line loses a frame (1 - k).</param>
/// <param name="lossInBad">The odds that a bad line loses a frame (1 - h).</param>
/// <param name="corrupt">The odds that a bit is changed.</param>
/// <param name="duplicate">The odds that a frame comes twice.</param>
public sealed class LossEmulator(
    int toBad = 10_000, int toGood = 200_000, int lossInGood = 100, int lossInBad = 500_000, int corrupt = 10_000,
    int duplicate = 10_000) : Service
{
    private const int Lines = 4;
    private const uint Million = 1_000_000;

    private readonly Line[] _lines =
        [.. Enumerable.Range(0, Lines).Select(i => new Line { Random = 0xACE1u + (uint)i })];

    private struct Line
    {
        public bool IsBad;
        public uint Random;
        public uint Run;
        public uint LongestRun;
    }

    /// <summary>Frames that went on.</summary>
    public Counter Passed { get; } = new();

    /// <summary>Frames that were lost.</summary>
    public Counter Lost { get; } = new();

    /// <summary>Bursts, of one or more lost frames in a row.</summary>
    public Counter Bursts { get; } = new();

    /// <summary>Frames with a bit that was changed.</summary>
    public Counter Corrupted { get; } = new();

    /// <summary>Frames that were sent twice.</summary>
    public Counter Duplicated { get; } = new();

    /// <inheritdoc/>
    public override void Process(ref Frame frame)
    {
        int number = frame.Ingress.Index;
        if (number >= Lines) return;
        ref var line = ref _lines[number];
        if (IsLost(ref line))
        {
            Lost.Increment();
            if (line.Run++ == 0) Bursts.Increment();
            line.LongestRun = Math.Max(line.LongestRun, line.Run);
            return;
        }
        line.Run = 0;
        if (Happens(ref line, corrupt)) Corrupt(frame.Bytes, ref line);
        var other = new PortId(number ^ 1);
        if (Happens(ref line, duplicate))
        {
            Duplicated.Increment();
            frame.Send(PortSet.Of(other));
        }
        Passed.Increment();
        frame.ForwardTo(other);
    }

    private bool IsLost(ref Line line)
    {
        line.IsBad = line.IsBad ? !Happens(ref line, toGood) : Happens(ref line, toBad);
        return Happens(ref line, line.IsBad ? lossInBad : lossInGood);
    }

    private void Corrupt(Span<byte> bytes, ref Line line)
    {
        var bit = Below(ref line, (uint)bytes.Length * 8);
        bytes[(int)(bit / 8)] ^= (byte)(1 << (int)(bit % 8));
        Corrupted.Increment();
    }

    private static bool Happens(ref Line line, int odds) => Below(ref line, Million) < odds;

    /// <summary>A number below a limit (Lemire 2019, "Fast random integer generation in an interval").</summary>
    private static uint Below(ref Line line, uint limit)
    {
        var x = line.Random;
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        line.Random = x;
        return (uint)((ulong)x * limit >> 32);
    }
}
