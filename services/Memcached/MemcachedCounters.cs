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

    /// <summary>Items that went to make room for others.</summary>
    public Counter Evictions { get; } = new();

    /// <summary>Requests answered by an error.</summary>
    public Counter Errors { get; } = new();

    /// <summary>Answers not sent, since their source has been sent too many that are longer than requests.</summary>
    public Counter Limited { get; } = new();

    /// <summary>Datagrams dropped: no frame of Memcached's, or one of several.</summary>
    public Counter NotRequests { get; } = new();

    /// <summary>Requests dropped that do not end in their datagram.</summary>
    public Counter CutOff { get; } = new();
}
