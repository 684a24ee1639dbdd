namespace Emu.Protocols;

/// <summary>The type of an ICMP message for IPv4 (RFC 792; IANA "ICMP Parameters").</summary>
public enum IcmpType : byte
{
    /// <summary>Answers an echo request.</summary>
    EchoReply = 0,

    /// <summary>A packet could not be delivered; the code says why.</summary>
    DestinationUnreachable = 3,

    /// <summary>Deprecated (RFC 6633).</summary>
    SourceQuench = 4,

    /// <summary>Another router is nearer.</summary>
    Redirect = 5,

    /// <summary>Asks for the same data back.</summary>
    EchoRequest = 8,

    /// <summary>TTL or the time for reassembly ran out.</summary>
    TimeExceeded = 11,

    /// <summary>A header could not be understood.</summary>
    ParameterProblem = 12,

    /// <summary>Asks for the time.</summary>
    Timestamp = 13,

    /// <summary>Answers a timestamp request.</summary>
    TimestampReply = 14,
}
