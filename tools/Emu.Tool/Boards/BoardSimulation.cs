using System.Diagnostics;
using System.Globalization;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The whole of a project in a simulator of the field.</summary>
internal static class BoardSimulation
{
    private const string Bench = "emu_board_tb";

    private const string Headers = "+incdir+";

    /// <summary>The default simulator.</summary>
    public const string Icarus = "icarus";

    /// <summary>The simulators.</summary>
    public static IReadOnlyList<string> Names { get; } = [Icarus, "verilator"];

    /// <summary>Builds the bench.</summary>
    /// <param name="project">The project's folder.</param>
    /// <param name="work">A folder for what is built.</param>
    /// <param name="simulator">One of <see cref="Names"/>.</param>
    /// <param name="shell">Sources of the shell that take the place of models; none for the models.</param>
    /// <returns>The program and its arguments.</returns>
    /// <exception cref="CommandException">The simulator is not there, or refuses the project.</exception>
    public static (string Program, string[] Arguments) Build(
        string project, string work, string simulator, IReadOnlyList<string> shell)
    {
        var (hdl, sim) = (Path.Combine(project, "hdl"), Path.Combine(project, "sim"));
        var bench = Path.Combine(sim, $"{Bench}.v");
        if (shell.Count > 0) shell = [.. shell, "-DSHELL_QUEUES"];
        if (simulator == Icarus)
        {
            Prerequisites.Install(Prerequisites.Icarus);
            var program = Path.Combine(work, "bench.vvp");
            Run(
                work, "iverilog",
                ["-g2005", .. shell.Select(ForIcarus), "-y", hdl, "-y", sim, "-o", program, bench]);
            return ("vvp", ["-n", program]);
        }
        Prerequisites.Install(Prerequisites.Verilator);
        Run(
            work, "verilator",
            [
                "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-CFLAGS", "-O1", "-j", "2",
                "--top-module", Bench, "-Mdir", Path.Combine(work, "verilator"), .. shell, "-y", hdl, "-y", sim, bench,
            ]);
        return (Path.Combine(work, $"verilator/V{Bench}"), []);
    }

    /// <summary>Accesses registers behind the frames that <c>emu board test</c> gives.</summary>
    /// <param name="project">The project's folder.</param>
    /// <param name="manifest">Its facts.</param>
    /// <param name="accesses">The accesses, in order.</param>
    /// <returns>The words that were read.</returns>
    /// <exception cref="CommandException">The simulator is not there, or the bench fails.</exception>
    public static IReadOnlyList<uint> Read(
        string project, BoardManifest manifest, IReadOnlyList<RegisterAccess> accesses)
    {
        var work = WorkFolder(project, "registers");
        new BoardStimuli(manifest, []).Write(work, accesses);
        var (program, arguments) = Build(Path.GetFullPath(project), work, Icarus, []);
        RunBench(project, work, program, arguments);
        return [.. ReadLog(work).Select(read => read.Value)];
    }

    /// <summary>An argument for Verilator as Icarus takes it: it has its own option for folders of headers.</summary>
    public static string ForIcarus(string argument) =>
        argument.StartsWith(Headers, StringComparison.Ordinal) ? $"-I{argument[Headers.Length..]}" : argument;

    /// <summary>An empty folder for a simulation of a project.</summary>
    public static string WorkFolder(string project, string name)
    {
        var work = Path.Combine(Path.GetFullPath(project), "sim", name);
        if (Directory.Exists(work)) Directory.Delete(work, recursive: true);
        Directory.CreateDirectory(work);
        return work;
    }

    /// <summary>Runs a bench to its end.</summary>
    /// <returns>Its cycles, and the rates in their order.</returns>
    /// <exception cref="CommandException">It has found a fault, or has not come to its end.</exception>
    public static (long Cycles, IReadOnlyList<BenchRate> Rates) RunBench(
        string project, string work, string program, IEnumerable<string> arguments)
    {
        var lines = Run(work, program, arguments).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        if (lines.FirstOrDefault(line => line.StartsWith("FAIL ", StringComparison.Ordinal)) is { } failure)
            throw CommandException.Failure($"{project}: the bench has failed: {failure[5..]}");
        var done = Numbers(lines, "DONE ").FirstOrDefault()
            ?? throw CommandException.Failure($"{project}: the bench has not come to its end");
        return (done[0], [.. Numbers(lines, "RATE ").Select(n => new BenchRate(n[0], n[1], n[2], n[3], n[4]))]);
    }

    /// <summary>The words that a bench has read, with their addresses.</summary>
    public static IEnumerable<(int Address, uint Value)> ReadLog(string work) =>
        File.ReadLines(Path.Combine(work, "reg_log.axi"))
            .Select(line => line.Split(", ").Select(word => uint.Parse(word, NumberStyles.HexNumber)).ToArray())
            .Select(words => ((int)words[0], words[1]));

    private static IEnumerable<long[]> Numbers(string[] lines, string word) =>
        lines.Where(line => line.StartsWith(word, StringComparison.Ordinal))
            .Select(line => line[word.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries)
                .Select(number => long.Parse(number, CultureInfo.InvariantCulture)).ToArray());

    /// <summary>Runs a program that has to succeed.</summary>
    /// <returns>The text that it wrote.</returns>
    /// <exception cref="CommandException">It is not there, or failed.</exception>
    public static string Run(string folder, string program, IEnumerable<string> arguments)
    {
        if (!File.Exists(program) && !Prerequisites.IsThere(program))
            throw CommandException.Failure($"{program} is not on the PATH: install it, or take another --with");
        using var progress = Progress.Of($"running {Path.GetFileName(program)}");
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var error = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEnd();
        process.WaitForExit();
        if (process.ExitCode == 0) return output;
        var lines = (error.Result + output).Split('\n', StringSplitOptions.RemoveEmptyEntries);
        throw CommandException.Failure($"{program} failed: {string.Join("; ", lines.Take(3))}");
    }
}
