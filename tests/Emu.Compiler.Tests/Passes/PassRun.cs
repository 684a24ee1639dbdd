using Emu.Compiler.Elaboration;
using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Compiler.Tests;

/// <summary>Passes of <see cref="PassList"/> over functions that are given as text.</summary>
internal static class PassRun
{
    private const int Ports = 4, Capacity = 1518;
    private const string Division = "division";

    /// <summary>All passes, in their order.</summary>
    public static IReadOnlyList<Pass> All { get; } = [.. PassList.Optimisation, .. PassList.Splitting];

    /// <summary>Runs a pass over a text.</summary>
    /// <param name="pass">The pass.</param>
    /// <param name="text">The function for frames, then the one for ticks if there is one.</param>
    /// <returns>The text that it is given, of the parts where it works on these, and what it leaves.</returns>
    public static (string Given, string Left) Of(Pass pass, string text)
    {
        var compilation = Read(text);
        if (IsBehindDivision(pass)) compilation.Divide();
        var given = Printer.Print(compilation.InWork);
        pass.Run(compilation);
        foreach (var function in compilation.InWork) Verifier.Verify(function, pass.Name);
        return (given, Printer.Print(compilation.InWork));
    }

    /// <summary>A compilation of a service that does nothing but what a text says.</summary>
    /// <param name="text">The function for frames, then the one for ticks if there is one.</param>
    public static Compilation Read(string text)
    {
        var functions = Reader.Read(text).Functions;
        return new Compilation(
            new StateMap(new Nothing()), functions[0], functions.ElementAtOrDefault(1), 0, null, Ports, Capacity);
    }

    /// <summary>True if a pass works on the two parts of a divided function.</summary>
    public static bool IsBehindDivision(Pass pass) =>
        PassList.Splitting.SkipWhile(p => p.Name != Division).Skip(1).Contains(pass);

    private sealed class Nothing : Service
    {
        public override void Process(ref Frame frame)
        {
        }
    }
}
