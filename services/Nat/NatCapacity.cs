namespace Emu.Services;

/// <summary>The sizes of the tables of a <see cref="Nat"/>.</summary>
public sealed class NatCapacity
{
    /// <summary>Mappings that there is room for, as many as ways at least.</summary>
    [PowerOfTwo(2, MappingTable.MaxCapacity)]
    public int Mappings { get; init; } = 4096;

    /// <summary>Ports that an endpoint may have: a new flow is refused if all of them are taken.</summary>
    [PowerOfTwo(2, MappingTable.MaxWays)]
    public int Ways { get; init; } = 8;

    /// <summary>Neighbours that there is room for.</summary>
    [PowerOfTwo(4, 1 << 20)]
    public int Neighbors { get; init; } = 64;

    /// <summary>Datagrams in parts that there is room for; 0 drops every part.</summary>
    [PowerOfTwo(4, 1 << 20, OrZero = true)]
    public int Fragments { get; init; } = 64;

    /// <summary>Seed of the tables' hashes; choose your own where hosts are not trusted.</summary>
    public ulong HashSeed { get; init; } = 1;
}
