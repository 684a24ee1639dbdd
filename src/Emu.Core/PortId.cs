namespace Emu;

/// <summary>
/// One port of the device that a service runs on, numbered from 0 in the order in which they were named.
/// </summary>
/// <remarks>
/// In hardware, ports 0 to 3 are the MAC ports, at bit 2 × <see cref="Index"/> of the NetFPGA port vectors, and ports 4
/// to 7 the host's queues, at the bits between. On Linux there are up to <see cref="PortSet.MaxPorts"/>.
/// </remarks>
/// <param name="index">0 to 63, or 64 for <see cref="None"/>.</param>
/// <exception cref="OverflowException">The number is not one of 0 to 255.</exception>
public readonly struct PortId(int index) : IEquatable<PortId>
{
    /// <summary>No port: the ingress of an event that is not a received frame, such as a tick.</summary>
    public static PortId None => new(PortSet.MaxPorts);

    /// <summary>The port's number, counted from 0; <see cref="PortSet.MaxPorts"/> for <see cref="None"/>.</summary>
    public byte Index { get; } = checked((byte)index);

    /// <inheritdoc/>
    public bool Equals(PortId other) => Index == other.Index;

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PortId other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Index;

    /// <summary>The number in decimal, or <c>none</c>.</summary>
    public override string ToString() => Index < PortSet.MaxPorts ? Index.ToString() : "none";

    /// <summary>True if both are the same port.</summary>
    public static bool operator ==(PortId left, PortId right) => left.Index == right.Index;

    /// <summary>True if they are different ports.</summary>
    public static bool operator !=(PortId left, PortId right) => left.Index != right.Index;
}
