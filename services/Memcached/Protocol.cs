namespace Emu.Services;

/// <summary>The protocols that a Memcached server speaks.</summary>
public enum Protocol
{
    /// <summary>Both: the first byte of a datagram's first request says which.</summary>
    Auto,

    /// <summary>The text protocol.</summary>
    Ascii,

    /// <summary>The binary protocol.</summary>
    Binary,
}
