namespace Emu.Services;

/// <summary>Counts what an <see cref="LruCache"/> does.</summary>
[CounterFamily]
public sealed class LruCacheCounters
{
    /// <summary>Retrievals answered here.</summary>
    public Counter Hits { get; } = new();

    /// <summary>Retrievals passed on, of one key that is not known.</summary>
    public Counter Misses { get; } = new();

    /// <summary>Answers of the server that are known from then on.</summary>
    public Counter Learned { get; } = new();

    /// <summary>Answers not learned, since the key has changed meanwhile.</summary>
    public Counter Outdated { get; } = new();

    /// <summary>Requests that may have changed one key.</summary>
    public Counter Writes { get; } = new();

    /// <summary>
    /// Requests after which nothing is known: a flush, several in one datagram, or one that is not read.
    /// </summary>
    public Counter Clears { get; } = new();

    /// <summary>Answers that went to make room for others.</summary>
    public Counter Evictions { get; } = new();
}
