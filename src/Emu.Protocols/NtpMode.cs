namespace Emu.Protocols;

/// <summary>The association that the sender of an NTP message is in (RFC 5905 figure 10).</summary>
public enum NtpMode : byte
{
    /// <summary>Both ends may set their clocks by each other: the end that began.</summary>
    SymmetricActive = 1,

    /// <summary>Both ends may set their clocks by each other: the other end.</summary>
    SymmetricPassive = 2,

    /// <summary>A request to a server.</summary>
    Client = 3,

    /// <summary>A server's answer.</summary>
    Server = 4,

    /// <summary>A message to all.</summary>
    Broadcast = 5,

    /// <summary>A message of the control protocol (RFC 9327).</summary>
    Control = 6,
}
