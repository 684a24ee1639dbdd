namespace Emu.Services;

/// <summary>The outcome of a request, which either protocol says in its way.</summary>
internal enum Outcome : byte
{
    /// <summary>No answer.</summary>
    None,

    /// <summary>It is for the items to say.</summary>
    Pending,

    /// <summary>The item is there, and is the answer.</summary>
    Found,

    Stored,
    NotStored,
    Exists,
    NotFound,
    Deleted,
    Touched,
    Ok,

    /// <summary>The new number is the answer.</summary>
    Counted,

    Version,

    /// <summary>The statistics are the answer.</summary>
    Statistics,

    /// <summary>The end: nothing behind it is read.</summary>
    Quit,

    /// <summary>The end of a list of items.</summary>
    End,

    /// <summary>An increment or decrement of what is no number.</summary>
    NotNumeric,

    /// <summary>No such command, or not as many words as it has.</summary>
    Error,

    BadFormat,

    /// <summary>A value that does not end with \r\n.</summary>
    BadDataChunk,

    BadExpiry,
    BadDelta,
    BadDelete,

    /// <summary>Lengths that the opcode does not have.</summary>
    BadArguments,

    /// <summary>Lengths that cannot be.</summary>
    BadLengths,
}
