namespace Emu.Compiler;

/// <summary>What something in the C#, or a part of the layout, costs in a circuit, all that it calls included.</summary>
/// <param name="Name">A method, or a part of the layout.</param>
/// <param name="Depth">0 for <c>Process</c> and for parts of the layout; of a called method one more than its caller, after which it stands.</param>
/// <param name="IsLayout">Whether it is a part of the layout rather than of the service.</param>
/// <param name="FlopBits">Bits of flops.</param>
/// <param name="RamBits">Bits of RAMs. State belongs to the method below which all its accesses lie.</param>
/// <param name="Luts">LUTs of six inputs, estimated before synthesis, without those that are RAM.</param>
public sealed record Cost(string Name, int Depth, bool IsLayout, long FlopBits, long RamBits, long Luts)
{
    /// <summary>What the methods of a service cost, in order of their calls, then the parts of the layout; those of depth 0 sum up to the whole.</summary>
    public static IReadOnlyList<Cost> Of(Circuit circuit)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        return new CostTree(circuit).Costs();
    }
}
