using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Emu.Tool.Tests;

/// <summary>Runs the command as a person does.</summary>
internal static partial class Commands
{
    /// <summary>The time after which a program hangs: no slow or busy machine needs it.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(30);

    private static readonly string s_built = AppContext.BaseDirectory.TrimEnd('/');

    /// <summary>The folder of the repository.</summary>
    public static string Root { get; } = Path.GetFullPath(Path.Combine(s_built, "../../../../.."));

    /// <summary>The built command, of the same configuration as these tests.</summary>
    public static string EmuAssembly { get; } = Built("tools/Emu.Tool", "emu");

    /// <summary>
    /// The program that runs assemblies: of the runtime that runs these tests, since <c>dotnet</c> on the PATH may be a
    /// script, which needs a shell.
    /// </summary>
    private static string Host { get; } =
        Path.GetFullPath(Path.Combine(RuntimeEnvironment.GetRuntimeDirectory(), "../../../dotnet"));

    /// <summary>Runs <c>emu</c>.</summary>
    public static Outcome Emu(params IEnumerable<string> arguments) => Run("dotnet", [EmuAssembly, .. arguments]);

    /// <summary>Runs a service as a program of its own.</summary>
    public static Outcome Service(string name, params IEnumerable<string> arguments) =>
        Run("dotnet", [Built($"services/{name}", name), .. arguments]);

    /// <summary>
    /// Runs <c>emu</c> as a user without any privilege but to read, since the repository may lie in a folder of root's:
    /// as this one, or, if that is root, as nobody.
    /// </summary>
    public static Outcome EmuUnprivileged(params IEnumerable<string> arguments)
    {
        if (!Environment.IsPrivilegedProcess) return Emu(arguments);
        if (!File.Exists("/usr/bin/setpriv")) Assert.Skip("needs the program 'setpriv' to give up root");
        return Run(
            "setpriv",
            [
                "--reuid=65534",
                "--regid=65534",
                "--clear-groups",
                "--inh-caps=+dac_read_search",
                "--ambient-caps=+dac_read_search",
                "env", "HOME=/nonexistent", "dotnet", EmuAssembly, .. arguments]);
    }

    /// <summary>Runs an assembly where no other program is found.</summary>
    public static Outcome WithoutPrograms(string assembly, params IEnumerable<string> arguments) =>
        Run("env", ["PATH=/nonexistent", Host, assembly, .. arguments]);

    /// <summary>Runs any program, in the root of the repository.</summary>
    public static Outcome Run(string program, params IEnumerable<string> arguments)
    {
        using var process = Start(program, arguments);
        return End(process);
    }

    /// <summary>Starts a program, in the root of the repository; <see cref="End"/> it.</summary>
    public static Process Start(string program, params IEnumerable<string> arguments)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = Root,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["TERM"] = "xterm-256color";
        var process = Process.Start(start)!;
        process.StandardInput.Close();
        return process;
    }

    /// <summary>Waits for the end of a program.</summary>
    public static Outcome End(Process process)
    {
        var output = process.StandardOutput.ReadToEndAsync();
        var error = process.StandardError.ReadToEndAsync();
        if (!process.WaitForExit(Limit))
        {
            process.Kill(entireProcessTree: true);
            var arguments = string.Join(' ', process.StartInfo.ArgumentList);
            Assert.Fail($"{process.StartInfo.FileName} {arguments} has not ended within {Limit}");
        }
        var outcome = new Outcome(process.ExitCode, output.Result, WithoutProgress(error.Result));
        Assert.DoesNotContain("   at ", outcome.Output + outcome.Error); // a stack trace
        return outcome;
    }

    /// <summary>Without the lines about what takes long: how many there are depends on the machine.</summary>
    private static string WithoutProgress(string error) => Progress.Replace(error, "");

    [GeneratedRegex("^emu: .*[:,] [0-9]+ s\n", RegexOptions.Multiline)]
    private static partial Regex Progress { get; }

    /// <summary>An assembly of the repository, of the same configuration as these tests.</summary>
    public static string Built(string project, string assembly) =>
        Path.Combine(
            Root, project, Path.GetRelativePath(Path.Combine(s_built, "../../.."), s_built), $"{assembly}.dll");
}
