namespace Emu.Services;

/// <summary>The effects of a request on the items of the server.</summary>
internal enum Effect : byte
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>It retrieves one item.</summary>
    Get,

    /// <summary>It may change one item.</summary>
    Write,

    /// <summary>It may change any of them.</summary>
    Clear,
}
