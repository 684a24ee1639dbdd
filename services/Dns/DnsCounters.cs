namespace Emu.Services;

/// <summary>Counts the answers of a name server by their kind, and what it does not answer.</summary>
[CounterFamily]
public sealed class DnsCounters
{
    /// <summary>Answers with records, or with an alias.</summary>
    public Counter Answered { get; } = new();

    /// <summary>Answers that a name has no such records (RFC 2308 §2.2).</summary>
    public Counter NoData { get; } = new();

    /// <summary>Answers that there is no such name (RFC 2308 §2.1).</summary>
    public Counter NoName { get; } = new();

    /// <summary>Referrals to the servers of a zone below.</summary>
    public Counter Referred { get; } = new();

    /// <summary>REFUSED: of no zone that is here, of another class, or the transfer of a zone.</summary>
    public Counter QueriesRefused { get; } = new();

    /// <summary>FORMERR: the question cannot be read.</summary>
    public Counter FormatErrors { get; } = new();

    /// <summary>NOTIMP: another operation than a query.</summary>
    public Counter NotImplemented { get; } = new();

    /// <summary>BADVERS: EDNS of a version above 0 (RFC 6891 §6.1.3).</summary>
    public Counter BadVersions { get; } = new();

    /// <summary>Answers cut off, since there was no room for all records.</summary>
    public Counter Truncated { get; } = new();

    /// <summary>Dropped: no message of DNS, or an answer itself.</summary>
    public Counter NotQueries { get; } = new();

    /// <summary>Questions dropped, since their network has been sent as many answers as it may.</summary>
    public Counter OverRate { get; } = new();
}
