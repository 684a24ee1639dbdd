namespace Emu.Services;

/// <summary>The operations of a request, as both protocols have them.</summary>
internal enum Operation : byte
{
    /// <summary>None that is known.</summary>
    Unknown,

    Get,
    GetAndTouch,
    Set,
    Add,
    Replace,
    Append,
    Prepend,

    /// <summary>Check and set: the text protocol's; in the binary one any operation may have a unique number.</summary>
    Cas,

    Delete,
    Increment,
    Decrement,
    Touch,
    Flush,
    Version,
    Verbosity,
    Statistics,
    Quit,
    NoOperation,
}
