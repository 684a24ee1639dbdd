using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>The make-up of the random programs: a comparison of programs that do nothing would prove nothing.</summary>
[Slow("time")]
public sealed class RandomProgramCoverageTests
{
    private const int Programs = 60;
    private const int Frames = 40;

    [Fact]
    public void Random_programs_send_drop_fault_and_keep_state()
    {
        var seeds = Enumerable.Range(1, Programs).Select(i => (ulong)i).ToList();
        var assembly = SourceAssembly.Load(
            SourceAssembly.Parse(
                "Coverage",
                OptimizationLevel.Release,
                seeds.Select(seed => ($"{seed}.cs", ProgramGenerator.Generate(seed)))));
        var outcomes = seeds.Select(seed =>
        {
            var subject = new Subject(() => (Service)Activator.CreateInstance(assembly.GetType($"Program{seed}")!)!);
            var initial = new InterpreterRung().Run(subject, []).State;
            return (Initial: initial, Outcome: new DotNetRung().Run(subject, FrameGenerator.Generate(seed, Frames)));
        }).ToList();

        var events = outcomes.SelectMany(o => o.Outcome.Events).ToList();
        Assert.InRange(events.Count(e => e.Sent.Count > 0), events.Count / 4, events.Count);
        Assert.InRange(events.Count(e => e.Sent.Count > 1), events.Count / 100, events.Count);
        Assert.InRange(events.Count(e => e.Faults.Count > 0), events.Count / 20, events.Count / 2);
        foreach (var kind in new[]
        {
            FaultKind.IndexOutOfRange, FaultKind.DivideByZero, FaultKind.Overflow,
        })
            Assert.Contains(events, e => e.Faults.Contains(kind));
        Assert.DoesNotContain(events, e => e.Faults.Contains(FaultKind.Exception));
        Assert.InRange(
            outcomes.Count(o =>
                o.Initial.Zip(o.Outcome.State).Any(s => !s.First.Elements.SequenceEqual(s.Second.Elements))),
            Programs * 3 / 4, Programs);
    }

    [Fact]
    public void Random_programs_add_to_counters_and_look_up_literals()
    {
        var texts = Enumerable.Range(1, Programs).Select(i => ProgramGenerator.Generate((ulong)i)).ToList();
        Assert.InRange(texts.Count(text => text.Contains(".Add(", StringComparison.Ordinal)), Programs / 10, Programs);
        Assert.InRange(texts.Count(text => text.Contains("u8", StringComparison.Ordinal)), Programs / 20, Programs);
    }

    [Fact]
    public void Random_programs_become_pipelines_of_several_stages()
    {
        var seeds = Enumerable.Range(1, Programs).Select(i => (ulong)i).ToList();
        var circuits = Fuzzer.Subjects(seeds, OptimizationLevel.Release).ConvertAll(FastestCircuit.Of);

        // A bit for each stage: a frame is there.
        var depths = circuits
            .Where(c => c.Layout == Layout.Pipeline)
            .Select(c => c.Circuit.Design.Flops.Count(f => f.Name.StartsWith("valid_", StringComparison.Ordinal)))
            .ToList();
        Assert.InRange(depths.Count, Programs / 4, Programs * 9 / 10);
        Assert.InRange(depths.Count(d => d > 2), depths.Count / 4, depths.Count);
        Assert.InRange(circuits.Count(LayoutCounts.HasSlowPath), Programs / 20, Programs / 2);
    }
}
