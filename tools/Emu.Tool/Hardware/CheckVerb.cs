using System.CommandLine;
using System.Globalization;
using System.Reflection;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;

namespace Emu.Tool;

/// <summary><c>emu check</c>: how fast a service's circuit is, why not faster, and whether that is enough.</summary>
internal static class CheckVerb
{
    private const string Name = "check";
    private const int ReportedLuts = int.MaxValue;

    private static readonly HardwareArguments s_hardware = new();

    private static readonly Option<int?> s_interval = HardwareArguments.Number(
        "--interval", "The most cycles that a frame of 60 bytes may take", "CYCLES");

    private static readonly Option<string?> s_frames = new("--frames")
    {
        Description = "A capture: its frames choose the layout, and intervals are theirs; "
            + "those of a pcapng's interface 1 come by port 1",
        HelpName = "FILE",
    };

    private static readonly Option<string?> s_before = new("--before")
    {
        Description = "A capture: its frames go in first, and those that are measured find the state that they leave",
        HelpName = "FILE",
    };

    /// <summary>Makes the verb.</summary>
    /// <param name="own">The command line before <c>--</c>.</param>
    /// <param name="serviceArguments">The command line behind <c>--</c>.</param>
    public static Command Create(string[] own, string[] serviceArguments)
    {
        var service = new Argument<string>("service")
        {
            Description = "A service's name (./emu list), or the path of your own project",
            HelpName = "SERVICE",
        };
        const string What =
            "Say what bounds a service's circuit, and what to do about it; write no file. Exit code 1 when it is "
            + "slower than [LineRate] on its class, --interval or --clock ask. Example: ./emu check LearningSwitch";
        var verb = new Command(Name, ServiceHelp.Description(Name, What, own))
        {
            service, s_interval, s_frames, s_before,
        };
        s_hardware.AddTo(verb);
        verb.SetAction(parsed => Check(parsed, ServiceCatalog.Find(parsed.GetValue(service)!), serviceArguments));
        return verb;
    }

    private static int Check(ParseResult parsed, Type type, IReadOnlyList<string> given)
    {
        var options = s_hardware.Options(parsed, HardwareOptions.DefaultPorts);
        int? interval = parsed.GetValue(s_interval) is { } asked ? HardwareArguments.Interval(asked) : null;
        var layout = s_hardware.LayoutOf(parsed);
        var arguments = s_hardware.ServiceArguments(parsed, type, given);
        var traffic = MeasuringFrames.For(arguments, parsed.GetValue(s_frames), parsed.GetValue(s_before));
        if (interval is { } wanted) options = options with { Interval = wanted, IsIntervalAsked = true };
        int? fills = s_hardware.FillsLuts(parsed) ? s_hardware.Luts(parsed) : null;
        var chosen = ServiceCompiler.Fastest(type, arguments, options, layout, traffic, fills);
        var report = ReportBuilder.Of(chosen.Fastest, arguments, fills ?? ReportedLuts, chosen.Other);
        Console.Out.WriteLine(Headline(report));
        foreach (var line in CompileSummary.Together(report.Measurement)) Console.Out.WriteLine(line);
        foreach (var line in CompileSummary.Bounds(report)) Console.Out.WriteLine(line);

        var cycles = (int)chosen.Fastest.Main.Interval;
        var isMet = true;
        if (interval is { } most) isMet &= Tell($"--interval {most}", cycles, most);
        if (type.GetCustomAttribute<LineRateAttribute>() is { } rate)
            isMet &= Tell(
                string.Create(CultureInfo.InvariantCulture, $"{rate.Gigabits} Gbit/s"), cycles,
                rate.MostCycles(options.ClockMHz));
        var isLong = report.Diagnostics.Any(d => d.Number == CircuitWarnings.LongPathNumber);
        foreach (var line in CompileSummary.Diagnostics(report)) Console.Out.WriteLine($"  {line}");
        return isMet && !(isLong && s_hardware.HasClock(parsed)) ? 0 : 1;
    }

    private static string Headline(CompileReport report)
    {
        var (bytes, cycles) = report.IntervalCycles.First();
        return $"{report.Service}: {report.Layout}, a frame of {bytes} bytes every {Cycles(cycles)} at "
            + $"{report.ClockMhz} MHz on {report.Device}, about {report.Resources.Luts:N0} LUT";
    }

    private static bool Tell(string asked, int cycles, int most)
    {
        var isMet = cycles <= most;
        Console.Out.WriteLine(
            $"  {"asked for",-10} {asked}, at most {Cycles(most)} a frame: {(isMet ? "met" : $"not met, {cycles}")}");
        return isMet;
    }

    private static string Cycles(long count) => count == 1 ? "1 cycle" : $"{count} cycles";
}
