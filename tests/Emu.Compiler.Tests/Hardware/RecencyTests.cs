using Emu.Compiler.Layouts;
using Emu.Simulation;
using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>A frame writes several words of a memory, one after the other by its one port.</summary>
public sealed class RecencyTests
{
    private static readonly Dictionary<string, (Func<Service> Make, int Interval)> s_services = new()
    {
        ["IdleFlow, few"] = (() => new IdleFlow(16), 3),
        ["IdleFlow, many"] = (() => new IdleFlow(1024), 4),
        ["SeveralWords, few"] = (() => new SeveralWords(8), 4),
        ["SeveralWords, many"] = (() => new SeveralWords(512), 4),
    };

    private static readonly Dictionary<string, Subject> s_subjects =
        s_services.ToDictionary(service => service.Key, service => new Subject(service.Value.Make));

    public static TheoryData<string> Services => [.. s_services.Keys];

    [Theory]
    [MemberData(nameof(Services))]
    public void All_words_are_what_they_are_in_CSharp(string service) =>
        Agreement.Check(s_subjects[service], Traffic(400), [
            .. Ladder.Rungs.Skip(1),
            new HardwareRung("pipeline", Layout.Pipeline, interval: 4),
            new HardwareRung("pipeline, source stalls", Layout.Pipeline, source: StallPattern.Random(1, 0.4),
                interval: 4),
            new HardwareRung("pipeline, 64 bits, both stall", Layout.Pipeline, busBits: 64,
                source: StallPattern.Random(2, 0.4), sink: StallPattern.Random(4, 0.4), interval: 5),
            new HardwareRung("pipeline, 512 bits", Layout.Pipeline, busBits: 512, sink: StallPattern.Random(5, 0.4),
                interval: 4),
        ]);

    [Theory]
    [MemberData(nameof(Services))]
    public void The_interval_is_that_of_the_port_and_of_what_is_read_before(string service)
    {
        var compiled = HardwareCompiler.Compile(
            s_services[service].Make(), new HardwareOptions());
        Assert.Equal(Layout.Pipeline, compiled.Layout);
        using var bench = new Bench(new ManagedSimulator(compiled.Circuit.Design));
        foreach (var frame in Traffic(100)) bench.Send(frame.Bytes, new PortId(frame.Port), frame.Time);
        bench.RunUntilIdle(long.MaxValue);
        Assert.InRange(bench.IntervalsIn().Skip(20).Max(), 2, s_services[service].Interval);
    }

    private static List<IncomingFrame> Traffic(int count)
    {
        var random = new Random(41);
        return [.. Enumerable.Range(0, count).Select(i =>
        {
            var bytes = new byte[60];
            random.NextBytes(bytes);
            // Often the same few, so that a frame meets what the one ahead has written.
            if (random.Next(3) > 0) (bytes[4], bytes[5]) = (0, (byte)random.Next(4));
            if (random.Next(3) > 0) (bytes[10], bytes[11]) = (0, (byte)random.Next(4));
            return new IncomingFrame(i % 4, bytes, 1_700_000_000_000_000_000 + (ulong)i * 500);
        })];
    }
}
