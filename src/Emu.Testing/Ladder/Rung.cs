namespace Emu.Testing;

/// <summary>One way to run a service: on .NET, as IR, as a circuit.</summary>
internal abstract class Rung
{
    /// <summary>The name of the rung in messages about differences.</summary>
    public abstract string Name { get; }

    /// <summary>True if its outcome is that of all events in one: it does not tell which caused what.</summary>
    public virtual bool IsInAll => false;

    /// <summary>
    /// The same, which waits longer for what may still come: a difference counts if it shows there as well. Null when
    /// it waits no longer than this.
    /// </summary>
    public virtual Rung? Patient => null;

    /// <summary>The reason why it cannot run a service at all; null when it can.</summary>
    public virtual string? WhyNot(Subject subject) => null;

    /// <summary>Prepares to run services that follow: what a rung can do for many at once.</summary>
    public virtual void Prepare(IReadOnlyList<Subject> subjects)
    {
    }

    /// <summary>Runs a service on events, from its state after construction.</summary>
    public abstract Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames);
}
