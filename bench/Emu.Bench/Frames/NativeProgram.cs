using System.ComponentModel;
using System.Diagnostics;
using Emu.Hosting;

namespace Emu.Bench;

/// <summary>The C programs, built when needed.</summary>
internal static class NativeProgram
{
    /// <summary>Builds bench/native/NAME.c if it has changed.</summary>
    /// <returns>The program's path.</returns>
    /// <exception cref="CommandException">There is no C compiler, or it refuses.</exception>
    public static string Build(string name)
    {
        var source = Path.Combine(Places.Native, name + ".c");
        var program = Path.Combine(Places.Build, name);
        if (File.GetLastWriteTimeUtc(program) > File.GetLastWriteTimeUtc(source)) return program;
        Directory.CreateDirectory(Places.Build);
        try
        {
            using var compiler = Process.Start(
                new ProcessStartInfo("cc", ["-O2", "-Wall", "-o", program, source]) { RedirectStandardError = true })!;
            var errors = compiler.StandardError.ReadToEnd();
            compiler.WaitForExit();
            return compiler.ExitCode == 0
                ? program
                : throw CommandException.Failure($"{source} does not build: {errors.ReplaceLineEndings(" ")}");
        }
        catch (Win32Exception)
        {
            throw CommandException.Failure("no C compiler: install gcc and libc6-dev");
        }
    }
}
