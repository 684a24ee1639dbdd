using Emu.Compiler.Layouts;
using Emu.Simulation;
using Microsoft.CodeAnalysis;

namespace Emu.Fuzz;

/// <summary>Random programs on every rung.</summary>
internal static class Fuzzer
{
    private const string BackToBack = "the fastest layout, back to back";

    /// <summary>No program is so large: the compiler does the same many times over, or a circuit hangs.</summary>
    private static readonly TimeSpan s_long = TimeSpan.FromSeconds(60);

    /// <summary>The managed rungs, each circuit made once and not watched for long when it is done.</summary>
    public static IReadOnlyList<Rung> Quick { get; } =
    [
        new DotNetRung(),
        new InterpreterRung(),
        new CircuitIRRung(),
        new CircuitRung(
            "the fastest layout, with stalls", null, StallPattern.Random(3, 0.3), StallPattern.Random(5, 0.4)),
        new CircuitRung(BackToBack, null),
        new CircuitRung("the engine", Layout.Engine),
    ];

    /// <summary>
    /// The rungs on which a difference must show again: these wait longer for a circuit, and share nothing.
    /// </summary>
    public static IReadOnlyList<Rung> Judges { get; } = [.. Ladder.Rungs, new HardwareRung(BackToBack, null)];

    /// <summary>Generates programs, compiles them together, and runs each on the managed rungs.</summary>
    /// <param name="seeds">One program each; its frames come from the same seed.</param>
    /// <param name="frames">The number of frames that a program gets.</param>
    /// <param name="level">The C# compiler's.</param>
    /// <returns>Each program that failed, and how.</returns>
    public static IEnumerable<Failure> Run(IReadOnlyList<ulong> seeds, int frames, OptimizationLevel level) =>
        Run(seeds, Subjects(seeds, level), frames, level, Quick, Judges);

    /// <summary>Runs programs.</summary>
    /// <param name="seeds">One program each; its frames come from the same seed.</param>
    /// <param name="subjects">The programs.</param>
    /// <param name="frames">The number of frames that a program gets.</param>
    /// <param name="level">The C# compiler's.</param>
    /// <param name="rungs">The rungs to run on.</param>
    /// <param name="judges">The rungs on which a program that failed on those must fail too.</param>
    /// <returns>Each program that failed, and how.</returns>
    public static IEnumerable<Failure> Run(
        IReadOnlyList<ulong> seeds, IReadOnlyList<Subject> subjects, int frames, OptimizationLevel level,
        IReadOnlyList<Rung> rungs, IReadOnlyList<Rung> judges)
    {
        foreach (var rung in rungs) rung.Prepare(subjects);
        foreach (var (seed, subject) in seeds.Zip(subjects))
        {
            using var isLong = new Timer(
                _ => Console.Error.WriteLine($"seed {seed} takes longer than {s_long.TotalSeconds} s"),
                null, s_long, Timeout.InfiniteTimeSpan);
            if (Difference(subject, FrameGenerator.Generate(seed, frames), rungs) is null) continue;
            if (Check(ProgramGenerator.Generate(seed), seed, frames, level, judges) is { } difference)
                yield return new Failure(seed, level, difference);
        }
    }

    /// <summary>Generates programs and compiles them together.</summary>
    /// <param name="seeds">One program each.</param>
    /// <param name="level">The C# compiler's.</param>
    /// <param name="generate">Writes the program of a seed; null for one of any kind.</param>
    public static List<Subject> Subjects(
        IReadOnlyList<ulong> seeds, OptimizationLevel level, Func<ulong, string>? generate = null)
    {
        generate ??= ProgramGenerator.Generate;
        var files = seeds.Select(seed => ($"Program{seed}.cs", generate(seed)));
        var assembly = SourceAssembly.Load(SourceAssembly.Parse($"Programs{seeds[0]}.{level}", level, files));
        return [.. seeds.Select(seed => SubjectOf(assembly.GetType($"Program{seed}")!))];
    }

    /// <summary>
    /// The difference between rungs for one text; null when there is none, or the text is no program.
    /// </summary>
    public static string? Check(string text, ulong seed, int frames, OptimizationLevel level, IReadOnlyList<Rung> rungs)
    {
        var compilation = SourceAssembly.Parse("Program", level, [("Program.cs", text)]);
        if (compilation.GetDiagnostics().Any(d => d.Severity == DiagnosticSeverity.Error)) return null;
        var type = SourceAssembly.Load(compilation).GetTypes()
            .FirstOrDefault(t => t.IsSubclassOf(typeof(Service)) && !t.IsAbstract);
        return type is null ? null : Difference(SubjectOf(type), FrameGenerator.Generate(seed, frames), rungs);
    }

    /// <summary>The first difference between rungs, an exception among them; null when there is none.</summary>
    private static string? Difference(
        Subject subject, IReadOnlyList<IncomingFrame> frames, IReadOnlyList<Rung> rungs) =>
        Guarded(() => Ladder.Difference(subject, frames, rungs));

    /// <summary>The result of a check, or the exception with which it broke down.</summary>
    public static string? Guarded(Func<string?> check)
    {
        try
        {
            return check();
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            // A generated program is in the subset: to refuse it is a failure, and so is to break down.
            return exception.ToString();
        }
    }

    private static Subject SubjectOf(Type type) => new(() => (Service)Activator.CreateInstance(type)!);
}

/// <summary>A program that does not do the same on every rung.</summary>
/// <param name="Seed">Of the program and its frames.</param>
/// <param name="Level">The C# compiler's.</param>
/// <param name="Difference">The difference.</param>
internal sealed record Failure(ulong Seed, OptimizationLevel Level, string Difference);
