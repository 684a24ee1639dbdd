using Emu.Fuzz;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Random programs with fixed seeds on every rung; EMU_FUZZ_FROM and EMU_FUZZ_COUNT choose others.</summary>
public sealed class RandomProgramTests
{
    private const int Frames = 40;
    private const int Batch = 50;

    private static ulong First => ulong.Parse(Environment.GetEnvironmentVariable("EMU_FUZZ_FROM") ?? "1");

    private static int Count =>
        Environment.GetEnvironmentVariable("EMU_FUZZ_COUNT") is { } count ? int.Parse(count)
        : Tier.IsFast ? 10
        : Tier.IsAll ? 1000
        : 30;

    [Theory]
    [InlineData(OptimizationLevel.Debug)]
    [InlineData(OptimizationLevel.Release)]
    public void Random_programs_do_the_same_on_every_rung(OptimizationLevel level)
    {
        var offset = level == OptimizationLevel.Debug ? 0 : (ulong)Count;
        foreach (var seeds in Enumerable.Range(0, Count).Select(i => First + offset + (ulong)i).Chunk(Batch))
        {
            var failures = Fuzzer.Run(seeds, Frames, level).ToList();
            Assert.True(failures.Count == 0, string.Join("\n\n", failures.Select(Describe)));
        }
    }

    /// <summary>No interval that simulation does not show, no stage over the budget that is not said.</summary>
    [Fact]
    public void Cycles_and_levels_that_are_said_of_random_programs_are_so()
    {
        List<ulong> seeds = [.. Enumerable.Range(0, Math.Max(2, Count / 8)).Select(i => First + (ulong)i)];
        var broken = seeds.Zip(Fuzzer.Subjects(seeds, OptimizationLevel.Release))
            .Select(program => (
                Seed: program.First,
                Why: Promises.Broken(program.Second, FrameGenerator.Generate(program.First, Frames))))
            .Where(program => program.Why is not null)
            .Select(program => $"seed {program.Seed}: {program.Why}");
        Assert.Empty(broken);
    }

    private static string Describe(Failure failure) =>
        $"{failure.Level}, seed {failure.Seed}: {failure.Difference}\n{ProgramGenerator.Generate(failure.Seed)}";
}
