using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>The whole of a project in a simulator of the field.</summary>
internal static class BoardSimulation
{
    private const string Bench = "emu_board_tb";

    /// <summary>The simulators, the default first.</summary>
    public static IReadOnlyList<string> Names { get; } = ["icarus", "verilator"];

    /// <summary>Builds the bench.</summary>
    /// <param name="project">The project's folder.</param>
    /// <param name="work">A folder for what is built.</param>
    /// <param name="simulator">One of <see cref="Names"/>.</param>
    /// <returns>The program and its arguments.</returns>
    /// <exception cref="CommandException">The simulator is not there, or refuses the project.</exception>
    public static (string Program, string[] Arguments) Build(string project, string work, string simulator)
    {
        var (hdl, sim) = (Path.Combine(project, "hdl"), Path.Combine(project, "sim"));
        var bench = Path.Combine(sim, $"{Bench}.v");
        if (simulator == Names[0])
        {
            Prerequisites.Install(Prerequisites.Icarus);
            var program = Path.Combine(work, "bench.vvp");
            Run(work, "iverilog", ["-g2005", "-y", hdl, "-y", sim, "-o", program, bench]);
            return ("vvp", ["-n", program]);
        }
        Prerequisites.Install(Prerequisites.Verilator);
        Run(
            work, "verilator",
            [
                "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-CFLAGS", "-O1", "-j", "2",
                "--top-module", Bench, "-Mdir", Path.Combine(work, "verilator"), "-y", hdl, "-y", sim, bench,
            ]);
        return (Path.Combine(work, $"verilator/V{Bench}"), []);
    }

    /// <summary>Runs a program that has to succeed.</summary>
    /// <returns>The text that it wrote.</returns>
    /// <exception cref="CommandException">It is not there, or failed.</exception>
    public static string Run(string folder, string program, IEnumerable<string> arguments)
    {
        if (!File.Exists(program) && !Prerequisites.IsThere(program))
            throw CommandException.Failure($"{program} is not on the PATH: install it, or take another --with");
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
