using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Simulation;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// Random programs that write the payload in a loop, on buses of all widths; EMU_FUZZ_FROM and EMU_FUZZ_COUNT choose
/// others.
/// </summary>
public sealed class MapProgramTests
{
    private const int Frames = 60;

    private static readonly int[] s_widths = [64, 128, 512];

    private static ulong First => ulong.Parse(Environment.GetEnvironmentVariable("EMU_FUZZ_FROM") ?? "1");

    private static int Count =>
        Environment.GetEnvironmentVariable("EMU_FUZZ_COUNT") is { } count ? int.Parse(count)
        : Tier.IsFast ? 4
        : Tier.IsAll ? 100
        : 12;

    [Fact]
    public void Writing_programs_do_the_same_on_every_rung()
    {
        var seeds = Seeds(Count);
        var failures = Fuzzer.Run(
            seeds, Fuzzer.Subjects(seeds, OptimizationLevel.Release), Frames, OptimizationLevel.Release,
            [.. Fuzzer.Quick, .. Widths()], Fuzzer.Judges).ToList();
        Assert.True(failures.Count == 0, string.Join("\n\n", failures.Select(failure =>
            $"seed {failure.Seed}: {failure.Difference}\n{ProgramGenerator.Generate(failure.Seed)}")));
    }

    [Fact]
    [Slow("Icarus")]
    public void Writing_programs_do_the_same_in_Icarus()
    {
        if (OutsideSimulator.Icarus.WhyNot is { } whyNot) Assert.Skip(whyNot);
        var seeds = Seeds(Math.Max(2, Count / 4));
        foreach (var (seed, subject) in seeds.Zip(Fuzzer.Subjects(seeds, OptimizationLevel.Release)))
            Agreement.Check(
                subject, FrameGenerator.Generate(seed, 20), [new OutsideRung(OutsideSimulator.Icarus, null)]);
    }

    /// <summary>
    /// A test of nothing but refusals would prove little: many of the programs do their loop in a pipeline.
    /// </summary>
    [Fact]
    public void Many_of_them_become_pipelines_that_do_the_loop()
    {
        var seeds = Seeds(24);
        var maps = Fuzzer.Subjects(seeds, OptimizationLevel.Release).Count(subject =>
        {
            var compiled = HardwareCompiler.Compile(subject.Service, new HardwareOptions());
            return compiled.Layout == Layout.Pipeline && compiled.Compilation.Fast!.Has(Opcode.FrameMap);
        });
        Assert.InRange(maps, 6, 24);
    }

    private static List<ulong> Seeds(int count) =>
        [.. Enumerable.Range(0, int.MaxValue).Select(i => First + (ulong)i)
            .Where(ProgramGenerator.MapsPayload).Take(count)];

    private static IEnumerable<Rung> Widths() => s_widths.Select(bits => new HardwareRung(
        $"{bits} bits, with stalls", null, busBits: bits,
        source: StallPattern.Random(7, 0.3), sink: StallPattern.Random(8, 0.4)));
}
