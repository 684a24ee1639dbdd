using Emu.Clocked;
using Emu.Compiler.IR;
using Emu.Compiler.Rtl;
using Emu.Compiler.Verilog;

namespace Emu.Compiler.Clocked;

/// <summary>A program of the clock level as a circuit.</summary>
/// <param name="Design">The circuit.</param>
/// <param name="Threads">The threads, in the order in which they were started.</param>
/// <param name="Program">The program, with the pauses that were added in code that is soft.</param>
public sealed record ClockedCircuit(Design Design, IReadOnlyList<ClockedThread> Threads, ClockedProgram Program)
{
    /// <summary>The circuit as one module of Verilog-2005.</summary>
    public string Verilog => VerilogPrinter.Print(Design);
}

/// <summary>A thread of a program.</summary>
/// <param name="Name">Its method's name.</param>
/// <param name="States">The C# at which each of its states begins, by number; null for the end.</param>
public sealed record ClockedThread(string Name, IReadOnlyDictionary<int, SourceLocation?> States);
