using Emu.Compiler;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;
using Emu.Compiler.Passes;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary>Compiles a service; what cannot be compiled is one line for the user.</summary>
internal static class ServiceCompiler
{
    /// <summary>Compiles.</summary>
    /// <param name="type">The service's class.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="options">The device.</param>
    /// <param name="layout">The layout; null for the fastest.</param>
    /// <param name="observer">Told of each pass; null for nobody.</param>
    /// <exception cref="CommandException">The service cannot be constructed or compiled.</exception>
    public static CompiledService Compile(
        Type type, IReadOnlyList<string> arguments, HardwareOptions options, Layout? layout,
        PassObserver? observer = null)
    {
        var service = Construction.Of(type, arguments);
        using var progress = Progress.Of($"compiling {type.Name}");
        progress.Note("translation");
        observer += (pass, _) => progress.Note(pass);
        try
        {
            return HardwareCompiler.Compile(service, options, layout, observer);
        }
        catch (CompileException exception)
        {
            throw CommandException.Failure(Line(exception));
        }
    }

    /// <summary>
    /// Compiles to the layout that takes the fewest cycles for some frames, and measures it; of engines to as many as
    /// are asked for.
    /// </summary>
    /// <param name="type">The service's class.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="options">The device.</param>
    /// <param name="layout">The layout that was asked for; null for the fastest.</param>
    /// <param name="traffic">The frames.</param>
    /// <param name="luts">
    /// The LUTs within which engines are added until they keep pace with the line; null for as many engines as the
    /// options say.
    /// </param>
    /// <exception cref="CommandException">The service cannot be constructed or compiled.</exception>
    public static LayoutChoice Fastest(
        Type type, IReadOnlyList<string> arguments, HardwareOptions options, Layout? layout, TestTraffic traffic,
        int? luts = null)
    {
        var choice = layout is null
            ? LayoutChoice.Of(any => Compile(type, arguments, options, any), traffic, Measure)
            : new LayoutChoice(Measure(Compile(type, arguments, options, layout), traffic), null);
        return luts is null
            ? choice
            : choice with
            {
                Fastest = EngineCount.Within(
                    choice.Fastest, HardwareArguments.CyclesAtLineRate(type, options), luts.Value,
                    engines => Measure(
                        Compile(type, arguments, options with { Engines = engines }, Layout.Engine),
                        choice.Fastest.Traffic)),
            };
    }

    /// <summary>Measures a circuit; says how far it is.</summary>
    public static Measurement Measure(CompiledService compiled, TestTraffic traffic)
    {
        using var progress = Progress.Of($"measuring {compiled.Service}, {ReportBuilder.NameOf(compiled.Layout)}");
        return Measurement.Of(compiled, traffic, progress.Note);
    }

    /// <summary><c>EMU0007 file:line: what; in Method, called from file:line (Method)</c>.</summary>
    public static string Line(CompileException exception)
    {
        if (exception.Location is not { } location) return $"EMU{exception.Number:D4} {exception.Reason}";
        var path = $"in {location.Method}";
        for (var caller = location.Caller; caller is not null; caller = caller.Caller)
            path += $", called from {Place(caller)}";
        var place = location.Line > 0 ? $" {File(location)}:{location.Line}:" : "";
        return $"EMU{exception.Number:D4}{place} {exception.Reason}; {path}";
    }

    private static string Place(SourceLocation location) =>
        location.Line > 0 ? $"{File(location)}:{location.Line} ({location.Method})" : location.Method;

    /// <summary>Relative to where the user is, if it is below.</summary>
    private static string File(SourceLocation location)
    {
        var relative = Path.GetRelativePath(Environment.CurrentDirectory, location.File);
        return relative.StartsWith("..", StringComparison.Ordinal) ? location.File : relative;
    }
}
