using System.Runtime.ExceptionServices;

namespace Emu.Compiler.Diagnostics;

/// <summary>
/// Work that recurses deeply: values are looked for along all the blocks of a program, and each block is a call.
/// </summary>
internal static class DeepStack
{
    private const int Bytes = 256 << 20;

    /// <summary>Does it on a deep stack.</summary>
    /// <exception cref="CompileException">
    /// The work threw it, or broke down: then it is a mistake of the compiler's.
    /// </exception>
    public static void Run(Action work) => _ = Run(() =>
    {
        work();
        return true;
    });

    /// <inheritdoc cref="Run(Action)"/>
    public static T Run<T>(Func<T> work)
    {
        T result = default!;
        Exception? failure = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    result = work();
                }
                catch (Exception exception)
                {
                    failure = exception as CompileException ?? CompileException.OfMistake(exception, null);
                }
            },
            Bytes);
        thread.Start();
        thread.Join();
        if (failure is not null) ExceptionDispatchInfo.Capture(failure).Throw();
        return result;
    }
}
