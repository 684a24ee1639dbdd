using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Compiler.Clocked;

/// <summary>A program of the clock level as the module of a method of a service.</summary>
internal static class ComponentModule
{
    /// <summary>The clock and the reset of a module that takes calls.</summary>
    private static readonly ClockPorts s_clock = new("clk", "rst", true);

    /// <summary>Compiles a program: a <see cref="Elaboration.ComponentCompiler"/>.</summary>
    /// <param name="program">The class with the entry point.</param>
    /// <param name="refuse">Makes the refusal of a class that is no program.</param>
    /// <returns>The module's name, and the Verilog that holds it.</returns>
    /// <exception cref="CompileException">It does not compile.</exception>
    public static (string Module, string Text) Of(Type program, Func<string, CompileException> refuse)
    {
        if (program.Assembly.Location.Length == 0)
            throw refuse($"{program.Name} is in an assembly without a file, and cannot be loaded anew; have one");
        ClockedProgram loaded;
        try
        {
            loaded = ClockedProgram.Load(program.Assembly.Location, program.Name);
        }
        catch (ClockedException exception)
        {
            throw refuse(exception.Reason);
        }
        var design = ClockedCompiler.Compile(loaded, s_clock).Design;
        return (VerilogPrinter.ModuleName(design), VerilogPrinter.Print(design));
    }
}
