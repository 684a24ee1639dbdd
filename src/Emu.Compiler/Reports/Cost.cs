using System.Runtime.CompilerServices;
using Emu.Compiler.IR;
using Emu.Compiler.Layouts;

namespace Emu.Compiler.Reports;

/// <summary>The cost in a circuit of something in the C#, or of a part of the layout, with all that it calls.</summary>
/// <param name="Name">A method, or a part of the layout.</param>
/// <param name="Depth">
/// 0 for <c>Process</c> and for parts of the layout; of a called method one more than its caller,
/// after which it stands.
/// </param>
/// <param name="IsLayout">True if it is a part of the layout rather than of the service.</param>
/// <param name="FlopBits">Bits of flops.</param>
/// <param name="RamBits">Bits of RAMs. State belongs to the method below which all its accesses lie.</param>
/// <param name="Luts">LUTs of six inputs, estimated before synthesis, without those that are RAM.</param>
/// <param name="Dsps">Multipliers of 25 by 18 bits (DSP48E1), estimated before synthesis.</param>
public sealed record Cost(string Name, int Depth, bool IsLayout, long FlopBits, long RamBits, long Luts, long Dsps)
{
    /// <summary>Counted once for each circuit, which a report asks by method and by line.</summary>
    private static readonly ConditionalWeakTable<Circuit, CostTree> s_trees = [];

    /// <summary>
    /// The costs of a service's methods in order of their calls, then of the parts of the layout.
    /// Those of depth 0 add up to the whole.
    /// </summary>
    public static IReadOnlyList<Cost> Of(Circuit circuit)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        return s_trees.GetValue(circuit, counted => new CostTree(counted)).Costs();
    }

    /// <summary>
    /// The user's own lines that logic comes from, with the library code that they use: those that need most LUTs
    /// first, of equal ones those that need more DSPs. The layout's own logic is in none.
    /// </summary>
    public static IReadOnlyList<LineCost> ByLine(Circuit circuit)
    {
        ArgumentNullException.ThrowIfNull(circuit);
        return s_trees.GetValue(circuit, counted => new CostTree(counted)).Lines();
    }
}

/// <summary>The cost of one of the user's lines in a circuit.</summary>
/// <param name="Line">The line; it has no caller, since several may share it.</param>
/// <param name="Copies">The ways of calls by which the compiler came there: each has logic of its own.</param>
/// <param name="Luts">LUTs of six inputs, estimated before synthesis, without those that are RAM.</param>
/// <param name="Dsps">Multipliers of 25 by 18 bits (DSP48E1), estimated before synthesis.</param>
public sealed record LineCost(SourceLocation Line, int Copies, long Luts, long Dsps);
