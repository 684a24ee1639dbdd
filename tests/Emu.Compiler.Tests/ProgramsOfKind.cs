using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Simulation;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>
/// Random programs of a kind, on buses of all widths; EMU_FUZZ_FROM and EMU_FUZZ_COUNT choose others.
/// </summary>
/// <param name="isOfKind">True of the seeds of such programs.</param>
internal sealed class ProgramsOfKind(Predicate<ulong> isOfKind)
{
    private const int Frames = 60;

    /// <summary>The programs of which some have to be pipelines.</summary>
    private const int Compiled = 24;

    private static readonly int[] s_widths = [64, 128, 512];

    /// <summary>The first programs, of which all checks share what the compiler makes.</summary>
    private readonly Lazy<List<Subject>> _first = new(
        () => Fuzzer.Subjects(Seeds(isOfKind, Compiled), OptimizationLevel.Release));

    private static ulong First => ulong.Parse(Environment.GetEnvironmentVariable("EMU_FUZZ_FROM") ?? "1");

    private static int Count =>
        Environment.GetEnvironmentVariable("EMU_FUZZ_COUNT") is { } count ? int.Parse(count)
        : Tier.IsFast ? 4
        : Tier.IsAll ? 100
        : 8;

    /// <summary>Asserts that they do the same on every rung.</summary>
    public void Check()
    {
        var seeds = Seeds(isOfKind, Count);
        var failures = Fuzzer.Run(
            seeds, Subjects(seeds), Frames, OptimizationLevel.Release, [.. Fuzzer.Quick, .. Widths()], Fuzzer.Judges)
            .ToList();
        Assert.True(failures.Count == 0, string.Join("\n\n", failures.Select(failure =>
            $"seed {failure.Seed}: {failure.Difference}\n{ProgramGenerator.Generate(failure.Seed)}")));
    }

    /// <summary>Asserts that they do the same in Icarus; skips where it is not there.</summary>
    public void CheckInIcarus()
    {
        if (OutsideSimulator.Icarus.WhyNot is { } whyNot) Assert.Skip(whyNot);
        var seeds = Seeds(isOfKind, Math.Max(2, Count / 4));
        foreach (var (seed, subject) in seeds.Zip(Subjects(seeds)))
            Agreement.Check(
                subject, FrameGenerator.Generate(seed, 20), [new OutsideRung(OutsideSimulator.Icarus, null)]);
    }

    /// <summary>
    /// Asserts that enough of 24 are pipelines that do something: a test of nothing but refusals would prove little.
    /// </summary>
    /// <param name="least">How many.</param>
    /// <param name="does">True of the function of a pipeline that does it.</param>
    public void CheckPipelines(int least, Predicate<Function> does)
    {
        var pipelines = _first.Value.Where(subject =>
        {
            var compiled = FastestCircuit.Of(subject);
            return compiled.Layout == Layout.Pipeline && does(compiled.Compilation.Fast!);
        });
        // No more are compiled than it takes.
        Assert.Equal(least, pipelines.Take(least).Count());
    }

    private List<Subject> Subjects(List<ulong> seeds) =>
    [
        .. _first.Value.Take(seeds.Count).Select(subject => subject.Again()),
        .. seeds.Count > Compiled ? Fuzzer.Subjects(seeds[Compiled..], OptimizationLevel.Release) : [],
    ];

    private static List<ulong> Seeds(Predicate<ulong> isOfKind, int count) =>
        [.. Enumerable.Range(0, int.MaxValue).Select(i => First + (ulong)i).Where(seed => isOfKind(seed)).Take(count)];

    private static IEnumerable<Rung> Widths() => s_widths.Select(bits => new HardwareRung(
        $"{bits} bits, with stalls", null, busBits: bits,
        source: StallPattern.Random(7, 0.3), sink: StallPattern.Random(8, 0.4)));
}
