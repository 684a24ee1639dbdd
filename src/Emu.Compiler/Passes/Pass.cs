using Emu.Compiler.IR;

namespace Emu.Compiler.Passes;

/// <summary>A transformation of the IR in its place in the list; it leaves functions that do the same.</summary>
/// <param name="Name">The name that <c>--dump</c> takes; a pass that is run several times has one.</param>
/// <param name="Does">A line about its work.</param>
/// <param name="Place">The reason why it stands here: the passes that it must follow or precede.</param>
/// <param name="Run">Does it to all functions of a service.</param>
internal sealed record Pass(string Name, string Does, string Place, Action<Compilation> Run)
{
    /// <summary>
    /// The work that it does on one function, if it does so to each alone; null for others. Beside the function that
    /// may depend on what is alike for all, of which it gives a fingerprint.
    /// </summary>
    public Func<Compilation, (Action<Function> Run, ulong Fingerprint)>? OnOne { get; init; }
}
