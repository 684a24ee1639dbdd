namespace Emu.Services;

/// <summary>
/// The relation of a packet to the known connections, as <c>--ctstate</c> names it:
/// a bit each, so that a rule can name several.
/// </summary>
[Flags]
internal enum ConnectionState : byte
{
    /// <summary>Nobody has asked.</summary>
    None = 0,

    /// <summary>Part of no connection, and begins none.</summary>
    Invalid = 1,

    /// <summary>Begins a connection, or belongs to one that has not been answered.</summary>
    New = 2,

    /// <summary>Belongs to a connection of which packets have come from both sides.</summary>
    Established = 4,

    /// <summary>An error about a connection.</summary>
    Related = 8,

    /// <summary>Not tracked: what IPv6 uses to find neighbours, routers and members of groups.</summary>
    Untracked = 16,
}
