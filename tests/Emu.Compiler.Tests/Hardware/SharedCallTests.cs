using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Fuzz;
using Emu.Samples;
using Emu.Testing;
using Microsoft.CodeAnalysis;

namespace Emu.Compiler.Tests;

/// <summary>Engines in which the calls of a method share one copy of it, alone and as slow paths.</summary>
public sealed class SharedCallTests
{
    public static TheoryData<string> Names => [.. SharedCallServices.All.Keys];

    public static TheoryData<string> Suite =>
        [.. Tests.Suite.Services(OptimizationLevel.Release).Share(15)];

    [Theory]
    [MemberData(nameof(Names))]
    public void They_do_what_CSharp_does(string name)
    {
        var subject = new Subject(SharedCallServices.All[name]);
        Agreement.Check(
            subject, [.. Frames()], [
                new SharedCallIRRung(isOptimised: false),
                new SharedCallIRRung(isOptimised: true),
                .. HardwareOptions.BusWidths.Select(bits => new SharedCallRung(bits, stalls: true)),
                new SharedCallRung(stalls: true, layout: Layout.Pipeline),
            ]);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void They_have_procedures(string name)
    {
        var compilation = HardwareCompiler.Translate(
            SharedCallServices.All[name](), Subject.Ports, Subject.Capacity, SharedCallRung.All);
        compilation.Optimise();
        Assert.NotEmpty(compilation.Procedures);
        var text = Printer.Print(compilation.Functions);
        Assert.Equal(text, Printer.Print(Reader.Read(text).Functions));
    }

    [Theory]
    [MemberData(nameof(Suite))]
    public void Programs_of_the_suite_do_the_same(string service) =>
        Agreement.Check(
            new Subject(() => Tests.Suite.Construct(OptimizationLevel.Release, service)), [.. EdgeFrames.Of(40)],
            [
                new SharedCallIRRung(isOptimised: true), new SharedCallRung(),
                new SharedCallRung(layout: Layout.Pipeline),
            ]);

    [Fact]
    public void Random_programs_do_the_same()
    {
        List<ulong> seeds = [.. Enumerable.Range(0, Tier.IsAll ? 300 : 20).Select(i => 5000 + (ulong)i)];
        foreach (var (seed, subject) in seeds.Zip(Fuzzer.Subjects(seeds, OptimizationLevel.Release)))
        {
            var difference = Ladder.Difference(
                subject, FrameGenerator.Generate(seed, 40),
                [
                    new DotNetRung(), new SharedCallIRRung(isOptimised: true), new SharedCallRung(),
                    new SharedCallRung(layout: Layout.Pipeline),
                ]);
            Assert.True(difference is null, $"seed {seed}: {difference}");
        }
    }

    /// <summary>Its hash is long, and packets with options come to it at another exit than others.</summary>
    [Fact]
    public void A_slow_path_is_the_whole_program_where_calls_make_that_smaller()
    {
        MacAddress[] servers = [MacAddress.Parse("02:00:00:00:00:0a"), MacAddress.Parse("02:00:00:00:00:0b")];
        var compiled = HardwareCompiler.Compile(
            new Balancer(IPv4Address.Parse("10.0.0.80"), servers), new HardwareOptions(), Layout.Pipeline);
        Assert.NotEmpty(compiled.Compilation.Procedures);
        Assert.Same(compiled.Compilation.Whole, compiled.Compilation.Slow);
    }

    [Fact]
    public void It_is_what_deferred_frames_do_where_that_is_small()
    {
        var compiled = HardwareCompiler.Compile(new PrefixRouter(), new HardwareOptions(), Layout.Pipeline);
        Assert.Empty(compiled.Compilation.Procedures);
        Assert.Null(compiled.Compilation.Whole);
    }

    private static IEnumerable<IncomingFrame> Frames()
    {
        var random = new Random(16);
        for (var i = 0; i < 60; i++)
        {
            var bytes = new byte[60 + random.Next(40)];
            random.NextBytes(bytes);
            yield return new IncomingFrame(i % Subject.Ports, bytes, 1000 * (ulong)i);
        }
    }
}
