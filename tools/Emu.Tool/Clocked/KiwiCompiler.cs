using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// KiwiC, of which a user has a copy: <c>mcs</c> compiles a program to CIL, KiwiC that to Verilog. What it writes is
/// left as it is.
/// </summary>
/// <param name="home">The folder with <c>bin/kiwic</c> and <c>support/Kiwi.dll</c>.</param>
internal sealed class KiwiCompiler(string home)
{
    /// <summary>The variable of the environment that names its home.</summary>
    public const string Variable = "KIWIC";

    /// <summary>A program that takes longer comes to no end: KiwiC follows each way through a state.</summary>
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(30);

    /// <summary>
    /// Options of KiwiC 0.3.9b: a pause is an edge, the reset is synchronous, and nothing else is done to the program,
    /// which may have more instructions than the 10,000 that it takes by itself.
    /// </summary>
    private static readonly string[] s_options =
    [
        "-bevelab-default-pause-mode=hard", "-vnl-resets=synchronous", "-vnl-roundtrip=disable",
        "-restructure2=disable", "-conerefine=enable", "-compose=disable", "-kiwife-dynpoly=disable",
        "-cil-uwind-budget=1000000",
    ];

    private static readonly string[] s_tools = ["mono", "mcs"];

    private string Program => Path.GetFullPath(Path.Combine(home, "bin", "kiwic"));

    private string Library => Path.GetFullPath(Path.Combine(home, "support", "Kiwi.dll"));

    /// <summary>The copy of the user; null, with the reason, where there is none that runs.</summary>
    public static KiwiCompiler? Find(out string? why)
    {
        why = null;
        if (Environment.GetEnvironmentVariable(Variable) is not { Length: > 0 } home)
            why = $"{Variable} does not name a folder with a copy of it";
        else if (new KiwiCompiler(home) is var compiler && !File.Exists(compiler.Program))
            why = $"{Variable} names {home}, where there is no bin/kiwic";
        else if (!File.Exists(compiler.Library))
            why = $"{Variable} names {home}, where there is no support/Kiwi.dll";
        else if (s_tools.FirstOrDefault(tool => !IsOnPath(tool)) is { } missing)
            why = $"{missing} is not on the PATH; apt-get install mono-mcs";
        else
            return compiler;
        return null;
    }

    /// <summary>
    /// Compiles a program; gives the file with its Verilog, which lies beside it. KiwiC names the module after that
    /// file, and leaves reports in the folder in which it runs: the program's.
    /// </summary>
    /// <exception cref="CommandException">One of the two compilers fails.</exception>
    public string Compile(string file)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(file))!;
        var name = Path.GetFileNameWithoutExtension(file);
        Run("mcs", folder, ["-target:exe", $"-r:{Library}", $"-out:{name}.exe", $"{name}.cs"]);
        Run(Program, folder, [$"{name}.exe", .. s_options, "-vnl", $"{name}.v"]);
        var verilog = Path.ChangeExtension(file, ".v");
        return File.Exists(verilog)
            ? verilog
            : throw CommandException.Failure($"{Program} ended well, and wrote no {verilog}");
    }

    private static bool IsOnPath(string tool) =>
        (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator)
            .Any(folder => File.Exists(Path.Combine(folder, tool)));

    private static void Run(string program, string folder, IReadOnlyList<string> arguments)
    {
        using var process = Process.Start(new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        var (output, errors) = (process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync());
        var command = $"the command was {program} {string.Join(' ', arguments)}";
        if (!process.WaitForExit(s_longest))
        {
            process.Kill(entireProcessTree: true);
            throw CommandException.Failure(
                $"{Path.GetFileName(program)} did not end in {s_longest.TotalMinutes:0} minutes; {command}");
        }
        if (process.ExitCode == 0) return;
        throw CommandException.Failure(
            $"{Path.GetFileName(program)} failed with {process.ExitCode}: {LastLines(output.Result + errors.Result)}; "
            + command);
    }

    private static string LastLines(string output) =>
        string.Join(" / ", output.Split('\n', StringSplitOptions.RemoveEmptyEntries).TakeLast(3));
}
