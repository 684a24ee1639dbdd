namespace Emu.Protocols;

/// <summary>
/// The type of an IPv4 option, with its copied flag and class (RFC 791 §3.1;
/// IANA "Internet Protocol Version 4 Parameters").
/// </summary>
public enum IPv4OptionType : byte
{
    /// <summary>Ends the list; the cursor stops before it.</summary>
    EndOfOptionsList = 0,

    /// <summary>One byte of padding between options.</summary>
    NoOperation = 1,

    /// <summary>Routers write their addresses into it.</summary>
    RecordRoute = 7,

    /// <summary>Routers write the time into it.</summary>
    Timestamp = 68,

    /// <summary>Security (RFC 1108).</summary>
    Security = 130,

    /// <summary>Loose source and record route.</summary>
    LooseSourceRoute = 131,

    /// <summary>Strict source and record route.</summary>
    StrictSourceRoute = 137,

    /// <summary>Routers shall examine the packet (RFC 2113).</summary>
    RouterAlert = 148,
}
