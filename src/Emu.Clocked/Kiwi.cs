using Emu.Clocked;

namespace KiwiSystem;

/// <summary>
/// The clock level's dialect, compatible with the source of programs for Kiwi: a pause is exactly one clock edge. The
/// semantics are in docs/clock-level.md.
/// </summary>
public static partial class Kiwi
{
    /// <summary>The flags of a pause behind which code is soft, or hard.</summary>
    internal const int SoftFlag = 2, HardFlag = 4;

    /// <summary>
    /// The time in units of which a cycle has 10: 0 in the elaboration, 10 in the cycle behind the first pause. In
    /// hardware a register of 64 bits.
    /// </summary>
    public static ulong tnow => CycleClock.Current?.Time ?? 0;

    /// <summary>Waits for the next clock edge: what was written before is seen behind it.</summary>
    public static void Pause() => CycleClock.Current?.Pause();

    /// <summary>Waits for the next clock edge; says how the code up to the next pause is taken.</summary>
    /// <param name="flags">
    /// 2: it is soft, the compiler may add pauses; 4: it is hard; else it is as the thread's mode says.
    /// </param>
    public static void Pause(int flags)
    {
        if ((flags & SoftFlag) != 0) CycleClock.Current?.RequireSchedule();
        Pause();
    }

    /// <summary>Waits for the next clock edge; says how the code up to the next pause is taken.</summary>
    /// <param name="control">All but hard: it is soft, the compiler may add pauses.</param>
    public static void Pause(PauseControl control)
    {
        if (control != PauseControl.hardPauseEnable) CycleClock.Current?.RequireSchedule();
        Pause();
    }

    /// <summary>Marks a place for performance counting; does nothing.</summary>
    public static void KppMark(params object[] arguments)
    {
    }

    /// <summary>Says that a loop is to stay a loop; a loop with a pause always does.</summary>
    public static void NoUnroll()
    {
    }

    /// <summary>Says that a loop is to be written out; a loop without a pause always is.</summary>
    public static void Unroll(params object[] variables)
    {
    }

    /// <summary>Marks the end of the elaboration, which is the first pause.</summary>
    /// <returns>0.</returns>
    public static int EndOfElaborate() => 0;

    /// <summary>A message or an order to other compilers; does nothing.</summary>
    /// <returns>0.</returns>
    public static int KPragma(bool fatalFlag, string command, params object[] arguments) => 0;

    /// <summary>Says that a place is not reached; does nothing.</summary>
    public static void NeverReached(string message)
    {
    }

    /// <summary>Ends the thread, as an exception does: it stays there, and others go on.</summary>
    public static void ReportNormalCompletion() => hpr_primitives.hpr_sysexit(0);

    /// <summary>Ends the thread, as an exception does: it stays there, and others go on.</summary>
    public static void ReportCompletion(byte completionCode) => hpr_primitives.hpr_sysexit(completionCode);

    /// <summary>Sets lights of a board. Does not compile: use an output.</summary>
    public static void setGpioLeds8(int led8code)
    {
    }

    /// <summary>Prints a line in a simulation, as <see cref="Console.WriteLine(string)"/> does.</summary>
    public static void WriteLine(string format, params object[] arguments) =>
        ProgramText.WriteLine(format, arguments);

    /// <summary>
    /// Chooses how the thread's code is taken from here on. Every pause is one edge; where code is not hard, the
    /// compiler may add more.
    /// </summary>
    /// <returns>The mode so far.</returns>
    public static PauseControl PauseControlSet(PauseControl mode) =>
        CycleClock.Current?.SetPauses(mode) ?? PauseControl.hardPauseEnable;

    /// <summary>True: a program is run as hardware is, wherever it is run.</summary>
    public static bool inHardware() => true;

    /// <summary>Says that an object is used no more; does nothing.</summary>
    public static void Dispose(object it)
    {
    }

    /// <summary>A value as it will be behind the next edge. Does not compile: keep what it was.</summary>
    public static object next(object item) => item;

    /// <summary>A condition as it will be behind the next edge. Does not compile: keep what it was.</summary>
    public static bool next(bool item) => item;

    /// <summary>A number as it will be behind the next edge. Does not compile: keep what it was.</summary>
    public static int next(int item) => item;

    /// <summary>One condition holds until another does. Does not compile: assert it in each cycle.</summary>
    public static bool until(bool from, bool to) => false;

    /// <summary>The same, if the other ever does. Does not compile: assert it in each cycle.</summary>
    public static bool wuntil(bool from, bool to) => false;

    /// <summary>The kinds of pauses that other compilers know.</summary>
    public enum PauseControl
    {
        /// <summary>The compiler may add edges, as with <see cref="softPauseEnable"/>.</summary>
        autoPauseEnable,

        /// <summary>An edge exactly where a pause stands.</summary>
        hardPauseEnable,

        /// <summary>The compiler adds edges where code does not fit into a cycle.</summary>
        softPauseEnable,

        /// <summary>For other compilers an edge at each statement; here soft.</summary>
        maximalPauseEnable,

        /// <summary>For other compilers an edge at each block; here soft.</summary>
        bblockPauseEnable,

        /// <summary>A pipeline.</summary>
        pipelinedAccelerator,
    }
}
