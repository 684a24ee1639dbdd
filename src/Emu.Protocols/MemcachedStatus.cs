namespace Emu.Protocols;

/// <summary>The outcome of a request of memcached's binary protocol (protocol_binary.xml §3.2).</summary>
public enum MemcachedStatus : ushort
{
    /// <summary>It was done.</summary>
    Success = 0x00,

    /// <summary>There is no such key.</summary>
    KeyNotFound = 0x01,

    /// <summary>There is such a key, or its value is another than the request says.</summary>
    KeyExists = 0x02,

    /// <summary>The value is too long.</summary>
    ValueTooLarge = 0x03,

    /// <summary>Lengths that the opcode does not have.</summary>
    InvalidArguments = 0x04,

    /// <summary>The value was not stored.</summary>
    NotStored = 0x05,

    /// <summary>The value to be counted is no number.</summary>
    NonNumeric = 0x06,

    /// <summary>There is no such opcode.</summary>
    UnknownCommand = 0x81,

    /// <summary>The server has no memory for it.</summary>
    OutOfMemory = 0x82,
}
