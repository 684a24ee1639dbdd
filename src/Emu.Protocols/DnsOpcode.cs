namespace Emu.Protocols;

/// <summary>The kind of question of a message of DNS (IANA "DNS OpCodes").</summary>
public enum DnsOpcode : byte
{
    /// <summary>A question by name (RFC 1035 §4.1.1).</summary>
    Query = 0,

    /// <summary>Of a server's state (RFC 1035 §4.1.1).</summary>
    Status = 2,

    /// <summary>A zone has changed (RFC 1996).</summary>
    Notify = 4,

    /// <summary>A change of a zone (RFC 2136).</summary>
    Update = 5,
}
