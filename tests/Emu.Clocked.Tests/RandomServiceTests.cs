using Emu.Compiler;
using Emu.Compiler.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Clocked.Tests;

/// <summary>
/// Random services as programs of the clock level send the frames of the service on .NET. Their values share variables,
/// and what selectors choose is moved.
/// </summary>
public sealed class RandomServiceTests
{
    private const int Frames = 40;

    private static int Count => Tier.IsFast ? 4 : Tier.IsAll ? 100 : 16;

    [Fact]
    public void Random_services_do_the_same_as_programs_of_the_clock_level()
    {
        List<ulong> seeds = [.. Enumerable.Range(1, Count).Select(seed => (ulong)seed)];
        var compiled = 0;
        foreach (var (seed, subject) in seeds.Zip(Fuzzer.Subjects(seeds, OptimizationLevel.Release)))
        {
            if (Compile(subject) is not { } source) continue;
            compiled++;
            var frames = FrameGenerator.Generate(seed, Frames);
            var expected = new DotNetRung().Run(subject.Again(), frames).Events.SelectMany(e => e.Sent)
                .Select(frame => frame.ToString());
            var sent = FrameRun.Of(ClockedCompiler.Compile(Source.File(source)), frames).Sent;
            Assert.Equal((seed, string.Join('\n', expected)), (seed, string.Join('\n', sent)));
        }
        Assert.InRange(compiled, Count / 2, Count);
    }

    /// <summary>The program of a service; null where it has no form in the dialect.</summary>
    private static string? Compile(Subject subject)
    {
        try
        {
            return DialectCompiler.Compile(subject.Construct(), new HardwareOptions()).Source;
        }
        catch (CompileException refusal) when (refusal.Number == DiagnosticNumber.Dialect)
        {
            return null;
        }
    }
}
