using Emu.Direction.Weaving;
using Emu.Fuzz;
using Emu.Testing;
using Microsoft.CodeAnalysis;
using Mono.Cecil;

namespace Emu.Direction.Tests;

/// <summary>
/// Random programs with random features woven in, and direction packets between their random frames: every rung does
/// the same, so the transcript of the session is one on all. EMU_FUZZ_FROM and EMU_FUZZ_COUNT choose others.
/// </summary>
public sealed class RandomWovenTests : IDisposable
{
    private const int Frames = 60, Probes = 2;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("emu-random-");

    private static ulong First => ulong.Parse(Environment.GetEnvironmentVariable("EMU_FUZZ_FROM") ?? "1");

    private static int Count =>
        Environment.GetEnvironmentVariable("EMU_FUZZ_COUNT") is { } count ? int.Parse(count)
        : Tier.IsAll ? 100
        : Tier.IsFast ? 1
        : 2;

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData(OptimizationLevel.Debug)]
    [InlineData(OptimizationLevel.Release)]
    public void A_random_program_with_random_features_is_one_on_every_rung(OptimizationLevel level)
    {
        var offset = level == OptimizationLevel.Debug ? 0 : (ulong)Count;
        foreach (var seed in Enumerable.Range(0, Count).Select(i => First + offset + (ulong)i)) Check(seed, level);
    }

    private void Check(ulong seed, OptimizationLevel level)
    {
        var random = new Random((int)seed);
        var program = SourceAssembly.LoadWithSymbols(
            SourceAssembly.Parse(
                $"Program{seed}.{level}", level, [($"Program{seed}.cs", ProgramGenerator.Generate(seed))]),
            _folder.FullName).GetType($"Program{seed}")!;
        using var woven = new Woven();
        var (features, commands) = Direction(program, random);
        try
        {
            var type = woven.Load(program, string.Join(',', features));
            Woven.CompileAll(type);
            Ladder.Check(
                () => (Service)Activator.CreateInstance(type)!, Session(seed, commands),
                new LadderOptions { Ports = Subject.Ports, Outside = Outside(seed), OutsideFrames = 40 });
        }
        catch (Exception exception)
        {
            Assert.Fail(
                $"{level}, seed {seed}, {string.Join(',', features)}: {string.Join("; ", commands)}: {exception}\n"
                + ProgramGenerator.Generate(seed));
        }
    }

    /// <summary>The first runs in Icarus; of many one of ten in Verilator too, which takes long to build.</summary>
    private static OutsideSimulators Outside(ulong seed) =>
        Tier.IsAll && seed % 10 == 0 ? OutsideSimulators.All
        : Tier.IsAll || seed == First ? OutsideSimulators.Icarus
        : OutsideSimulators.None;

    /// <summary>Random features of a program, and commands for them.</summary>
    private static (List<string> Features, List<string> Commands) Direction(Type program, Random random)
    {
        using var module = ModuleDefinition.ReadModule(
            program.Assembly.Location, new ReaderParameters { ReadSymbols = true });
        var service = module.GetType(program.FullName);
        var variables = StateVariables.Of(service);
        var found = new ServiceEvents(service, new ServiceParts(service));
        var events = found.All(variables).ToArray();
        random.Shuffle(events);
        List<string> commands = [];
        List<string> features = [variables.Count == 0 ? "status" : random.Next(2) == 0 ? "print" : "print,set"];
        foreach (var probed in events.Take(Probes))
        {
            var condition = random.Next(3) == 0 ? ""
                : probed.Value is { } own && random.Next(2) == 0 ? $" if {own.Name} < {random.Next(200)}"
                : $" if frame.Length {(random.Next(2) == 0 ? ">" : "<=")} 90";
            var (feature, command, end) = (random.Next(3), probed.Kind) switch
            {
                (0, Language.EventKind.Calls) => ($"break:{probed.Name}", $"break {probed.Name}", "continue"),
                (0, Language.EventKind.Writes) => ($"watch:{probed.Name}", $"watch {probed.Name}", "continue"),
                (1, Language.EventKind.Writes) =>
                    ($"trace:{probed.Name}", $"trace start {probed.Name}", $"trace full {probed.Name}"),
                _ => ($"count:{probed.Text}", $"count {probed.Text}", $"count print {probed.Text}"),
            };
            features.Add(feature + (condition.Contains("frame") ? "+frame.Length" : ""));
            commands.AddRange([command + condition, "status", end]);
        }
        foreach (var variable in variables.OrderBy(_ => random.Next()).Take(3))
        {
            var name = variable.Name.Replace("[]", $"[{random.Next(3)}]");
            commands.Add(random.Next(2) == 0 ? $"print {name}" : $"set {name} = {random.Next(2)}");
        }
        commands.AddRange(["continue", "status", "continue"]);
        return (features, commands);
    }

    private static IReadOnlyList<IncomingFrame> Session(ulong seed, List<string> commands)
    {
        var session = new RecordedSession(FrameGenerator.Generate(seed, Frames));
        // Some pauses are long enough for ticks.
        foreach (var (i, command) in commands.Index()) session.Do(command).Wait(i % 3);
        return session.Frames;
    }
}
