using System.Buffers.Binary;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;
using Emu.Fuzz;
using Emu.Services;
using Emu.Testing;
using Microsoft.CodeAnalysis;
using Compilation = Emu.Compiler.Passes.Compilation;

namespace Emu.Compiler.Tests;

/// <summary>
/// Random programs, and services with checksums, sums of words, moved bytes, named elements of an array, an array of
/// rows, a slow path and a list of rules, through all passes, once for all tests: interpreted anew behind each pass
/// that changes them.
/// </summary>
internal static class PassWalk
{
    private const int Programs = 8, Frames = 24;
    private const ulong FirstSeed = 8001;

    private static readonly Lazy<Dictionary<string, (int Changed, string? Difference)>> s_passes = new(Walk);

    /// <summary>The number of programs that a pass changes, and the first that does not do the same then.</summary>
    public static (int Changed, string? Difference) Of(string pass) => s_passes.Value[pass];

    private static Dictionary<string, (int Changed, string? Difference)> Walk()
    {
        var passes = PassRun.All.Select(pass => pass.Name).Distinct()
            .ToDictionary(name => name, _ => (Changed: 0, Difference: (string?)null));
        foreach (var (name, compilation, frames) in MakePrograms())
        {
            // Passes may trust in what can come.
            var events = frames.Where(f => f.Bytes.Length is >= FrameLength.Header and <= Subject.Capacity).ToList();
            var state = Behaviour.StateOf(compilation.Functions);
            List<string> Seen() => Behaviour.Of(
                compilation.Fast ?? compilation.Process, compilation.Slow, compilation.Tick, state, events);
            var (text, before) = (Printer.Print(compilation.InWork), Seen());
            foreach (var pass in PassRun.All)
            {
                PassList.Run([pass], compilation);
                var printed = Printer.Print(compilation.InWork);
                if (printed == text) continue;
                var after = Seen();
                var (changed, difference) = passes[pass.Name];
                difference ??= before.Zip(after).Where(pair => pair.First != pair.Second)
                    .Select(pair => $"{name}: {pair.Second} instead of {pair.First}").FirstOrDefault();
                passes[pass.Name] = (changed + 1, difference);
                (text, before) = (printed, after);
            }
        }
        return passes;
    }

    private static IEnumerable<(string Name, Compilation Compilation, IReadOnlyList<IncomingFrame> Frames)>
        MakePrograms()
    {
        List<ulong> seeds = [.. Enumerable.Range(0, Programs).Select(i => FirstSeed + (ulong)i)];
        foreach (var (subject, seed) in Fuzzer.Subjects(seeds, OptimizationLevel.Release).Zip(seeds))
            yield return ($"seed {seed}", Translate(subject.Service), FrameGenerator.Generate(seed, Frames));
        foreach (var service in (string[])[nameof(IcmpEcho), nameof(VlanEdge)])
        {
            var frames = Enumerable.Range(0, Frames).Select(i => HardwareSubject.Frame(service, 60 + i, i));
            yield return (service, Translate(HardwareSubject.Construct(service)), FrameSequence.Of(frames));
        }
        var rules = Enumerable.Range(0, 12).Select(i =>
            $"-A FORWARD -p udp --dport {i % 3}:{i / 3 + 2} -m ttl --ttl-eq {i} -j {(i % 2 == 0 ? "ACCEPT" : "DROP")}");
        var filter = Translate(new Filter(rule: [.. rules]));
        yield return (nameof(Filter), filter, FrameSequence.Like(LadderFrames.Requests(), Frames));
        yield return (nameof(Reflector), Translate(new Reflector()), FrameSequence.Random(Frames));
        yield return (nameof(SetsOfWays), Translate(new SetsOfWays(16)), FrameSequence.Random(Frames));
        yield return (nameof(NamedPlaces), Translate(new NamedPlaces()), FrameSequence.Random(Frames));
        yield return (nameof(ClearedPorts), Translate(new ClearedPorts()), FrameSequence.Random(Frames));
        yield return (nameof(AnyTags), Translate(new AnyTags()), FrameSequence.Random(Frames));
        yield return (nameof(RunningMix), Translate(new RunningMix()), FrameSequence.Random(Frames));
        yield return (nameof(RowsOfCells), Translate(new RowsOfCells(5, rows: 9)), FrameSequence.Random(Frames));
        yield return (nameof(AppendedText), Translate(new AppendedText()), FrameSequence.Random(Frames));
        yield return (nameof(Summation), Translate(new Summation()), FrameSequence.Random(Frames));
    }

    private static Compilation Translate(Service service) =>
        HardwareCompiler.Translate(service, Subject.Ports, Subject.Capacity, keepsFrameOperations: true);

    /// <summary>Puts the ones' complement sum of its first eight bytes in front of a frame.</summary>
    private sealed class Summation : Service
    {
        public override void Process(ref Frame frame)
        {
            var words = BinaryPrimitives.ReadUInt64BigEndian(frame.Bytes);
            BinaryPrimitives.WriteUInt16BigEndian(frame.Bytes, InternetChecksum.Finish(words));
            frame.Reply();
        }
    }
}
