using Microsoft.CodeAnalysis;

namespace Emu.Fuzz;

/// <summary>Random programs on every rung.</summary>
internal static class Fuzzer
{
    /// <summary>Generates programs, compiles them together, and runs each.</summary>
    /// <param name="seeds">One program each; its frames come from the same seed.</param>
    /// <param name="frames">How many frames a program gets.</param>
    /// <param name="level">The C# compiler's.</param>
    /// <param name="rungs">Where.</param>
    /// <returns>Each program that failed, and how.</returns>
    public static IEnumerable<Failure> Run(IReadOnlyList<ulong> seeds, int frames, OptimizationLevel level, IReadOnlyList<Rung> rungs)
    {
        var subjects = Subjects(seeds, level);
        foreach (var rung in rungs) rung.Prepare(subjects);
        foreach (var (seed, subject) in seeds.Zip(subjects))
            if (Difference(subject, FrameGenerator.Generate(seed, frames), rungs) is { } difference) yield return new Failure(seed, level, difference);
    }

    /// <summary>Generates programs and compiles them together.</summary>
    public static List<Subject> Subjects(IReadOnlyList<ulong> seeds, OptimizationLevel level)
    {
        var files = seeds.Select(seed => ($"Program{seed}.cs", ProgramGenerator.Generate(seed)));
        var assembly = SourceAssembly.Load(SourceAssembly.Parse($"Programs{seeds[0]}.{level}", level, files));
        return [.. seeds.Select(seed => SubjectOf(assembly.GetType($"Program{seed}")!))];
    }

    /// <summary>How one text differs between rungs; null when it does not, or is no program.</summary>
    public static string? Check(string text, ulong seed, int frames, OptimizationLevel level, IReadOnlyList<Rung> rungs)
    {
        var compilation = SourceAssembly.Parse("Program", level, [("Program.cs", text)]);
        if (compilation.GetDiagnostics().Any(d => d.Severity == DiagnosticSeverity.Error)) return null;
        var type = SourceAssembly.Load(compilation).GetTypes().FirstOrDefault(t => t.IsSubclassOf(typeof(Service)) && !t.IsAbstract);
        return type is null ? null : Difference(SubjectOf(type), FrameGenerator.Generate(seed, frames), rungs);
    }

    /// <summary>The first difference between rungs, an exception among them; null when there is none.</summary>
    public static string? Difference(Subject subject, IReadOnlyList<ReceivedFrame> frames, IReadOnlyList<Rung> rungs)
    {
        try
        {
            return Ladder.Difference(subject, frames, rungs);
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
/// <param name="Difference">How it differs.</param>
internal sealed record Failure(ulong Seed, OptimizationLevel Level, string Difference);
