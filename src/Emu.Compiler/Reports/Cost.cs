using Emu.Compiler.IR;
using Emu.Compiler.Layouts;

namespace Emu.Compiler.Reports;

/// <summary>What something in the C#, or a part of the layout, costs in a circuit, all that it calls included.</summary>
/// <param name="Name">A method, or a part of the layout.</param>
/// <param name="Depth">0 for <c>Process</c> and for parts of the layout; of a called method one more than its caller, after which it stands.</param>
/// <param name="IsLayout">Whether it is a part of the layout rather than of the service.</param>
/// <param name="FlopBits">Bits of flops.</param>
/// <param name="RamBits">Bits of RAMs. State belongs to the method below which all its accesses lie.</param>
/// <param name="Luts">LUTs of six inputs, estimated before synthesis, without those that are RAM.</param>
/// <param name="Dsps">Multipliers of 25 by 18 bits (DSP48E1), estimated before synthesis.</param>
public sealed record Cost(string Name, int Depth, bool IsLayout, long FlopBits, long RamBits, long Luts, long Dsps)
{
    /// <summary>What the methods of a service cost, in order of their calls, then the parts of the layout; those of depth 0 sum up to the whole.</summary>
    public static IReadOnlyList<Cost> Of(Circuit circuit)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        return new CostTree(circuit).Costs();
    }

    /// <summary>
    /// The user's own lines that logic comes from, with what they use of libraries: those that need most LUTs first, of
    /// equal ones those that need more DSPs. What the layout needs of its own is in none.
    /// </summary>
    public static IReadOnlyList<LineCost> ByLine(Circuit circuit)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        return new CostTree(circuit).Lines();
    }
}

/// <summary>What a line of the user's costs in a circuit.</summary>
/// <param name="Line">The line; it has no caller, since several may share it.</param>
/// <param name="Copies">The ways of calls by which the compiler came there: each has logic of its own.</param>
/// <param name="Luts">LUTs of six inputs, estimated before synthesis, without those that are RAM.</param>
/// <param name="Dsps">Multipliers of 25 by 18 bits (DSP48E1), estimated before synthesis.</param>
public sealed record LineCost(SourceLocation Line, int Copies, long Luts, long Dsps);
