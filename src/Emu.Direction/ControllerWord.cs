namespace Emu.Direction;

/// <summary>
/// The words of a <see cref="ControllerMemory"/>: the eight of the packet, in its order, and behind them those of the
/// controller.
/// </summary>
internal enum ControllerWord
{
    /// <summary>Version, kind, status and length.</summary>
    Head,

    /// <summary>Session and sequence number.</summary>
    Session,

    /// <summary>The tag.</summary>
    Tag,

    /// <summary>The hash of a name, and an index.</summary>
    Name,

    /// <summary>The high half of the value.</summary>
    HighValue,

    /// <summary>Its low half.</summary>
    LowValue,

    /// <summary>The number: a time, or the fresh number.</summary>
    Number,

    /// <summary>The value of a variable.</summary>
    Shown,

    /// <summary>Always 0.</summary>
    Zero,

    /// <summary>The word that ends what is hashed.</summary>
    End,

    /// <summary>The boot count plus 1, its lowest byte first.</summary>
    Boot,

    /// <summary>The time at which the last packet came that was looked at, its lowest byte first.</summary>
    Time,

    /// <summary>The fresh number of the session, its lowest byte first.</summary>
    Fresh,

    /// <summary>The time at which the director began the session.</summary>
    Began,

    /// <summary>The tag of the last request.</summary>
    LastTag,

    /// <summary>The session that is open, and the sequence number of its last request.</summary>
    LastSession,

    /// <summary>The last hash.</summary>
    Hash,

    /// <summary>Requests that were done.</summary>
    Done,

    /// <summary>Packets that are too short, or whose tag shows that the sender does not know the key.</summary>
    Unauthenticated,
}
