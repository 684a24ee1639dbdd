using Emu.Compiler.IR;
using Emu.Compiler.Passes;

namespace Emu.Testing;

/// <summary>The IR as the front end made it, interpreted.</summary>
internal sealed class InterpreterRung : Rung
{
    public override string Name => "the interpreter";

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames) =>
        Run(subject, subject.Compilation, frames);

    /// <summary>Any IR of a service, interpreted.</summary>
    public static Outcome Run(Subject subject, Compilation compilation, IReadOnlyList<IncomingFrame> frames)
    {
        var interpreter = new Interpreter();
        var events = HostedRun.Run(
            new InterpretedService(compilation, interpreter), subject.PortCount, frames);
        var state = compilation.State;
        return new Outcome(events, [
            .. state.Registers.Select(r => (r.Name, new[] { interpreter[r] })),
            .. state.Memories.Select(m =>
                (m.Name, Enumerable.Range(0, m.Depth).Select(i => interpreter[m, i]).ToArray())),
        ]);
    }
}
