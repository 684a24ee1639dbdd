using System.Diagnostics;
using Microsoft.CodeAnalysis;

namespace Emu.Fuzz;

/// <summary>Many random programs, one seed after the other; each failure is made small and written to a file.</summary>
/// <param name="first">
/// The first seed. Even seeds are compiled as Debug, odd ones as Release, so that a seed says all.
/// </param>
/// <param name="frames">The number of frames that a program gets.</param>
/// <param name="outside">
/// A simulator of the field, which the programs run in and not on the managed rungs; null for those.
/// </param>
/// <param name="folder">For the files of failures; made when needed.</param>
internal sealed class Campaign(ulong first, int frames, OutsideSimulator? outside, string folder)
{
    private const int Batch = 100;
    private static readonly TimeSpan s_betweenLines = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan s_longestShrinking = TimeSpan.FromMinutes(1);

    private readonly Stopwatch _watch = Stopwatch.StartNew();
    private readonly Stopwatch _generating = new();
    private readonly Stopwatch _promising = new();
    private readonly LayoutCounts _layouts = new();
    private readonly IReadOnlyList<TimedRung> _rungs =
        [.. (outside is null ? Fuzzer.Quick : [new DotNetRung(), new OutsideRung(outside)])
            .Select(rung => new TimedRung(rung))];
    private int _programs;
    private int _failures;

    /// <summary>Runs programs until one of the limits is reached, and prints how it goes.</summary>
    /// <returns>The number of programs that failed.</returns>
    public int Run(TimeSpan time, int programs)
    {
        var nextLine = s_betweenLines;
        while (_watch.Elapsed < time && _programs < programs)
        {
            var seeds = Enumerable.Range(_programs, Math.Min(Batch, programs - _programs))
                .Select(i => first + (ulong)i).ToList();
            foreach (var level in seeds.GroupBy(LevelOf)) Run([.. level], level.Key);
            _programs += seeds.Count;
            if (_watch.Elapsed < nextLine) continue;
            Console.WriteLine($"{_watch.Elapsed.TotalSeconds,6:0} s  {Counts}");
            nextLine = _watch.Elapsed + s_betweenLines;
        }
        Console.WriteLine(Counts);
        Console.WriteLine(_layouts);
        Console.WriteLine(
            $"seconds: C# {_generating.Elapsed.TotalSeconds:0}, "
            + $"{string.Join(", ", _rungs.Select(r => $"{r.Name} {r.Time.TotalSeconds:0}"))}, "
            + $"promises {_promising.Elapsed.TotalSeconds:0}");
        return _failures;
    }

    private IReadOnlyList<Rung> Judges => outside is null ? Fuzzer.Judges : _rungs;

    private string Counts => $"{_programs} programs, {(long)_programs * frames} frames, {_failures} failures";

    private static OptimizationLevel LevelOf(ulong seed) =>
        seed % 2 == 0 ? OptimizationLevel.Debug : OptimizationLevel.Release;

    private void Run(IReadOnlyList<ulong> seeds, OptimizationLevel level)
    {
        _generating.Start();
        var subjects = Fuzzer.Subjects(seeds, level);
        _generating.Stop();
        foreach (var failure in Fuzzer.Run(seeds, subjects, frames, level, _rungs, Judges)) Report(failure);
        foreach (var (seed, subject) in seeds.Zip(subjects)) Judge(seed, level, subject);
    }

    /// <summary>Counts a program's layout, and holds what is said of its circuit against what is so.</summary>
    private void Judge(ulong seed, OptimizationLevel level, Subject subject)
    {
        _layouts.Count(subject);
        if (outside is not null) return;
        _promising.Start();
        var broken = Fuzzer.Guarded(() => Promises.Broken(subject, FrameGenerator.Generate(seed, frames)));
        _promising.Stop();
        if (broken is null) return;
        _failures++;
        Directory.CreateDirectory(folder);
        var file = Path.GetFullPath(Path.Combine(folder, $"Program{seed}.cs"));
        Write(file, new Failure(seed, level, broken), ProgramGenerator.Generate(seed));
        Console.WriteLine($"seed {seed}, {level}: {broken.Split('\n')[0]}: {file}");
    }

    private void Report(Failure failure)
    {
        _failures++;
        Directory.CreateDirectory(folder);
        var file = Path.GetFullPath(Path.Combine(folder, $"Program{failure.Seed}.cs"));
        var text = ProgramGenerator.Generate(failure.Seed);
        Write(file, failure, text);
        Console.WriteLine($"seed {failure.Seed}, {failure.Level}: {failure.Difference.Split('\n')[0]}: {file}");
        var (small, difference) = Shrink(text, failure);
        Write(file, failure with { Difference = difference }, small);
    }

    private static void Write(string file, Failure failure, string text) =>
        File.WriteAllText(
            file,
            $"// Seed {failure.Seed}, {failure.Level}:\n// {failure.Difference.ReplaceLineEndings("\n// ")}\n{text}");

    private (string Text, string Difference) Shrink(string text, Failure failure)
    {
        var watch = Stopwatch.StartNew();
        // Only where it fails, since the others take time.
        var few = Judges.Skip(1).Select(rung => (IReadOnlyList<Rung>)[Judges[0], rung])
            .FirstOrDefault(pair => Check(text, pair) is not null);
        if (few is null) return (text, failure.Difference);
        var small = Minimiser.Shrink(
            text, shorter => watch.Elapsed < s_longestShrinking && Check(shorter, few) is not null);
        return (small, Check(small, few) ?? failure.Difference);

        string? Check(string program, IReadOnlyList<Rung> where) =>
            Fuzzer.Check(program, failure.Seed, frames, failure.Level, where);
    }
}
