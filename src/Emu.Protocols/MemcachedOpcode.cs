namespace Emu.Protocols;

/// <summary>
/// The operations of requests of memcached's binary protocol (protocol_binary.xml §3.3). Those that are quiet have an
/// answer only where it says what their sender does not expect.
/// </summary>
public enum MemcachedOpcode : byte
{
    /// <summary>The value of a key.</summary>
    Get = 0x00,

    /// <summary>Stores a value.</summary>
    Set = 0x01,

    /// <summary>Stores a value where there is none.</summary>
    Add = 0x02,

    /// <summary>Stores a value where there is one.</summary>
    Replace = 0x03,

    /// <summary>Removes a value.</summary>
    Delete = 0x04,

    /// <summary>Adds to a number.</summary>
    Increment = 0x05,

    /// <summary>Takes from a number.</summary>
    Decrement = 0x06,

    /// <summary>Ends a connection.</summary>
    Quit = 0x07,

    /// <summary>Removes all values.</summary>
    Flush = 0x08,

    /// <summary>The value of a key, if it is there.</summary>
    GetQuietly = 0x09,

    /// <summary>Nothing.</summary>
    NoOperation = 0x0A,

    /// <summary>The version of the server.</summary>
    Version = 0x0B,

    /// <summary>A key and its value.</summary>
    GetWithKey = 0x0C,

    /// <summary>A key and its value, if it is there.</summary>
    GetWithKeyQuietly = 0x0D,

    /// <summary>Puts bytes behind a value.</summary>
    Append = 0x0E,

    /// <summary>Puts bytes in front of a value.</summary>
    Prepend = 0x0F,

    /// <summary>The statistics of the server.</summary>
    Statistics = 0x10,

    /// <summary>As <see cref="Set"/>.</summary>
    SetQuietly = 0x11,

    /// <summary>As <see cref="Add"/>.</summary>
    AddQuietly = 0x12,

    /// <summary>As <see cref="Replace"/>.</summary>
    ReplaceQuietly = 0x13,

    /// <summary>As <see cref="Delete"/>.</summary>
    DeleteQuietly = 0x14,

    /// <summary>As <see cref="Increment"/>.</summary>
    IncrementQuietly = 0x15,

    /// <summary>As <see cref="Decrement"/>.</summary>
    DecrementQuietly = 0x16,

    /// <summary>As <see cref="Quit"/>.</summary>
    QuitQuietly = 0x17,

    /// <summary>As <see cref="Flush"/>.</summary>
    FlushQuietly = 0x18,

    /// <summary>As <see cref="Append"/>.</summary>
    AppendQuietly = 0x19,

    /// <summary>As <see cref="Prepend"/>.</summary>
    PrependQuietly = 0x1A,

    /// <summary>Sets when a value expires.</summary>
    Touch = 0x1C,

    /// <summary>The value of a key, of which it sets when it expires.</summary>
    GetAndTouch = 0x1D,

    /// <summary>As <see cref="GetAndTouch"/>.</summary>
    GetAndTouchQuietly = 0x1E,

    /// <summary>A key and its value, of which it sets when it expires.</summary>
    GetWithKeyAndTouch = 0x23,

    /// <summary>As <see cref="GetWithKeyAndTouch"/>.</summary>
    GetWithKeyAndTouchQuietly = 0x24,
}
