namespace Emu.Testing;

/// <summary>The service itself, on .NET: what all others are held against.</summary>
internal sealed class DotNetRung : Rung
{
    public override string Name => ".NET";

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames)
    {
        var state = subject.Compilation.State;
        var events = HostedRun.Run(subject.Service, subject.PortCount, frames);
        var elements = state.LiveElements().ToLookup(e => e.Memory, e => e.Bits);
        return new Outcome(events, [
            .. state.LiveRegisters().Select(r => (r.Register.Name, new[] { r.Bits })),
            .. state.Memories.Select(m => (m.Name, elements[m].ToArray())),
        ]);
    }
}
