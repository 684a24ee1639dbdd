using System.CommandLine;
using Emu.Compiler.Layouts;
using Emu.Compiler.Reports;
using Emu.Compiler.Reports.Page;
using Emu.Hosting;
using Emu.Simulation;

namespace Emu.Tool;

/// <summary><c>emu compile</c></summary>
internal static class CompileVerb
{
    private const string Report = "report.json";
    private const string Page = "report.html";
    private const string Name = "compile";

    private static readonly HardwareArguments s_hardware = new();
    private static readonly DirectionArguments s_direction = new();

    private static readonly Option<string?> s_out =
        new("--out") { Description = "The folder for the Verilog and the report (build/TOP)", HelpName = "DIR" };

    private static readonly Option<int> s_ports =
        HardwareArguments.Number(
            "--ports",
            $"Ports, 1 to {HardwareOptions.MaxPorts}: {HardwareOptions.DefaultPorts} MAC ports, then the host's queues",
            "N", HardwareOptions.DefaultPorts);

    private static readonly Option<int?> s_interval =
        HardwareArguments.Number(
            "--interval",
            "The most cycles that a frame of 60 bytes may take; a circuit that takes more is refused",
            "CYCLES");

    private static readonly Option<string?> s_frames = new("--frames")
    {
        Description = "A capture: its frames choose the layout, and latency and intervals are theirs, by kind; "
            + "those of a pcapng's interface 1 come by port 1",
        HelpName = "FILE",
    };

    private static readonly Option<string?> s_before = new("--before")
    {
        Description = "A capture: its frames go in first, and those that are measured find the state that they leave",
        HelpName = "FILE",
    };

    private static readonly Option<bool> s_json =
        new("--json") { Description = $"Print {Report} instead of a summary" };

    private static readonly Option<bool> s_passes =
        new("--passes") { Description = "Print the steps of the compiler, and compile nothing" };

    private static readonly Option<string?> s_against = new("--against")
    {
        Description = $"A {Report} of before: what differs is printed, and shown in {Page}",
        HelpName = "FILE",
    };

    private static readonly Option<string?> s_with = new("--with")
    {
        Description = "kiwic: write the service as a program of the clock level instead, and have KiwiC compile it "
            + "where KIWIC names its home",
        HelpName = "COMPILER",
    };

    private static readonly Option<string?> s_dump = new("--dump")
    {
        Description = "Write the IR behind each run of a pass to DIR/passes; all for every pass",
        HelpName = "PASS",
    };

    /// <summary>Makes the verb.</summary>
    /// <param name="own">The command line before <c>--</c>.</param>
    /// <param name="serviceArguments">The command line behind <c>--</c>.</param>
    public static Command Create(string[] own, string[] serviceArguments)
    {
        var service = new Argument<string?>("service")
        {
            Description = "A service's name (./emu list), the path of your own project, "
                + "or a program of the clock level: its class, its .cs file or its project",
            HelpName = "SERVICE",
            Arity = ArgumentArity.ZeroOrOne,
        };
        const string What =
            "Compile a service to Verilog, with a report. Example: ./emu compile LearningSwitch --out build/switch";
        var verb = new Command(Name, ServiceHelp.Description(Name, What, own))
        {
            service, s_out, s_ports, s_interval, s_frames, s_before, s_against, s_json, s_passes, s_dump, s_with,
        };
        s_hardware.AddTo(verb);
        s_direction.AddTo(verb);
        verb.SetAction(parsed =>
        {
            var name = parsed.GetValue(service);
            if (name is not null && ClockedCatalog.Find(name) is { } program)
                return ClockedCompilation.Run(program, parsed.GetValue(s_out));
            if (!parsed.GetValue(s_passes)) return Compile(parsed, Find(name), serviceArguments);
            foreach (var line in PassDump.List()) Console.Out.WriteLine(line);
            return 0;
        });
        return verb;
    }

    private static Type Find(string? service) => service is null
        ? throw CommandException.Usage($"{Name}: name a service (./emu list), or the path of your own project")
        : ServiceCatalog.Find(service);

    private static int Compile(ParseResult parsed, Type type, IReadOnlyList<string> given)
    {
        var options = s_hardware.Options(
            parsed, HardwareArguments.In("--ports", parsed.GetValue(s_ports), 1, HardwareOptions.MaxPorts));
        int? interval = parsed.GetValue(s_interval) is { } asked ? HardwareArguments.Interval(asked) : null;
        if (parsed.GetValue(s_with) is { } compiler)
        {
            var own = s_hardware.ServiceArguments(parsed, type, given);
            return DialectCompilation.Run(compiler, type, own, options, parsed.GetValue(s_out));
        }
        var layout = s_hardware.LayoutOf(parsed);
        var dump = parsed.GetValue(s_dump) is { } pass ? PassDump.Check(pass) : null;
        var before = parsed.GetValue(s_against) is { } other ? ReadReport(other) : null;
        var mostLuts = s_hardware.Luts(parsed);
        int? fills = s_hardware.FillsLuts(parsed) ? mostLuts : null;
        var arguments = s_hardware.ServiceArguments(parsed, type, given);
        type = s_direction.Woven(parsed, type, arguments, drawsKey: false);
        var traffic = MeasuringFrames.For(
            arguments, parsed.GetValue(s_frames), parsed.GetValue(s_before), options.Ports);

        LayoutChoice Made(HardwareOptions device) =>
            ServiceCompiler.Fastest(type, arguments, device, layout, traffic, fills);
        var chosen = Made(
            interval is { } wanted ? options with { Interval = wanted, IsIntervalAsked = true } : options);
        if (interval is { } most
            && IntervalLimit.WhyNot(chosen, most, least => Made(options with { Interval = least })) is { } refusal)
            throw CommandException.Failure(ServiceCompiler.Line(refusal));

        var report = ReportBuilder.Of(chosen.Fastest, arguments, mostLuts, chosen.Other);
        var folder = parsed.GetValue(s_out) ?? Path.Combine("build", report.Top);
        var compiled = chosen.Fastest.Compiled;
        var against = before is null ? null : ReportComparison.Of(before, report);
        Write(folder, report, compiled.Verilog, against);
        if (dump is not null)
        {
            PassDump.Write(
                dump, folder,
                observer => ServiceCompiler.Compile(type, arguments, compiled.Options, layout, observer));
        }
        if (parsed.GetValue(s_json)) Console.Out.Write(report.ToJson());
        else foreach (var line in CompileSummary.Lines(report, folder, against)) Console.Out.WriteLine(line);
        foreach (var line in CompileSummary.Diagnostics(report)) Console.Error.WriteLine($"emu: {line}");
        // A clock that was asked for and is not met is a failure, as an interval is; the files are there all the same.
        return s_hardware.HasClock(parsed) && report.Diagnostics.Any(d => d.Number == CircuitWarnings.LongPathNumber)
            ? 1
            : 0;
    }

    private static CompileReport ReadReport(string file)
    {
        try
        {
            return CompileReport.FromJson(File.ReadAllText(file));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw CommandException.Usage($"{Name}: --against: {exception.Message}");
        }
        catch (FormatException exception)
        {
            throw CommandException.Usage(
                $"{Name}: --against {file}: no {Report} of this version of Emu: {exception.Message}");
        }
    }

    private static void Write(string folder, CompileReport report, string verilog, ReportComparison? against)
    {
        Directory.CreateDirectory(folder);
        File.WriteAllText(Path.Combine(folder, report.Files[0]), verilog);
        File.WriteAllText(Path.Combine(folder, Report), report.ToJson());
        File.WriteAllText(Path.Combine(folder, Page), ReportPage.Of(report, SourceText.Read, against));
    }
}
