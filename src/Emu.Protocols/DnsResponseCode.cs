namespace Emu.Protocols;

/// <summary>The outcome of a question of DNS (IANA "DNS RCODEs").</summary>
public enum DnsResponseCode : byte
{
    /// <summary>No error (RFC 1035 §4.1.1).</summary>
    NoError = 0,

    /// <summary>The question cannot be read (RFC 1035 §4.1.1).</summary>
    FormatError = 1,

    /// <summary>The server fails (RFC 1035 §4.1.1).</summary>
    ServerFailure = 2,

    /// <summary>The name does not exist (RFC 1035 §4.1.1).</summary>
    NameError = 3,

    /// <summary>The server does not do such questions (RFC 1035 §4.1.1).</summary>
    NotImplemented = 4,

    /// <summary>The server will not (RFC 1035 §4.1.1).</summary>
    Refused = 5,
}
