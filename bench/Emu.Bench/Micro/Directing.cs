using System.Diagnostics;
using System.Runtime.Loader;
using Emu.Direction.Weaving;
using Emu.Hosting;
using Emu.Services;
using Emu.Testing;

namespace Emu.Bench;

/// <summary>
/// A switch with direction of which no command is active, beside the same without. They run in turn, in rounds so short
/// that most of them are not interrupted.
/// </summary>
internal sealed class Directing : IDisposable
{
    private const int Rounds = 1000, EventsInRound = 10_000;
    private const string Goal = "≥ 0.97";
    private static readonly MacAddress s_one = new(0x0200_0000_0001), s_other = new(0x0200_0000_0002);
    private static readonly string[] s_features =
        ["", "print,set", "count:writes Forwarded,trace:Forwarded", "break:Process,watch:Forwarded", "count", "trace",
        "break", "watch"];

    private readonly Sink _sink = new();
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-bench-");
    private readonly byte[] _memory = new byte[FrameLength.Header + 4 + FrameLength.DefaultMtu];
    private readonly byte[] _hit = Packet.Ethernet(s_one, s_other).Payload("").PaddedTo(60);

    /// <summary>The rates of the woven switches, for each list of features.</summary>
    public static IEnumerable<Ratio> Run()
    {
        using var directing = new Directing();
        return directing.Measure();
    }

    public void Dispose() => _folder.Delete(recursive: true);

    private List<Ratio> Measure()
    {
        EventSequence[] all = [Start(new LearningSwitch()), .. s_features.Select(features => Start(Woven(features)))];
        for (var warm = Stopwatch.StartNew(); warm.Elapsed.TotalSeconds < Benchmarks.WarmUpSeconds * all.Length;)
            foreach (var sequence in all) Time(sequence);
        var rounds = Enumerable.Range(0, Rounds).Select(_ => all.Select(Time).ToArray()).ToList();
        return
        [
            .. s_features.Select((features, i) => Ratio.Of(
                $"LearningSwitch, hit, 60 B: rate, woven with {features} / unwoven",
                rounds.Select(round => round[0] / round[i + 1]), Goal,
                $"{Ratio.MedianOf(rounds.Select(round => round[i + 1])):F1} / "
                + $"{Ratio.MedianOf(rounds.Select(round => round[0])):F1} ns")),
        ];
    }

    /// <summary>The nanoseconds of an event, over those of a round.</summary>
    private double Time(EventSequence sequence)
    {
        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < EventsInRound; i++) Receive(sequence, _hit);
        return Stopwatch.GetElapsedTime(start).TotalNanoseconds / EventsInRound;
    }

    private EventSequence Start(Service service)
    {
        var sequence = new EventSequence(service, 2, _sink);
        byte[] learned = Packet.Ethernet(s_other, s_one).Payload("").PaddedTo(60);
        Receive(sequence, learned, new PortId(1));
        return sequence;
    }

    private Service Woven(string features)
    {
        var type = typeof(LearningSwitch);
        var options = new WeaveOptions(DirectionFeatures.Parse(features), Key: 1, new MacAddress(0x0200_0000_00EE));
        var folder = Path.Combine(_folder.FullName, features.Replace(':', '-'));
        var assembly = ServiceWeaver.Weave(type.Assembly.Location, type.FullName!, folder, options);
        var woven = new AssemblyLoadContext(features).LoadFromAssemblyPath(assembly).GetType(type.FullName!)!;
        var constructor = woven.GetConstructors().Single();
        return (Service)constructor.Invoke([.. constructor.GetParameters().Select(p => p.DefaultValue)]);
    }

    private void Receive(EventSequence sequence, byte[] frame, PortId ingress = default)
    {
        frame.CopyTo(_memory, 0);
        sequence.Receive(ingress, _memory, frame.Length, 0);
    }

    private sealed class Sink : IFrameOutput
    {
        public void Send(ReadOnlySpan<byte> bytes, PortSet ports, ulong time)
        {
        }
    }
}
