using Emu.Compiler.IR;
using Emu.Compiler.Rtl;

namespace Emu.Compiler.Units;

/// <summary>A way to make some parts of a fold's state.</summary>
/// <param name="Recurrences">
/// What stands for a number and what it is behind some turns: those of one list need one another, and none needs one of
/// a later list.
/// </param>
/// <param name="Sums">Parts that are sums of such numbers.</param>
internal sealed record RecurrenceWay(
    IReadOnlyList<IReadOnlyList<(Wire StandIn, Value Next)>> Recurrences,
    IReadOnlyList<(Wire StandIn, Value Sum)> Sums)
{
    /// <summary>The way in which the parts need one another.</summary>
    public static RecurrenceWay Of(IReadOnlyList<(Wire StandIn, Value Next)> parts) => new([parts], []);
}
