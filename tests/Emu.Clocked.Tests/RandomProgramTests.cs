namespace Emu.Clocked.Tests;

/// <summary>Random programs show the same outputs in each cycle on every rung.</summary>
public sealed class RandomProgramTests
{
    private const int OnOutsideSimulators = 4;

    private static int Count => Tier.IsFast ? 6 : Tier.IsAll ? 60 : 24;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void A_program_is_the_same_on_every_rung(int threads) => Trace.CheckRandom(
        Count / threads, OnOutsideSimulators, 200, seed => RandomProgram.Of(100 * threads + seed, threads));
}
