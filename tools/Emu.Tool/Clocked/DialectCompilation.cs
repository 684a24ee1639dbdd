using Emu.Compiler;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Dialect;
using Emu.Compiler.Layouts;
using Emu.Hosting;

namespace Emu.Tool;

/// <summary>
/// <c>emu compile SERVICE --with kiwic</c>: a service as a program of the clock level, and what KiwiC makes of it.
/// </summary>
internal static class DialectCompilation
{
    private const string Compiler = "kiwic";

    /// <summary>Writes the program, has it compiled where that can be, and says what came out.</summary>
    /// <param name="compiler">The compiler that was asked for.</param>
    /// <param name="type">The service's class.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <param name="options">The device.</param>
    /// <param name="folder">The folder for the program; null for one under build.</param>
    /// <exception cref="CommandException">The service does not compile, or the other compiler fails.</exception>
    public static int Run(
        string compiler, Type type, IReadOnlyList<string> arguments, HardwareOptions options, string? folder)
    {
        if (compiler != Compiler) throw CommandException.Usage($"--with: '{compiler}' is not {Compiler}");
        var program = Write(type, arguments, options);
        folder ??= Path.Combine("build", $"{program.Name}_{Compiler}");
        Directory.CreateDirectory(folder);
        var file = Path.Combine(folder, program.Name + ".cs");
        File.WriteAllText(file, program.Source);
        Console.Out.WriteLine(
            $"{program.Name}: {program.Source.Count(letter => letter == '\n')} lines of C#, "
            + $"{program.States} states of the service's own");
        Console.Out.WriteLine($"C#: {file}");
        Console.Out.WriteLine(KiwiCompiler.Find(out var why) is { } kiwi
            ? $"Verilog of KiwiC: {kiwi.Compile(file)}"
            : $"KiwiC was not run: {why}");
        return 0;
    }

    private static DialectProgram Write(Type type, IReadOnlyList<string> arguments, HardwareOptions options)
    {
        try
        {
            return DialectCompiler.Compile(Construction.Of(type, arguments), options);
        }
        catch (CompileException exception)
        {
            throw CommandException.Failure(ServiceCompiler.Line(exception));
        }
    }
}
