using Emu.Protocols;

namespace Emu.Samples;

/// <summary>The addresses, ports and protocol that the packets of a flow share.</summary>
/// <param name="Source">IPv6, or IPv4 in the lowest 32 bits.</param>
/// <param name="Destination">Likewise.</param>
/// <param name="SourcePort">Of TCP or UDP.</param>
/// <param name="DestinationPort">Likewise.</param>
/// <param name="Protocol">TCP or UDP.</param>
public readonly record struct FlowKey(
    UInt128 Source, UInt128 Destination, ushort SourcePort, ushort DestinationPort, byte Protocol) : ITableKey<FlowKey>
{
    /// <inheritdoc/>
    public static int Width => 296;

    /// <inheritdoc/>
    public UInt128 KeyBits => Source;

    /// <inheritdoc/>
    public static UInt128 Word(FlowKey key, int index) => index switch
    {
        0 => key.Source,
        1 => key.Destination,
        _ => (UInt128)key.Protocol << 32 | (uint)key.SourcePort << 16 | key.DestinationPort,
    };

    /// <inheritdoc/>
    public override string ToString() =>
        $"{(IPProtocol)Protocol} {Text(Source)} {SourcePort} > {Text(Destination)} {DestinationPort}";

    private static string Text(UInt128 address) =>
        address >> 32 == 0 ? $"{new IPv4Address((uint)address)}" : $"{new IPv6Address(address)}";
}
