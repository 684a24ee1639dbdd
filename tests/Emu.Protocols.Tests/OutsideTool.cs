using System.Diagnostics;

namespace Emu.Protocols.Tests;

/// <summary>Runs a program that is not ours, or skips the test, with the reason, where it is not installed.</summary>
internal static class OutsideTool
{
    private static readonly TimeSpan s_timeLimit = TimeSpan.FromMinutes(30);

    public static void Require(string name, string package, string command, params string[] arguments)
    {
        var reason = $"{name} is not installed: apt-get install {package}";
        try
        {
            using var process = Start(command, arguments);
            process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            Assert.SkipUnless(process.ExitCode == 0, reason);
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip(reason);
        }
    }

    /// <summary>Runs it to its end; the test fails unless its exit code is 0.</summary>
    /// <returns>Its standard output.</returns>
    public static string Run(string command, params string[] arguments)
    {
        using var process = Start(command, arguments);
        var errors = process.StandardError.ReadToEndAsync();
        var output = process.StandardOutput.ReadToEndAsync();
        if (!process.WaitForExit(s_timeLimit))
        {
            process.Kill();
            Assert.Fail($"{command} has not ended within {s_timeLimit}");
        }
        Assert.True(process.ExitCode == 0, $"{command} ended with {process.ExitCode}: {errors.Result}");
        return output.Result;
    }

    private static Process Start(string command, string[] arguments) =>
        Process.Start(
            new ProcessStartInfo(command, arguments) { RedirectStandardOutput = true, RedirectStandardError = true })!;
}
