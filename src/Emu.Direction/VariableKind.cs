namespace Emu.Direction;

/// <summary>The way to show the bits of a variable.</summary>
public enum VariableKind : byte
{
    /// <summary>A number without sign, in decimal.</summary>
    Number,

    /// <summary>A number in two's complement, in decimal.</summary>
    SignedNumber,

    /// <summary><c>true</c> or <c>false</c>.</summary>
    Bool,

    /// <summary>A <see cref="Emu.MacAddress"/>.</summary>
    MacAddress,

    /// <summary>An <see cref="Emu.IPv4Address"/>.</summary>
    IPv4Address,

    /// <summary>An <see cref="Emu.IPv6Address"/>.</summary>
    IPv6Address,

    /// <summary>A <see cref="Emu.PortSet"/>.</summary>
    PortSet,

    /// <summary>The settings of a probe, by which <c>count</c> and <c>trace</c> are done.</summary>
    Probe,

    /// <summary>A place in the code, which <c>backtrace</c> shows: a name alone.</summary>
    Place,
}
