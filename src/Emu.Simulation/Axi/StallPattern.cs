namespace Emu.Simulation;

/// <summary>
/// The cycles in which a side of a bus holds back: a source its beat, a sink its readiness. A pattern is a function of
/// what it is asked, so one can serve any number of sides and runs alike.
/// </summary>
public abstract class StallPattern
{
    /// <summary>Never.</summary>
    public static StallPattern None { get; } = new Rule("none", (_, _, _) => false);

    /// <summary>Always: what waits for it waits for ever.</summary>
    public static StallPattern Always { get; } = new Rule("always", (_, _, _) => true);

    /// <summary>Stalls in any cycle with the same probability.</summary>
    /// <param name="seed">Any number.</param>
    /// <param name="probability">0 to 1, and less than 1 if anything is to pass.</param>
    public static StallPattern Random(ulong seed, double probability) =>
        new Rule($"random({seed}, {probability})", (cycle, _, _) =>
            SplitMix64.Draw(seed, (ulong)cycle) < probability * ulong.MaxValue);

    /// <summary>
    /// Stalls in stretches of cycles; each, at random, is a stall or is free, with the same probability.
    /// </summary>
    /// <param name="seed">Any number.</param>
    /// <param name="length">The length of a stretch, in cycles.</param>
    public static StallPattern Bursts(ulong seed, int length) =>
        new Rule(
            $"bursts({seed}, {length})", (cycle, _, _) => (SplitMix64.Draw(seed, (ulong)(cycle / length)) & 1) != 0);

    /// <summary>Stalls in all cycles but one in <paramref name="n"/>.</summary>
    /// <param name="n">The period in cycles, at least 1.</param>
    public static StallPattern OneIn(int n) => new Rule($"one in {n}", (cycle, _, _) => cycle % n != 0);

    /// <summary>Before each last beat of a frame only.</summary>
    /// <param name="cycles">For how long.</param>
    public static StallPattern BeforeLastBeat(int cycles) =>
        new Rule($"{cycles} before the last beat", (_, isLastBeat, held) => isLastBeat && held < cycles);

    /// <summary>True if the beat is held back in a cycle.</summary>
    /// <param name="cycle">The number of the cycle, <see cref="Simulator.Cycle"/>.</param>
    /// <param name="isLastBeat">True if the beat at hand is the last of its frame.</param>
    /// <param name="held">For how many cycles this beat has been held back already.</param>
    public abstract bool Stalls(long cycle, bool isLastBeat, int held);

    private sealed class Rule(string name, Func<long, bool, int, bool> stalls) : StallPattern
    {
        public override bool Stalls(long cycle, bool isLastBeat, int held) => stalls(cycle, isLastBeat, held);

        public override string ToString() => name;
    }
}
