using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Random programs as Verilog, in the simulators of the field beside the managed one.</summary>
[Slow("Icarus, Verilator")]
public sealed class OutsideTests
{
    private const int Frames = 20;

    [Fact]
    public void Random_programs_do_the_same_in_Icarus() => Check(OutsideSimulator.Icarus, first: 501, count: 10);

    [Theory]
    [MemberData(nameof(RegressionTests.Files), MemberType = typeof(RegressionTests))]
    public void A_program_that_once_failed_does_the_same_in_Icarus(string file)
    {
        if (OutsideSimulator.Icarus.WhyNot is { } whyNot) Assert.Skip(whyNot);
        using var reader = new StreamReader(typeof(Fuzzer).Assembly.GetManifestResourceStream(file)!);
        var difference = Fuzzer.Check(
            reader.ReadToEnd(), seed: 1, Frames, OptimizationLevel.Release,
            [new DotNetRung(), new OutsideRung(OutsideSimulator.Icarus)]);
        Assert.True(difference is null, difference);
    }

    [Fact]
    public void Random_programs_do_the_same_in_Verilator() => Check(OutsideSimulator.Verilator, first: 521, count: 4);

    [Fact]
    [Campaign("time")]
    public void Many_random_programs_do_the_same_in_Icarus() => Check(OutsideSimulator.Icarus, first: 1001, count: 200);

    [Fact]
    [Campaign("time")]
    public void Many_random_programs_do_the_same_in_Verilator() =>
        Check(OutsideSimulator.Verilator, first: 2001, count: 100);

    private static void Check(OutsideSimulator outside, ulong first, int count)
    {
        if (outside.WhyNot is { } whyNot) Assert.Skip(whyNot);
        var seeds = Enumerable.Range(0, count).Select(i => first + (ulong)i).ToList();
        IReadOnlyList<Rung> rungs = [new DotNetRung(), new OutsideRung(outside)];
        var failures = Fuzzer.Run(
            seeds, Fuzzer.Subjects(seeds, OptimizationLevel.Release), Frames, OptimizationLevel.Release, rungs,
            rungs).ToList();
        Assert.True(failures.Count == 0, string.Join("\n\n", failures.Select(f => $"seed {f.Seed}: {f.Difference}")));
    }
}
