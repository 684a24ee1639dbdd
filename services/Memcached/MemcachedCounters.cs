namespace Emu.Services;

/// <summary>Counts what a Memcached server does, by the names that <c>stats</c> has for it.</summary>
[CounterFamily]
public sealed class MemcachedCounters
{
    /// <summary>Keys asked for and found.</summary>
    public Counter GetHits { get; } = new();

    /// <summary>Keys asked for and not found.</summary>
    public Counter GetMisses { get; } = new();

    /// <summary>Requests to store a value.</summary>
    public Counter CmdSet { get; } = new();

    /// <summary>Requests to flush.</summary>
    public Counter CmdFlush { get; } = new();

    /// <summary>Keys removed.</summary>
    public Counter DeleteHits { get; } = new();

    /// <summary>Keys to remove that were not there.</summary>
    public Counter DeleteMisses { get; } = new();

    /// <summary>Numbers that were added to.</summary>
    public Counter IncrHits { get; } = new();

    /// <summary>Numbers to add to that were not there.</summary>
    public Counter IncrMisses { get; } = new();

    /// <summary>Numbers that were taken from.</summary>
    public Counter DecrHits { get; } = new();

    /// <summary>Numbers to take from that were not there.</summary>
    public Counter DecrMisses { get; } = new();

    /// <summary>Values stored in place of the one that the client had seen.</summary>
    public Counter CasHits { get; } = new();

    /// <summary>Values not stored, since the key was not there any more.</summary>
    public Counter CasMisses { get; } = new();

    /// <summary>Values not stored, since the client had seen another.</summary>
    public Counter CasBadval { get; } = new();

    /// <summary>Keys found of which it was set when they expire.</summary>
    public Counter TouchHits { get; } = new();

    /// <summary>Keys not found of which it was to be set when they expire.</summary>
    public Counter TouchMisses { get; } = new();

    /// <summary>Values stored.</summary>
    public Counter TotalItems { get; } = new();

    /// <summary>Items that went to make room for others.</summary>
    public Counter Evictions { get; } = new();

    /// <summary>Requests answered by an error.</summary>
    public Counter Errors { get; } = new();

    /// <summary>Answers not sent, since their source has been sent too many that are longer than requests.</summary>
    public Counter Limited { get; } = new();

    /// <summary>Datagrams dropped, or what is left of them: no requests, or one of several datagrams.</summary>
    public Counter NotRequests { get; } = new();

    /// <summary>Requests dropped that do not end in their datagram.</summary>
    public Counter CutOff { get; } = new();

    /// <summary>Counts a command by its outcome.</summary>
    internal void Count(Operation operation, Outcome outcome)
    {
        switch (operation)
        {
            case Operation.Get:
                Count(outcome == Outcome.Found, GetHits, GetMisses);
                break;
            case Operation.GetAndTouch:
                Count(outcome == Outcome.Found, GetHits, GetMisses);
                Count(outcome == Outcome.Found, TouchHits, TouchMisses);
                break;
            case Operation.Touch:
                Count(outcome == Outcome.Touched, TouchHits, TouchMisses);
                break;
            case Operation.Delete:
                if (outcome != Outcome.Exists) Count(outcome == Outcome.Deleted, DeleteHits, DeleteMisses);
                break;
            case Operation.Increment:
                CountNumber(outcome, IncrHits, IncrMisses);
                break;
            case Operation.Decrement:
                CountNumber(outcome, DecrHits, DecrMisses);
                break;
            default:
                CmdSet.Increment();
                if (operation == Operation.Cas) CountCheck(outcome);
                break;
        }
        if (outcome is Outcome.Stored) TotalItems.Increment();
    }

    /// <summary>Counts an answer if it is an error.</summary>
    internal void CountAnswer(Outcome outcome)
    {
        if (outcome >= Outcome.NotNumeric) Errors.Increment();
    }

    private void CountCheck(Outcome outcome)
    {
        if (outcome == Outcome.Exists) CasBadval.Increment();
        else Count(outcome == Outcome.Stored, CasHits, CasMisses);
    }

    private static void CountNumber(Outcome outcome, Counter hits, Counter misses)
    {
        if (outcome == Outcome.Counted) hits.Increment();
        else if (outcome == Outcome.NotFound) misses.Increment();
    }

    private static void Count(bool isHit, Counter hits, Counter misses)
    {
        if (isHit) hits.Increment();
        else misses.Increment();
    }
}
