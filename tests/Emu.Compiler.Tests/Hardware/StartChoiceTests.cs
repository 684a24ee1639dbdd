using Emu.Compiler.Layouts;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>Loops over small arrays that begin at a place that is computed.</summary>
public sealed class StartChoiceTests
{
    private static readonly Dictionary<string, (Subject Subject, int Interval)> s_services = new()
    {
        ["FrequentKinds"] = (new Subject(() => new FrequentKinds()), 2),
        ["SinkingEntry"] = (new Subject(() => new SinkingEntry()), 4),
        ["FixedEntries"] = (new Subject(() => new FixedEntries()), 2),
        ["TakenOutEntry"] = (new Subject(() => new TakenOutEntry()), 2),
        ["PutInEntry"] = (new Subject(() => new PutInEntry()), 2),
        ["HeapEntry"] = (new Subject(() => new HeapEntry()), 2),
        ["FreePlace"] = (new Subject(() => new FreePlace()), 2),
    };

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void Each_entry_is_where_it_is_in_CSharp(string service) =>
        Agreement.CheckBuses(s_services[service].Subject, Traffic(300), s_services[service].Interval);

    [Theory]
    [MemberData(nameof(Services))]
    public void It_is_a_pipeline_of_its_interval_without_a_slow_path(string service)
    {
        var (subject, interval) = s_services[service];
        var compiled = subject.Circuit(new HardwareOptions(), null);
        Assert.Equal((Layout.Pipeline, interval), (compiled.Layout, compiled.Options.Interval));
        Assert.True(compiled.Compilation.Slow is null, Reasons(compiled));
    }

    [Theory]
    [MemberData(nameof(Services))]
    [Slow("Icarus")]
    public void It_is_in_Icarus(string service) => Agreement.Check(
        s_services[service].Subject, Traffic(40),
        [new OutsideRung(OutsideSimulator.Icarus, Layout.Pipeline, interval: s_services[service].Interval)]);

    private static string Reasons(CompiledService compiled) =>
        string.Join('\n', compiled.SlowPaths.Select(exit => $"{exit.Reason}, {exit.Location}"));

    /// <summary>Frames of few kinds and of many, that name each place; some too short for what they say.</summary>
    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(41);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var frame = new byte[i % 9 == 8 ? random.Next(14, 60) : random.Next(60, 140)];
            random.NextBytes(frame);
            if (i % 4 != 0) frame[13] = (byte)(random.Next(4) * random.Next(4));
            if (i % 3 == 0 && frame.Length > 14) frame[14] &= 15;
            return new IncomingFrame(random.Next(Subject.Ports), frame, 1000 * (ulong)i);
        })];
    }
}
