namespace Emu.Direction;

/// <summary>
/// The words of a <see cref="ControllerMemory"/>: those of the controller, then those that are hashed, in their order,
/// among them the eight of the packet, and behind what is written those that stay as they are.
/// </summary>
internal enum ControllerWord
{
    /// <summary>The tag that the packet came with.</summary>
    Given,

    /// <summary>The time at which the last packet came that was looked at.</summary>
    Time,

    /// <summary>The fresh number of the session.</summary>
    Fresh,

    /// <summary>The time at which the director began the session.</summary>
    Began,

    /// <summary>The tag of the last request.</summary>
    LastTag,

    /// <summary>The session that is open, and the sequence number of its last request.</summary>
    LastSession,

    /// <summary>The first word that is hashed, in front of the packet; then the hash.</summary>
    First,

    /// <summary>The second one: the fresh number of the session, or 0.</summary>
    Second,

    /// <summary>Version, kind, status and length.</summary>
    Head,

    /// <summary>Session and sequence number.</summary>
    Session,

    /// <summary>The tag; 0 while the packet is hashed.</summary>
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

    /// <summary>The word that ends what is hashed.</summary>
    End,

    /// <summary>Always 0, as the word behind it.</summary>
    Zero,

    /// <summary>The boot count plus 1.</summary>
    Boot = Zero + SipHash.LastWords,

    /// <summary>The number of variables.</summary>
    Variables,

    /// <summary>The number of the entry behind the last of the directory.</summary>
    LastEntry,
}
