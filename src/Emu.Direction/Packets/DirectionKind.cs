namespace Emu.Direction.Packets;

/// <summary>The request that a direction packet makes, or of a reply the one that it answers.</summary>
public enum DirectionKind : byte
{
    /// <summary>Begins a session: the service draws its fresh number.</summary>
    Begin = 1,

    /// <summary>Asks how many requests were done and how many had a wrong tag.</summary>
    Status = 2,

    /// <summary>Asks for a variable by its number.</summary>
    Describe = 3,

    /// <summary>Asks for the bits of an element.</summary>
    Read = 4,

    /// <summary>Sets the bits of an element.</summary>
    Write = 5,

    /// <summary>Has a service that is stopped go on.</summary>
    Continue = 6,
}
