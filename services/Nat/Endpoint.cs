namespace Emu.Services;

/// <summary>One end of a flow.</summary>
/// <param name="protocol">The protocol.</param>
/// <param name="address">The host.</param>
/// <param name="port">The port; of ICMP queries the identifier.</param>
internal readonly struct Endpoint(FlowProtocol protocol, IPv4Address address, ushort port) : ITableKey<Endpoint>
{
    private const int AddressShift = 16;
    private const int ProtocolShift = 48;

    public static int Width => ProtocolShift + 2;

    /// <summary>The three as one number: protocol, address, port.</summary>
    public ulong Bits { get; } = (ulong)protocol << ProtocolShift | (ulong)address.Bits << AddressShift | port;

    public UInt128 KeyBits => Bits;

    public FlowProtocol Protocol => (FlowProtocol)(Bits >> ProtocolShift);

    public IPv4Address Address => new((uint)(Bits >> AddressShift));

    public ushort Port => (ushort)Bits;

    public static Endpoint Of(ulong bits) =>
        new((FlowProtocol)(bits >> ProtocolShift & 3), new IPv4Address((uint)(bits >> AddressShift)), (ushort)bits);

    public bool Equals(Endpoint other) => Bits == other.Bits;

    public override bool Equals(object? obj) => obj is Endpoint other && Equals(other);

    public override int GetHashCode() => Bits.GetHashCode();

    public override string ToString() => $"{Protocol.ToString().ToLowerInvariant()} {Address}:{Port}";
}
