using Emu.Testing;

namespace Emu.Compiler.Tests;

/// <summary>The IR with one copy of each method that is called more than once, interpreted.</summary>
/// <param name="isOptimised">True for the IR through all passes.</param>
internal sealed class SharedCallIRRung(bool isOptimised) : Rung
{
    public override string Name => $"the {(isOptimised ? "optimised " : "")}IR with shared calls";

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames)
    {
        var compilation = HardwareCompiler.Translate(
            subject.Construct(), subject.PortCount, Subject.Capacity, SharedCallRung.All);
        if (isOptimised)
        {
            compilation.Optimise();
            compilation.Decompose();
        }
        return InterpreterRung.Run(subject, compilation, frames);
    }
}
