namespace Emu.Services;

/// <summary>From whom a mapping lets packets in (RFC 4787 §5; RFC 5382 §4.3).</summary>
public enum Filtering
{
    /// <summary>From anyone.</summary>
    EndpointIndependent,

    /// <summary>From addresses that something was sent to from the inside endpoint.</summary>
    AddressDependent,

    /// <summary>From addresses and ports that something was sent to from the inside endpoint.</summary>
    AddressAndPortDependent,
}
