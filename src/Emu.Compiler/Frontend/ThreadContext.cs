using Emu.Compiler.IR;

namespace Emu.Compiler.Frontend;

/// <summary>
/// The part of the clock level in the translation of a thread: pauses, static fields as registers, objects and threads
/// that the elaboration makes.
/// </summary>
internal sealed class ThreadContext
{
    /// <summary>The threads that this one starts, in order, each with the register that is 1 once it has.</summary>
    public List<(DelegateValue Body, Register HasStarted)> Started { get; } = [];

    /// <summary>True once a pause has been translated: objects are made before.</summary>
    public bool HasPaused { get; set; }
}

/// <summary>A thread that is made while a program is elaborated.</summary>
/// <param name="Body">The method that it runs.</param>
internal sealed record ThreadObject(DelegateValue Body);
