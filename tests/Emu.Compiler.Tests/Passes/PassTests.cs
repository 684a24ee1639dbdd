using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Fuzz;
using Emu.Services;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Tests of one pass: a few lines in, a few lines out; and programs that do the same before and after.</summary>
/// <param name="name">The name of the pass in <see cref="PassList"/>.</param>
public abstract class PassTests(string name)
{
    private const int Programs = 8, Frames = 30;
    private const ulong FirstSeed = 8001;

    private static readonly Lazy<List<(Subject Subject, IReadOnlyList<IncomingFrame> Frames)>> s_programs =
        new(MakePrograms);

    /// <summary>The name of the pass.</summary>
    public string Name => name;

    [Fact]
    public void Programs_do_the_same_before_and_after_it_and_some_are_changed()
    {
        var changed = 0;
        foreach (var (subject, frames) in s_programs.Value)
        {
            var compilation = HardwareCompiler.Translate(
                subject.Again().Service, subject.PortCount, Subject.Capacity, keepsFrameOperations: true);
            var all = PassRun.All;
            var at = all.ToList().FindIndex(pass => pass.Name == name);
            PassList.Run([.. all.Take(at)], compilation);
            var state = Behaviour.StateOf(compilation.InWork);
            var (text, before) = (Printer.Print(compilation.InWork), Of(compilation, state, frames));
            PassList.Run([all[at]], compilation);
            Assert.Equal(before, Of(compilation, state, frames));
            if (text != Printer.Print(compilation.InWork)) changed++;
        }
        Assert.True(changed > 0, $"{name} changes none of {s_programs.Value.Count} programs");
    }

    /// <summary>Asserts what a pass makes of a text.</summary>
    /// <param name="before">The text.</param>
    /// <param name="after">What is left.</param>
    /// <param name="place">Which of the passes of this name, from 0.</param>
    protected void Makes(string before, string after, int place = 0) =>
        Assert.Equal(after, PassRun.Of(Passes[place], before).Left);

    /// <summary>Asserts that a pass leaves a text as it is.</summary>
    protected void Leaves(string text, int place = 0)
    {
        var (given, left) = PassRun.Of(Passes[place], text);
        Assert.Equal(given, left);
    }

    /// <summary>Asserts what a pass makes of a text, and that no other pass does so.</summary>
    /// <remarks><c>side-exits</c> ends with all passes of the optimisation, so it is not asked.</remarks>
    protected void AloneMakes(string before, string after, int place = 0)
    {
        Makes(before, after, place);
        foreach (var other in PassRun.All.Where(pass => pass.Name != name && pass.Name != "side-exits"))
        {
            var (given, left) = PassRun.Of(other, before);
            Assert.True(given == left || left != after, $"{other.Name} does the same");
        }
    }

    private List<Pass> Passes => [.. PassRun.All.Where(pass => pass.Name == name)];

    private static List<string> Of(
        Compilation compilation, IReadOnlyList<StateElement> state, IReadOnlyList<IncomingFrame> frames) =>
        compilation.Slow is { } slow
            ? Behaviour.OfParts(compilation.Fast!, slow, state, frames)
            : Behaviour.Of(compilation.InWork, state, frames);

    /// <summary>Random programs, and services with checksums, moved bytes and a slow path.</summary>
    private static List<(Subject Subject, IReadOnlyList<IncomingFrame> Frames)> MakePrograms()
    {
        List<ulong> seeds = [.. Enumerable.Range(0, Programs).Select(i => FirstSeed + (ulong)i)];
        var programs = Fuzzer.Subjects(seeds, OptimizationLevel.Release)
            .Zip(seeds, (subject, seed) =>
                (subject, (IReadOnlyList<IncomingFrame>)FrameGenerator.Generate(seed, Frames)));
        var echoes = Enumerable.Range(0, Frames)
            .Select(i => HardwareSubject.Frame(nameof(IcmpEcho), 60 + i, i));
        var tagged = Enumerable.Range(0, Frames).Select(i => HardwareSubject.Frame(nameof(VlanEdge), 60 + i, i));
        return
        [
            .. programs,
            (new Subject(() => HardwareSubject.Construct(nameof(IcmpEcho))), FrameSequence.Of(echoes)),
            (new Subject(() => HardwareSubject.Construct(nameof(VlanEdge))), FrameSequence.Of(tagged)),
            (new Subject(() => new Reflector()), FrameSequence.Random(Frames)),
        ];
    }
}
