namespace Emu.Fuzz;

/// <summary>The IR that the circuit was made of, through all passes, interpreted.</summary>
internal sealed class CircuitIRRung : Rung
{
    public override string Name => "the optimised IR";

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames) =>
        InterpreterRung.Run(subject, FastestCircuit.Of(subject).Compilation, frames);
}
