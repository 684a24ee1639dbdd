using System.Diagnostics;

namespace Emu.Fuzz;

/// <summary>A rung, and how long it took in all.</summary>
/// <param name="rung">The rung.</param>
internal sealed class TimedRung(Rung rung) : Rung
{
    private readonly Stopwatch _watch = new();

    public override string Name => rung.Name;

    public override bool IsInAll => rung.IsInAll;

    /// <summary>All that was asked of it.</summary>
    public TimeSpan Time => _watch.Elapsed;

    public override string? WhyNot(Subject subject) => Timed(() => rung.WhyNot(subject));

    public override void Prepare(IReadOnlyList<Subject> subjects) => Timed(() =>
    {
        rung.Prepare(subjects);
        return true;
    });

    public override Outcome Run(Subject subject, IReadOnlyList<IncomingFrame> frames) =>
        Timed(() => rung.Run(subject, frames));

    private T Timed<T>(Func<T> work)
    {
        _watch.Start();
        try
        {
            return work();
        }
        finally
        {
            _watch.Stop();
        }
    }
}
