namespace Emu.Testing;

/// <summary>The IR through all passes, interpreted.</summary>
internal sealed class OptimisedRung : Rung
{
    public override string Name => "the optimised IR";

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames) =>
        InterpreterRung.Run(subject, subject.Optimised, frames);
}
