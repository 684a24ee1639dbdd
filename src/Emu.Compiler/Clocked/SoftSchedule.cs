using Emu.Clocked;
using Emu.Compiler.Diagnostics;
using Emu.Compiler.Frontend;

namespace Emu.Compiler.Clocked;

/// <summary>
/// Adds pauses to code that is soft until all of it fits: one in front of each instruction for which a cycle has no
/// port, or no bound (iterative scheduling, where each attempt says what is in its way), and one for each bit of a
/// division.
/// </summary>
internal static class SoftSchedule
{
    /// <summary>The pauses that are added at most.</summary>
    private const int Most = 200;

    /// <summary>Compiles a program with as few pauses as are found to be needed.</summary>
    /// <param name="program">Freshly loaded.</param>
    /// <param name="compile">Compiles it, and gives the instructions that it was made of.</param>
    /// <exception cref="CompileException">Code that is hard does not fit, or a pause does not help.</exception>
    public static ClockedCircuit Compile(
        ClockedProgram program, Func<ClockedProgram, Action<InstructionPlaces>, ClockedCircuit> compile)
    {
        var pauses = new List<ScheduledPause>();
        while (true)
        {
            InstructionPlaces? places = null;
            try
            {
                return compile(program.Scheduled([.. pauses]), made => places = made);
            }
            catch (CompileException exception) when (pauses.Count < Most && PauseFor(exception, places) is not null)
            {
                pauses.Add(PauseFor(exception, places)!);
            }
        }
    }

    private static ScheduledPause? PauseFor(CompileException exception, InstructionPlaces? places)
    {
        var reason = exception.Reason.Split([',', ';'])[0];
        return exception.Number switch
        {
            DiagnosticNumber.MemoryPort or DiagnosticNumber.PauseFreeLoop =>
                places?.PauseAt(exception.Location, reason),
            DiagnosticNumber.LongOperation => places?.DivisionAt(exception.Location, reason),
            _ => null,
        };
    }
}
