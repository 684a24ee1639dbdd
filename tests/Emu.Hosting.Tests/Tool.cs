using System.ComponentModel;
using System.Diagnostics;

namespace Emu.Hosting.Tests;

/// <summary>Runs other programs, bounded by time.</summary>
internal static class Tool
{
    /// <summary>The time after which a program hangs: no slow or busy machine needs it.</summary>
    public static readonly TimeSpan Limit = TimeSpan.FromMinutes(10);

    /// <summary>Runs a program to its end, and skips the test when it is not installed.</summary>
    /// <returns>The standard output.</returns>
    public static string Run(string program, params string[] arguments)
    {
        var (exitCode, output, error) = Start(program, arguments);
        Assert.True(exitCode == 0, $"{program} {string.Join(' ', arguments)}: exit code {exitCode}: {error}");
        return output;
    }

    /// <summary>Runs a program whose failure does not matter.</summary>
    public static void Try(string program, params string[] arguments) => Start(program, arguments);

    private static (int ExitCode, string Output, string Error) Start(string program, string[] arguments)
    {
        var start =
            new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        try
        {
            using var process = Process.Start(start)!;
            var error = process.StandardError.ReadToEndAsync();
            var output = process.StandardOutput.ReadToEndAsync();
            if (!process.WaitForExit(Limit))
            {
                process.Kill();
                Assert.Fail($"{program} {string.Join(' ', arguments)} did not end");
            }
            return (process.ExitCode, output.Result, error.Result);
        }
        catch (Win32Exception)
        {
            Assert.Skip($"{program} is not installed");
            throw;
        }
    }
}
