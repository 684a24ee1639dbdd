namespace Emu.Direction.Packets;

/// <summary>The outcome of a request whose tag is right.</summary>
public enum DirectionStatus : byte
{
    /// <summary>It is done.</summary>
    Done = 0,

    /// <summary>The packet is of a version that the service does not know.</summary>
    UnknownVersion = 1,

    /// <summary>The service does not know the request.</summary>
    UnknownKind = 2,

    /// <summary>A session has begun later than this one.</summary>
    OldSession = 3,

    /// <summary>A request with this sequence number, or a later one, was done before.</summary>
    OldSequence = 4,

    /// <summary>The service has no variable of this name or number.</summary>
    UnknownName = 5,

    /// <summary>The variable has fewer elements.</summary>
    IndexOutOfRange = 6,

    /// <summary>The variable may not be written.</summary>
    NotWritable = 7,

    /// <summary>The number has more bits than the variable.</summary>
    TooWide = 8,

    /// <summary>The packet states another length than a packet of its version has.</summary>
    BadLength = 9,

    /// <summary>The element cannot be this, such as a comparison of a value that is not at the place.</summary>
    NotTaken = 10,

    /// <summary>The service is not stopped.</summary>
    NotStopped = 11,
}
